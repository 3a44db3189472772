//! The Ruby that modules carry: resource types read statically, templates and functions run by a helper.

pub mod resource_types;
pub mod sidecar;

/// The version of Puppet that Ruby code is told it runs under.
pub const PUPPET_VERSION: &str = "8.10.0";
