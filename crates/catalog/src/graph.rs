//! The relationship graph: the order in which an agent will apply a catalog, known before it gets there.
//!
//! Relationships come from metaparameters, from containment, and from the autorequires of resource types.

mod autorelation;
mod cycle;
mod dot;
mod written;

pub use cycle::{Cycle, Step};
pub use written::{Line, Written};

use std::cell::LazyCell;

use bunraku_pcore::Value;
use bunraku_pcore::data_type::Type;
use bunraku_syntax::{Span, deep};
use rustc_hash::FxHashSet;

use autorelation::{Names, Typed};

use crate::catalog::Catalog;
use crate::reference::Reference;

/// Why one resource comes before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The first contains the second.
    Containment,
    /// A metaparameter of one of the two.
    Metaparameter(Relation),
    /// The type of one of the two says so.
    Autorequire,
}

/// The metaparameters that order resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the metaparameters")]
pub enum Relation {
    Before,
    Require,
    Notify,
    Subscribe,
}

impl Relation {
    const ALL: [Relation; 4] = [Relation::Before, Relation::Notify, Relation::Require, Relation::Subscribe];

    /// The name of the metaparameter.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Before => "before",
            Relation::Require => "require",
            Relation::Notify => "notify",
            Relation::Subscribe => "subscribe",
        }
    }

    /// The metaparameter of this name, if it orders resources.
    pub fn named(name: &str) -> Option<Relation> {
        Some(match name {
            "before" => Relation::Before,
            "require" => Relation::Require,
            "notify" => Relation::Notify,
            "subscribe" => Relation::Subscribe,
            _ => return None,
        })
    }

    /// Whether it stands on the resource that comes first.
    pub fn is_on_first(self) -> bool {
        matches!(self, Relation::Before | Relation::Notify)
    }
}

/// One resource comes before another. Resources are named by their position in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Relationship {
    first: u32,
    second: u32,
    /// Why.
    pub cause: Cause,
}

impl Relationship {
    fn new(first: usize, second: usize, cause: Cause) -> Self {
        Relationship { first: small(first), second: small(second), cause }
    }

    /// The position of what comes first.
    pub fn first(&self) -> usize {
        self.first as usize
    }

    /// The position of what comes after it, or is contained in it.
    pub fn second(&self) -> usize {
        self.second as usize
    }
}

/// A number in half of the room: a graph has many of them. One that is too large for it, for which no memory suffices,
/// stands for nothing.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The relationships of a catalog.
#[derive(Debug)]
pub struct Graph<'c> {
    catalog: &'c Catalog,
    relationships: Vec<Relationship>,
    /// What resources have relationships to that the catalog does not have, with the places of those resources.
    pub missing: Vec<(usize, Reference)>,
}

impl<'c> Graph<'c> {
    /// Builds the graph of a catalog.
    pub fn new(catalog: &'c Catalog) -> Self {
        let mut relationships = Vec::with_capacity(catalog.edges.len());
        for edge in &catalog.edges {
            if let (Some(first), Some(second)) = (catalog.position(&edge.source), catalog.position(&edge.target)) {
                relationships.push(Relationship::new(first, second, Cause::Containment));
            }
        }
        let typed = Typed::new(catalog);
        let names = LazyCell::new(|| Names::new(&typed));
        let find = |reference: &Reference| {
            let by_name = || names.of(&reference.type_name.to_lowercase())?.find(&reference.title);
            catalog.position(reference).or_else(by_name)
        };
        let mut missing = Vec::new();
        for (here, resource) in catalog.resources().enumerate() {
            for relation in Relation::ALL {
                let Some(value) = resource.get(relation.name()) else {
                    continue;
                };
                for other in references(value) {
                    let Some(there) = find(&other) else {
                        missing.push((here, other));
                        continue;
                    };
                    let (first, second) = if relation.is_on_first() { (here, there) } else { (there, here) };
                    relationships.push(Relationship::new(first, second, Cause::Metaparameter(relation)));
                }
            }
        }
        let found = autorelation::find(&typed, &names);
        let mut open: FxHashSet<(usize, usize)> = found.iter().copied().collect();
        // What is written down goes before what follows from types, whichever of the two it says comes first.
        if !open.is_empty() {
            for relationship in relationships.iter().filter(|it| it.cause != Cause::Containment) {
                open.remove(&(relationship.first(), relationship.second()));
                open.remove(&(relationship.second(), relationship.first()));
            }
        }
        for (first, second) in found {
            if open.remove(&(first, second)) {
                open.remove(&(second, first));
                relationships.push(Relationship::new(first, second, Cause::Autorequire));
            }
        }
        Graph { catalog, relationships, missing }
    }

    /// The catalog the graph was made from.
    pub fn catalog(&self) -> &'c Catalog {
        self.catalog
    }

    /// All relationships.
    pub fn relationships(&self) -> &[Relationship] {
        &self.relationships
    }

    /// A shortest cycle, if there is any. Who compiled the catalog knows the lines of its sources.
    pub fn cycle(&self, line_at: &dyn Fn(Span) -> Option<Line>) -> Option<Cycle> {
        cycle::shortest(self, line_at)
    }

    /// The graph in the language of Graphviz.
    pub fn to_dot(&self) -> String {
        dot::write(self)
    }

    fn reference(&self, position: usize) -> Option<&'c Reference> {
        self.catalog.at(position).map(|resource| &resource.reference)
    }
}

/// The references in the value of a metaparameter.
pub fn references(value: &Value) -> Vec<Reference> {
    deep(|| match value {
        Value::String(text) => Reference::parse(text).into_iter().collect(),
        Value::Array(elements) => elements.iter().flat_map(references).collect(),
        Value::Type(Type::Resource(resource)) => {
            let parts = resource.type_name.as_ref().zip(resource.title.as_ref());
            parts.map(|(type_name, title)| Reference::new(type_name, title)).into_iter().collect()
        }
        Value::Type(Type::Class(class)) => class.class_name.iter().map(|name| Reference::new("class", name)).collect(),
        _ => Vec::new(),
    })
}
