//! The Ruby that modules carry: resource types read statically, templates and functions run here or by a helper.
//!
//! [`Ruby`] is what the compiler is given; `resource_types`, `bridge` with its `interpreter` and `sidecar` are the parts of the work.

mod bridge;
mod data_types;
pub mod forecast;
mod frame_host;
pub mod interpreter;
mod legacy;
mod library;
mod methods;
mod module_types;
pub mod resource_types;
mod ruby;
pub mod sidecar;
mod signatures;
mod store;

pub use bridge::{Custom, Found, Left};
pub use module_types::declared as declared_type;
pub use ruby::Ruby;
pub use store::Store;

/// The version of Puppet that Ruby code is told it runs under.
pub const PUPPET_VERSION: &str = "8.28.1";
