//! Shared by the test binaries of the workspace.

pub mod packages;
pub mod score;
