//! Shared by the test binaries of the workspace.

pub mod layout;
pub mod packages;
pub mod pn_reader;
pub mod score;
