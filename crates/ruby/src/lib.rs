//! The Ruby that modules carry: resource types read statically, templates and functions run by a helper.
//!
//! [`Ruby`] is what the compiler is given; `resource_types` and `sidecar` are the two halves of the work.

pub mod erb;
mod frame_host;
mod module_types;
pub mod resource_types;
mod ruby;
pub mod sidecar;
mod signatures;

pub use ruby::Ruby;

/// The version of Puppet that Ruby code is told it runs under.
pub const PUPPET_VERSION: &str = "8.10.0";
