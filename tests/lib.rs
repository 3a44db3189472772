//! Shared by the test binaries of the workspace.

pub mod harness;
pub mod layout;
pub mod markdown;
pub mod packages;
pub mod pn_reader;
pub mod real_node;
pub mod score;
