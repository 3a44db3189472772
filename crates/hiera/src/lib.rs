//! Hierarchical data lookup.
