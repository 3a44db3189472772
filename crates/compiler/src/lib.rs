//! Evaluates an environment for one node into a catalog.
//!
//! [`compile`] is the table of contents. `eval/` has one file for each area of expressions, `build/` one for each kind of
//! thing that a catalog is built of, `function/` the frame of native functions. This crate knows no function by name: the
//! library is handed in.

pub mod build;
pub mod call_stack;
mod cause;
pub mod change;
pub mod compilation;
mod compile;
mod data_types;
mod eval;
mod exported;
mod failure;
pub mod foreign;
pub mod frame;
pub mod function;
pub mod issues;
pub mod label;
pub mod limits;
pub mod log;
pub mod lookup;
pub mod node;
mod number;
mod profile;
pub mod scope;
pub mod settings;
mod shared_types;
pub mod unwind;
mod uuid;

pub use compilation::Compilation;
pub use compile::{Compiled, Options, compile, diagnostic};
pub use eval::epp::TemplateScope;
pub use exported::ExportedResources;
pub use failure::Failure;
pub use frame::Frame;
pub use limits::Limits;
pub use node::Node;
pub use profile::Profile;
pub use shared_types::SharedTypes;
pub use unwind::{Outcome, Unwind};
pub use uuid::random_uuid;
