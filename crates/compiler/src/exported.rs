//! What other nodes export: collectors such as `Host <<| |>>` find it here.

use bunraku_catalog::{Catalog, Resource};
use ecow::EcoString;
use rustc_hash::FxHashMap;

/// The exported resources of all nodes, in the order in which their catalogs were added.
#[derive(Debug, Default)]
pub struct ExportedResources {
    by_type: FxHashMap<EcoString, Vec<Exported>>,
}

/// A resource that a node exports.
#[derive(Debug)]
pub(crate) struct Exported {
    /// The name of the node.
    pub(crate) node: EcoString,
    pub(crate) resource: Resource,
}

impl ExportedResources {
    /// Adds what a catalog exports; everything else in it is left out.
    pub fn add(&mut self, mut catalog: Catalog) {
        catalog.retain(Resource::is_exported);
        let node = catalog.name.clone();
        for resource in catalog.into_resources() {
            let list = self.by_type.entry(resource.reference.type_name.clone()).or_default();
            list.push(Exported { node: node.clone(), resource });
        }
    }

    /// What nodes other than this one export of a type.
    pub(crate) fn of_type(&self, type_name: &str, node: &str) -> impl Iterator<Item = &Exported> {
        self.by_type.get(type_name).into_iter().flatten().filter(move |exported| exported.node != node)
    }
}
