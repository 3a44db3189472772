//! What nodes export, kept from one compilation to the next.

mod directory;

use std::sync::Arc;

use bunraku_catalog::Catalog;
use bunraku_compiler::ExportedResources;
use bunraku_syntax::Issue;

pub use directory::Directory;

/// Where what nodes export is kept, for the collectors of others: `Host <<| |>>`.
pub trait Store: Send + Sync {
    /// What all nodes export.
    fn exported(&self) -> Result<Arc<ExportedResources>, Issue>;

    /// Keeps what a node exports, in place of what it exported before.
    fn keep(&self, exported: &Catalog) -> Result<(), Issue>;
}
