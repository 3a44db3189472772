//! The catalog: all resources of one node, what contains what, and which classes were evaluated.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use bunraku_pcore::Value;
use ecow::EcoString;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::edge::Edge;
use crate::graph::Written;
use crate::reference::Reference;
use crate::resource::Resource;
use crate::tag::Tags;

/// Everything an agent is told about its node.
#[derive(Debug, Clone)]
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
    /// Where relationships are written, for who compiled it: agents are not told.
    pub written: Written,
    resources: Vec<Resource>,
    /// The places of the resources by reference, once one is looked for: most catalogs are only written.
    places: OnceLock<HashTable<usize>>,
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
            written: Written::default(),
            resources: Vec::new(),
            places: OnceLock::new(),
        }
    }

    /// Adds a resource at the end, or replaces the one with the same reference.
    pub fn add(&mut self, resource: Resource) {
        let known = self.position(&resource.reference).and_then(|place| self.resources.get_mut(place));
        match known {
            Some(known) => *known = resource,
            None => self.add_new(resource),
        }
    }

    /// Adds a resource at the end; its reference must be new, which is not checked.
    pub fn add_new(&mut self, resource: Resource) {
        let place = self.resources.len();
        if let Some(places) = self.places.get_mut() {
            let resources = &self.resources;
            let rehash = |&at: &usize| resources.get(at).map_or(0, hash_of);
            places.insert_unique(hash_of(&resource), place, rehash);
        }
        self.resources.push(resource);
    }

    /// Makes room for this many more resources.
    pub fn reserve(&mut self, additional: usize) {
        self.resources.reserve_exact(additional);
    }

    /// The same catalog with other values of parameters.
    pub fn with_values<E>(mut self, mut change: impl FnMut(&Value) -> Result<Value, E>) -> Result<Self, E> {
        for parameters in self.resources.iter_mut().map(|resource| &mut resource.parameters) {
            for (_, value) in parameters.iter_mut() {
                *value = change(value)?;
            }
        }
        Ok(self)
    }

    /// The resource with this reference.
    pub fn resource(&self, reference: &Reference) -> Option<&Resource> {
        self.position(reference).and_then(|place| self.at(place))
    }

    /// The place of a resource in the order of the catalog.
    pub fn position(&self, reference: &Reference) -> Option<usize> {
        self.position_of(&reference.type_name, &reference.title)
    }

    /// The same, by the name of its type, which is capitalised, and its title.
    pub fn position_of(&self, type_name: &str, title: &str) -> Option<usize> {
        let is_meant = |known: &Reference| known.title == title && known.type_name == type_name;
        let is_there = |&place: &usize| self.at(place).is_some_and(|known| is_meant(&known.reference));
        self.places().find(hash(type_name, title), is_there).copied()
    }

    fn places(&self) -> &HashTable<usize> {
        self.places.get_or_init(|| {
            let hash = |place: usize| self.at(place).map_or(0, hash_of);
            let mut places = HashTable::with_capacity(self.resources.len());
            for place in 0..self.resources.len() {
                places.insert_unique(hash(place), place, |&at| hash(at));
            }
            places
        })
    }

    /// The resource at a place.
    pub fn at(&self, position: usize) -> Option<&Resource> {
        self.resources.get(position)
    }

    /// All resources in order.
    pub fn resources(&self) -> impl ExactSizeIterator<Item = &Resource> {
        self.resources.iter()
    }

    /// The resources themselves.
    pub fn into_resources(self) -> impl ExactSizeIterator<Item = Resource> {
        self.resources.into_iter()
    }

    /// How many resources there are.
    pub fn len(&self) -> usize {
        self.resources.len()
    }

    /// Whether there are no resources.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// Leaves what the agent of the node gets: resources that are virtual, as those are that are exported to others, are
    /// not for it. Gives a catalog of what is exported.
    pub fn for_agent(mut self) -> (Catalog, Catalog) {
        let mut exported = Catalog::new(self.name.clone(), self.environment.clone());
        exported.version = self.version.clone();
        exported.code_id.clone_from(&self.code_id);
        exported.catalog_uuid.clone_from(&self.catalog_uuid);
        exported.tags = self.tags.clone();
        exported.classes.clone_from(&self.classes);
        for resource in self.resources().filter(|resource| resource.is_exported()) {
            exported.add_new(resource.clone());
        }
        if !exported.is_empty() {
            let is_there = |reference| exported.position(reference).is_some();
            let edges = self.edges.iter().filter(|edge| is_there(&edge.source) && is_there(&edge.target));
            exported.edges = edges.cloned().collect();
        }
        self.retain(|resource| !resource.is_virtual);
        (self, exported)
    }

    /// Keeps only the resources for which `keep` holds, and the edges between them.
    pub fn retain(&mut self, keep: impl Fn(&Resource) -> bool) {
        if self.resources().all(&keep) {
            return;
        }
        let mut positions = Vec::with_capacity(self.resources.len());
        let mut kept = 0;
        self.resources.retain(|resource| {
            let is_kept = keep(resource);
            positions.push(is_kept.then_some(kept));
            kept += usize::from(is_kept);
            is_kept
        });
        self.written.moved(|position| positions.get(position).copied().flatten());
        self.places = OnceLock::new();
        let mut edges = std::mem::take(&mut self.edges);
        edges.retain(|edge| self.position(&edge.source).is_some() && self.position(&edge.target).is_some());
        self.edges = edges;
    }
}

fn hash_of(resource: &Resource) -> u64 {
    hash(&resource.reference.type_name, &resource.reference.title)
}

fn hash(type_name: &str, title: &str) -> u64 {
    FxBuildHasher.hash_one((type_name, title))
}

/// The order of resources does not matter.
impl PartialEq for Catalog {
    fn eq(&self, other: &Catalog) -> bool {
        self.name == other.name
            && self.version == other.version
            && self.code_id == other.code_id
            && self.catalog_uuid == other.catalog_uuid
            && self.environment == other.environment
            && self.tags == other.tags
            && self.classes == other.classes
            && self.edges == other.edges
            && self.len() == other.len()
            && self.resources().all(|resource| other.resource(&resource.reference) == Some(resource))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Kind;

    #[test]
    fn agents_do_not_get_what_is_meant_for_others() {
        let mut catalog = Catalog::new("web1", "production");
        for (title, exported, is_virtual) in
            [("plain", false, false), ("virtual", false, true), ("exported", true, true), ("collected", true, false)]
        {
            let mut resource = Resource::new(Reference::new("Notify", title), Kind::CompilableType);
            (resource.exported, resource.is_virtual) = (Some(exported), is_virtual);
            catalog.edges.push(Edge { source: Reference::new("Class", "main"), target: resource.reference.clone() });
            catalog.add(resource);
        }
        let titles = |catalog: &Catalog| -> Vec<String> {
            catalog.resources().map(|resource| resource.reference.title.to_string()).collect()
        };
        let (agent, exported) = catalog.for_agent();
        assert_eq!(
            (titles(&agent), titles(&exported)),
            (vec!["plain".to_owned(), "collected".to_owned()], vec!["exported".to_owned(), "collected".to_owned()],)
        );
        assert_eq!((exported.name.as_str(), exported.edges.len()), ("web1", 0));
    }
}
