//! The resources by id, by reference, by alias and by type: every way to find one is an index.

use std::hash::BuildHasher;

use ecow::EcoString;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use bunraku_catalog::Reference;
use bunraku_pcore::Value;

use super::resource::{Definition, Resource, ResourceId};

/// How many resources there is room for at first.
const USUAL: usize = 256;

/// All resources of a compilation, in the order of the catalog.
#[derive(Debug, Default)]
pub(super) struct Table<'e> {
    /// Each is on its own: a list of large things would be copied whenever it grows.
    #[expect(clippy::vec_box, reason = "resources are large")]
    resources: Vec<Box<Resource<'e>>>,
    /// The resources by their reference, which they hold themselves.
    by_reference: HashTable<ResourceId>,
    /// Other names of resources.
    aliases: FxHashMap<Reference, ResourceId>,
    /// Names of resources that are named by several attributes, or by something that is no text.
    by_key: FxHashMap<(EcoString, Vec<Value>), ResourceId>,
    /// The resources that count for collectors, by type.
    by_type: FxHashMap<EcoString, Vec<ResourceId>>,
    /// What resource types are, so that a title can be understood before a resource is there.
    definitions: FxHashMap<EcoString, Definition<'e>>,
}

impl<'e> Table<'e> {
    pub(super) fn get(&self, id: ResourceId) -> &Resource<'e> {
        #[expect(clippy::indexing_slicing, reason = "an id is made by `insert` alone and resources are never removed")]
        &self.resources[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: ResourceId) -> &mut Resource<'e> {
        #[expect(clippy::indexing_slicing, reason = "an id is made by `insert` alone and resources are never removed")]
        &mut self.resources[id.0 as usize]
    }

    /// Does something with the value of every parameter.
    pub(super) fn each_value(&mut self, work: &mut dyn FnMut(&mut Value)) {
        for resource in &mut self.resources {
            resource.parameters.values_mut().for_each(|parameter| work(&mut parameter.value));
        }
    }

    /// Puts a resource at the end; its reference must be new.
    pub(super) fn insert(&mut self, resource: Resource<'e>) -> ResourceId {
        let id = ResourceId(u32::try_from(self.resources.len()).unwrap_or(u32::MAX));
        if let Definition::Native(_) = resource.definition
            && !self.definitions.contains_key(&resource.reference.type_name)
        {
            self.definitions.insert(resource.reference.type_name.clone(), resource.definition);
        }
        if self.resources.is_empty() {
            self.resources.reserve(USUAL);
        }
        let Reference { type_name, title } = &resource.reference;
        let hash = hash(type_name, title);
        self.resources.push(Box::new(resource));
        let resources = &self.resources;
        self.by_reference.insert_unique(hash, id, |known| {
            #[expect(clippy::indexing_slicing, reason = "the resource of an id is there")]
            let Reference { type_name, title } = &resources[known.0 as usize].reference;
            self::hash(type_name, title)
        });
        id
    }

    /// Makes a resource visible to collectors.
    pub(super) fn list(&mut self, id: ResourceId) {
        let type_name = self.get(id).reference.type_name.clone();
        self.by_type.entry(type_name).or_default().push(id);
    }

    /// The resource whose title or alias this is.
    pub(super) fn exact(&self, reference: &Reference) -> Option<ResourceId> {
        let titled = self.titled(&reference.type_name, &reference.title);
        if titled.is_none() && !self.aliases.is_empty() { self.aliases.get(reference).copied() } else { titled }
    }

    /// The resource with this title, whose type has its name in this very form.
    pub(super) fn titled(&self, type_name: &str, title: &str) -> Option<ResourceId> {
        let is_meant = |id: &ResourceId| {
            let reference = &self.get(*id).reference;
            reference.title == title && reference.type_name == type_name
        };
        self.by_reference.find(hash(type_name, title), is_meant).copied()
    }

    /// The resource that a reference means: its title, an alias, or a title that names the same thing.
    pub(super) fn find(&self, reference: &Reference) -> Option<ResourceId> {
        if let Some(id) = self.exact(reference) {
            return Some(id);
        }
        let Definition::Native(resource_type) = self.definitions.get(&reference.type_name)? else { return None };
        let key = resource_type.uniqueness_key(&reference.title, |_| None).ok()?;
        self.alias(&reference.type_name, &key)
    }

    /// The resource with this alias, which is one value or several.
    pub(super) fn alias(&self, type_name: &EcoString, key: &[Value]) -> Option<ResourceId> {
        match key {
            [Value::String(title)] => self.exact(&Reference { type_name: type_name.clone(), title: title.clone() }),
            _ => self.by_key.get(&(type_name.clone(), key.to_vec())).copied(),
        }
    }

    pub(super) fn add_alias(&mut self, type_name: EcoString, key: Vec<Value>, id: ResourceId) {
        match key.as_slice() {
            [Value::String(title)] => drop(self.aliases.insert(Reference { type_name, title: title.clone() }, id)),
            _ => drop(self.by_key.insert((type_name, key), id)),
        }
    }

    /// The resources of a type, in order, that collectors look at.
    pub(super) fn of_type(&self, type_name: &str) -> &[ResourceId] {
        self.by_type.get(type_name).map_or(&[], Vec::as_slice)
    }

    /// Says that one resource contains another.
    pub(super) fn contain(&mut self, container: ResourceId, content: ResourceId) {
        self.get_mut(content).containers.push(container);
        self.get_mut(container).contents.push(content);
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ResourceId> + use<> {
        (0..u32::try_from(self.resources.len()).unwrap_or(u32::MAX)).map(ResourceId)
    }

    /// All resources, in order.
    #[expect(clippy::vec_box, reason = "resources are large")]
    pub(super) fn into_resources(self) -> Vec<Box<Resource<'e>>> {
        self.resources
    }
}

fn hash(type_name: &str, title: &str) -> u64 {
    FxBuildHasher.hash_one((type_name, title))
}
