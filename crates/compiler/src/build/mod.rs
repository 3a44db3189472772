//! The catalog in the making: one file for each kind of thing it is built of.
//!
//! Resources live in an arena and are named by ids. What a *body* is (main, class, defined type, node) is in `body.rs`,
//! how one is evaluated in `evaluate.rs`; what happens when everything is evaluated is in `finish.rs` and `convert.rs`.

mod access;
mod add;
mod attribute;
mod body;
mod byte_text;
mod class;
mod collect;
mod convert;
mod declare;
mod default;
mod deferred;
mod evaluate;
mod finish;
mod generate;
mod issues;
mod location;
mod node;
mod overriding;
mod parameter;
mod plain_data;
mod query;
mod relationship;
mod resolve;
mod resource;
mod stage;
mod table;
mod tag;
mod top;
mod type_name;
mod unknown;
mod wrong_parameter;

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use bunraku_catalog::{Reference, Tags};
use bunraku_pcore::Value;
use bunraku_pcore::data_types::ResourceType;
use bunraku_syntax::ast::{Expr, ExprKind};

use crate::compilation::Compilation;
use crate::frame::Frame;
use crate::scope::{LayerId, ScopeId};
use crate::unwind::Outcome;

pub(crate) use access::parameters_of;
pub use declare::Declaration;
pub(crate) use location::illegal_jump;
pub use resource::ResourceId;

use body::{Bodies, BodyId, BodyKind};
use byte_text::ByteTexts;
use collect::Collector;
use default::Defaults;
use overriding::Override;
use relationship::{RelationPlace, Relationship};
use resource::Definition;
use table::Table;

/// Everything of the catalog in the making.
#[derive(Debug, Default)]
pub struct Build<'e> {
    table: Table<'e>,
    bodies: Bodies<'e>,
    /// The resource types that were found, by the name they were asked for, with their name in references.
    resource_types: FxHashMap<EcoString, (Definition<'e>, EcoString)>,
    owners: Vec<Owner>,
    class_scopes: FxHashMap<EcoString, ScopeId>,
    node_scope: Option<ScopeId>,
    defaults: Defaults,
    collectors: Vec<Collector>,
    /// The nodes whose exported resources were collected, by resource.
    imported: FxHashMap<ResourceId, EcoString>,
    relationships: Vec<Relationship>,
    /// Where relationships are written that no attribute sets.
    places: Vec<RelationPlace>,
    /// Where classes are included that are not declared like a resource.
    included: FxHashMap<ResourceId, bunraku_syntax::Span>,
    overrides: IndexMap<Reference, Vec<Override>, FxBuildHasher>,
    pending: Vec<ResourceId>,
    classes: Vec<EcoString>,
    tags: Tags,
    lists: u32,
    /// Whether a resource that was in the catalog already was given an alias.
    has_late_aliases: bool,
    byte_texts: ByteTexts,
    /// What the regular expression of the node definition matched, while its body is evaluated.
    match_layer: Option<LayerId>,
}

/// To whom a scope belongs.
#[derive(Clone, Copy, Debug)]
struct Owner {
    resource: Option<ResourceId>,
    body: BodyId,
}

impl Build<'_> {
    /// Does something with the value of every parameter of every resource.
    pub(crate) fn each_value(&mut self, work: &mut dyn FnMut(&mut Value)) {
        self.table.each_value(work);
    }

    /// The resource whose body a scope is, as logs show it.
    pub fn resource_of(&self, scope: ScopeId) -> Option<&Reference> {
        self.resource_at(scope).map(|id| &self.table.get(id).reference)
    }

    /// What has the code that a scope evaluates: its kind as Ruby code of the reference calls it, its name and its module.
    pub fn source_of(&self, scope: ScopeId) -> (&'static str, &EcoString, &str) {
        let body = self.bodies.get(self.body_at(scope));
        let kind = match body.kind {
            BodyKind::Main | BodyKind::Class => "hostclass",
            BodyKind::DefinedType => "definition",
            BodyKind::Node => "node",
        };
        (kind, &body.name, body.module.unwrap_or_default())
    }

    /// The names of the classes that are in the catalog, in the order of their evaluation.
    pub fn classes(&self) -> &[EcoString] {
        &self.classes
    }

    /// The resources that are in the catalog so far, in the order in which they were added.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.table.ids().map(|id| &self.table.get(id).reference)
    }

    /// A text that is bytes for the reference: in the catalog it becomes a `Binary`.
    pub fn byte_text(&mut self, text: &str) -> Value {
        self.byte_texts.add(text)
    }

    /// What foreign code made of values, in which texts that are bytes are still such.
    pub fn carry_bytes_over(&self, given: &[Value], value: Value) -> Value {
        self.byte_texts.carried_over(given, value)
    }

    /// The tags of the catalog.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    fn resource_at(&self, scope: ScopeId) -> Option<ResourceId> {
        self.owners.get(scope.0 as usize)?.resource
    }

    /// The body whose code a scope evaluates; everything outside of others belongs to main.
    fn body_at(&self, scope: ScopeId) -> BodyId {
        self.owners.get(scope.0 as usize).map_or(body::MAIN, |owner| owner.body)
    }
}

impl Compilation<'_> {
    /// The scope of a class that has been evaluated.
    pub(crate) fn class_scope(&self, name: &str) -> Option<ScopeId> {
        self.build.class_scopes.get(name).copied()
    }

    /// Whether a manifest defines the class.
    pub fn is_class(&mut self, name: &str) -> Outcome<bool> {
        Ok(self.find_class(name)?.is_some())
    }

    /// Whether the catalog has the resource.
    pub fn is_declared(&mut self, type_name: &str, title: &str) -> Outcome<bool> {
        let resource = ResourceType::new(Some(type_name.into()), Some(title.into()));
        let reference = self.reference_of(&resource)?;
        Ok(self.build.table.find(&reference).is_some())
    }

    /// Whether the catalog has the class.
    pub fn is_class_declared(&self, name: &str) -> bool {
        self.build.table.find(&Reference::new("Class", name)).is_some()
    }
}

/// Evaluates the expressions that make, change and relate resources.
pub(crate) fn evaluate(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    match &expr.kind {
        ExprKind::Resource(resource) => declare::evaluate(expr, resource, frame),
        ExprKind::ResourceDefaults(defaults) => default::evaluate(defaults, frame),
        ExprKind::ResourceOverride(overriding) => overriding::evaluate(expr, overriding, frame),
        ExprKind::Collector(collector) => collect::evaluate(expr, collector, frame).map(|_| Value::Undef),
        ExprKind::Relationship(relationship) => relationship::evaluate(expr, relationship, frame),
        _ => Ok(Value::Undef),
    }
}
