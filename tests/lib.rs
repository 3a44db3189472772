//! Shared by the test binaries of the workspace.
