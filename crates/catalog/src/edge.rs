//! An edge of the catalog: one resource contains another.

use crate::reference::Reference;

/// Containment of one resource in another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The container.
    pub source: Reference,
    /// What it contains.
    pub target: Reference,
}
