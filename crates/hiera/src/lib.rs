//! Hierarchical data lookup: Hiera 5.
//!
//! [`Hiera`] is what an environment has: configurations and data files, read once and shared. [`Session`] is what one
//! compilation remembers of it: hierarchies resolved for a node, `lookup_options`, values of data functions.
//! A lookup walks the layers (`layers.rs`) and their levels (`provider.rs`), merges (`merge.rs`), interpolates
//! (`interpolate.rs`) and, if asked, keeps an account of it all (`explain.rs`).

mod backends;
mod config;
mod context;
mod data_provider;
mod error;
mod explain;
mod hiera;
mod interpolate;
mod invocation;
pub mod issues;
mod key;
mod layers;
mod location;
mod lookup_options;
mod merge;
mod provider;
mod session;

pub use context::{Context, DataFunction, FunctionCall, FunctionContext, Missing};
pub use error::{Cause, Error, Kind, WrongOption};
pub use explain::{DataSource, Explain, Explanation, line_of};
pub use hiera::{Hiera, Layout, Store};
pub use key::Key;
pub use session::{Found, HieraCall, Request, Session, Source, not_found};
