//! Hierarchical data lookup.

pub mod yaml;
