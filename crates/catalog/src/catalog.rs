//! The catalog: all resources of one node, what contains what, and which classes were evaluated.

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::edge::Edge;
use crate::reference::Reference;
use crate::resource::Resource;
use crate::tag::Tags;

/// Everything an agent is told about its node.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalog {
    /// The name of the node.
    pub name: EcoString,
    /// Which state of the code it was compiled from.
    pub version: Version,
    /// Identifies the state of the code for static catalogs.
    pub code_id: Option<EcoString>,
    /// Identifies this compilation; left out of reproducible catalogs.
    pub catalog_uuid: Option<EcoString>,
    /// The name of the environment.
    pub environment: EcoString,
    /// Tags of the classes and nodes declared.
    pub tags: Tags,
    /// Names of the classes and the node evaluated, in order.
    pub classes: Vec<EcoString>,
    /// Containment, in the order an agent receives it.
    pub edges: Vec<Edge>,
    resources: IndexMap<Reference, Resource, FxBuildHasher>,
}

/// The version of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Version {
    /// Seconds since the epoch.
    Time(u64),
    /// What the `config_version` command printed.
    Text(EcoString),
}

impl Catalog {
    /// An empty catalog.
    pub fn new(name: impl Into<EcoString>, environment: impl Into<EcoString>) -> Self {
        Catalog {
            name: name.into(),
            version: Version::Time(0),
            code_id: None,
            catalog_uuid: None,
            environment: environment.into(),
            tags: Tags::default(),
            classes: Vec::new(),
            edges: Vec::new(),
            resources: IndexMap::default(),
        }
    }

    /// Adds a resource at the end, or replaces the one with the same reference.
    pub fn add(&mut self, resource: Resource) {
        self.resources.insert(resource.reference.clone(), resource);
    }

    /// Makes room for this many more resources.
    pub fn reserve(&mut self, additional: usize) {
        self.resources.reserve(additional);
    }

    /// The resource with this reference.
    pub fn resource(&self, reference: &Reference) -> Option<&Resource> {
        self.resources.get(reference)
    }

    /// The place of a resource in the order of the catalog.
    pub fn position(&self, reference: &Reference) -> Option<usize> {
        self.resources.get_index_of(reference)
    }

    /// The resource at a place.
    pub fn at(&self, position: usize) -> Option<&Resource> {
        self.resources.get_index(position).map(|(_, resource)| resource)
    }

    /// All resources in order.
    pub fn resources(&self) -> impl ExactSizeIterator<Item = &Resource> {
        self.resources.values()
    }

    /// The resources themselves.
    pub fn into_resources(self) -> impl ExactSizeIterator<Item = Resource> {
        self.resources.into_values()
    }

    /// How many resources there are.
    pub fn len(&self) -> usize {
        self.resources.len()
    }

    /// Whether there are no resources.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// Keeps only the resources for which `keep` holds, and the edges between them.
    pub fn retain(&mut self, mut keep: impl FnMut(&Resource) -> bool) {
        self.resources.retain(|_, resource| keep(resource));
        let resources = &self.resources;
        let is_there = |reference: &Reference| resources.contains_key(reference);
        self.edges.retain(|edge| is_there(&edge.source) && is_there(&edge.target));
    }
}
