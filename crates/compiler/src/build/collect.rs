//! Collectors and `realize`: they make virtual resources real, and may override what they collect.

use ecow::{EcoString, eco_format};

use bunraku_catalog::{Kind, Reference, tag};
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;
use bunraku_syntax::ast::{self, Expr, ExprKind};

use super::attribute::{self, Evaluated};
use super::convert::reference_text;
use super::declare::flatten;
use super::issues as build_issues;
use super::overriding::Override;
use super::query::Query;
use super::relationship::Operand;
use super::resource::{Definition, Parameter, Place, Resource, ResourceId, add_tags};
use crate::compilation::Compilation;
use crate::exported::Exported;
use crate::frame::Frame;
use crate::issues;
use crate::scope::ScopeId;
use crate::unwind::Outcome;

/// A collector of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CollectorId(u32);

/// What waits for resources to collect.
#[derive(Debug)]
pub(super) struct Collector {
    what: What,
    overriding: Option<Overriding>,
    pub(super) collected: Collected,
    /// What stands to its left in a chain, for the case that it collects nothing.
    pub(super) alternative: Option<Vec<Operand>>,
}

/// Resources in the order in which they were collected.
#[derive(Debug, Default)]
pub(super) struct Collected {
    ids: Vec<ResourceId>,
    /// Whether each of the resources of the compilation is among them, as far as has been collected.
    is_there: Vec<bool>,
}

impl Collected {
    pub(super) fn ids(&self) -> &[ResourceId] {
        &self.ids
    }

    fn contains(&self, id: ResourceId) -> bool {
        self.is_there.get(id.0 as usize).is_some_and(|is_there| *is_there)
    }

    fn extend(&mut self, ids: Vec<ResourceId>) {
        self.ids.reserve_exact(ids.len());
        for id in ids {
            let index = id.0 as usize;
            if self.is_there.len() <= index {
                self.is_there.resize(index + 1, false);
            }
            if let Some(is_there) = self.is_there.get_mut(index)
                && !std::mem::replace(is_there, true)
            {
                self.ids.push(id);
            }
        }
    }
}

#[derive(Debug)]
enum What {
    /// `Type<| query |>`
    Matching { type_name: EcoString, query: Option<Query> },
    /// `Type<<| query |>>`, which collects nothing without a store of exported resources.
    Exported { type_name: EcoString, query: Option<Query>, scope: ScopeId },
    /// `realize(references)`: those not found yet.
    References(Vec<EcoString>),
}

/// What a collector sets on the resources it collects.
#[derive(Debug)]
struct Overriding {
    parameters: Evaluated,
    scope: ScopeId,
    place: Place,
}

/// Registers a collector.
pub(super) fn evaluate(expr: &Expr, collector: &ast::Collector, frame: &mut Frame<'_, '_>) -> Outcome<CollectorId> {
    if collector.query.exported && frame.compilation.exported.is_none() {
        frame.warn(build_issues::no_storeconfigs(), expr.reported());
    }
    let ExprKind::TypeName(name) = &collector.type_name.kind else {
        return Err(issues::runtime("LHS is not a type").into());
    };
    let name = name.to_lowercase();
    if name == "class" {
        return Err(issues::runtime("Classes cannot be collected").into());
    }
    let type_name = match frame.compilation.find_named_type(&name)? {
        Some((_, type_name)) => type_name,
        None => return Err(issues::runtime(eco_format!("Resource type {name} doesn't exist")).into()),
    };
    let overriding = match collector.operations.is_empty() {
        true => None,
        false => {
            let parameters = attribute::evaluate(&collector.operations, frame)?;
            Some(Overriding { parameters, scope: frame.scope, place: Place::of(expr.reported()) })
        }
    };
    let query = collector.query.condition.as_ref().map(|condition| Query::evaluate(condition, frame)).transpose()?;
    let what = match collector.query.exported {
        true => What::Exported { type_name, query, scope: frame.scope },
        false => What::Matching { type_name, query },
    };
    Ok(frame.compilation.build.add_collector(what, overriding))
}

impl Frame<'_, '_> {
    /// Makes virtual resources real, now or as soon as they are there.
    pub fn realize(&mut self, references: &[Value]) {
        let mut flat = Vec::new();
        references.iter().for_each(|value| flatten(value.clone(), &mut flat));
        let references =
            flat.iter().map(|value| reference_text(value).unwrap_or_else(|| EcoString::from(inspect::to_s(value))));
        let what = What::References(references.collect());
        self.compilation.build.add_collector(what, None);
    }
}

impl super::Build<'_> {
    fn add_collector(&mut self, what: What, overriding: Option<Overriding>) -> CollectorId {
        let id = CollectorId(u32::try_from(self.collectors.len()).unwrap_or(u32::MAX));
        self.collectors.push(Collector { what, overriding, collected: Collected::default(), alternative: None });
        id
    }

    pub(super) fn collector(&self, id: CollectorId) -> Option<&Collector> {
        self.collectors.get(id.0 as usize)
    }

    pub(super) fn collector_mut(&mut self, id: CollectorId) -> Option<&mut Collector> {
        self.collectors.get_mut(id.0 as usize)
    }
}

impl Compilation<'_> {
    /// Lets every collector that is registered now collect; says whether any found something new.
    pub(super) fn evaluate_collectors(&mut self) -> Outcome<bool> {
        let mut has_collected = false;
        for index in 0..self.build.collectors.len() {
            has_collected |= self.evaluate_collector(index)?;
        }
        Ok(has_collected)
    }

    fn evaluate_collector(&mut self, index: usize) -> Outcome<bool> {
        let found = self.collect(index)?;
        if found.is_empty() {
            return Ok(false);
        }
        for id in &found {
            self.build.table.get_mut(*id).is_virtual = false;
        }
        if self.build.collectors.get(index).is_some_and(|collector| collector.overriding.is_some()) {
            self.override_collected(index, &found)?;
        }
        if let Some(collector) = self.build.collectors.get_mut(index) {
            collector.collected.extend(found);
        }
        Ok(true)
    }

    /// The resources that a collector has not collected yet.
    fn collect(&mut self, index: usize) -> Outcome<Vec<ResourceId>> {
        let build = &self.build;
        let Some(collector) = build.collectors.get(index) else { return Ok(Vec::new()) };
        match &collector.what {
            What::Exported { .. } => self.collect_exported(index),
            What::Matching { type_name, query } => {
                let all = build.table.of_type(type_name).iter().copied();
                let is_new = |id: &ResourceId| !collector.collected.contains(*id);
                let is_meant = |id: ResourceId| query.as_ref().map_or(Ok(true), |query| query.matches(id, build));
                let mut found = Vec::new();
                for id in all.filter(is_new) {
                    if is_meant(id)? {
                        found.push(id);
                    }
                }
                Ok(found)
            }
            What::References(references) => {
                let (mut found, mut missing) = (Vec::new(), Vec::new());
                for text in references {
                    let reference = parse_reference(text).map_err(|issue| build_failure(&issue).nowhere())?;
                    check_tag_of_type(text)?;
                    match build.table.find(&reference) {
                        Some(id) => found.push(id),
                        None => missing.push(text.clone()),
                    }
                }
                found.retain(|id| !collector.collected.contains(*id));
                if let Some(collector) = self.build.collectors.get_mut(index) {
                    collector.what = What::References(missing);
                }
                Ok(found)
            }
        }
    }

    /// What this node exports itself, then what others do; those are added to the catalog.
    fn collect_exported(&mut self, index: usize) -> Outcome<Vec<ResourceId>> {
        let (Some(exported), Some(collector)) = (self.exported, self.build.collectors.get(index)) else {
            return Ok(Vec::new());
        };
        let What::Exported { type_name, query, scope } = &collector.what else { return Ok(Vec::new()) };
        let (build, scope) = (&self.build, *scope);
        let mut found = Vec::new();
        for id in build.table.of_type(type_name).iter().copied() {
            if build.table.get(id).is_exported
                && !collector.collected.contains(id)
                && query.as_ref().map_or(Ok(true), |query| query.matches(id, build))?
            {
                found.push(id);
            }
        }
        let mut others: Vec<&'_ Exported> = Vec::new();
        for exported in exported.of_type(type_name, &self.node.name) {
            if query.as_ref().map_or(Ok(true), |query| query.matches_exported(&exported.resource))? {
                others.push(exported);
            }
        }
        for exported in others {
            let reference = &exported.resource.reference;
            match self.build.table.find(reference) {
                Some(id) if self.build.imported.get(&id) == Some(&exported.node) => {}
                Some(_) => return Err(build_issues::duplicate_exported(reference).into()),
                None => found.push(self.import(exported, scope)?),
            }
        }
        let Some(collector) = self.build.collectors.get(index) else { return Ok(found) };
        found.retain(|id| !collector.collected.contains(*id));
        Ok(found)
    }

    /// Adds a resource that another node exports, as if it were declared in a scope.
    fn import(&mut self, exported: &Exported, scope: ScopeId) -> Outcome<ResourceId> {
        let stored = &exported.resource;
        let Some(definition) = self.find_resource_type(&stored.reference.type_name.to_lowercase())? else {
            return Err(issues::runtime(eco_format!("Unknown resource type: '{}'", stored.reference.type_name)).into());
        };
        let source = self.build.body_at(scope);
        let mut resource = Resource::new(stored.reference.clone(), definition, scope, source);
        if matches!(definition, Definition::Body(_)) {
            resource.kind = Kind::DefinedType;
        }
        for (name, value) in &stored.parameters {
            resource.parameters.insert(name.clone(), Parameter::new(value.clone(), source));
        }
        if !stored.sensitive_parameters.is_empty() {
            resource.add_sensitive_parameters(stored.sensitive_parameters.iter().cloned());
        }
        if let Some(tag) = stored.get("tag") {
            add_tags(&mut resource.tags, tag).map_err(build_issues::invalid_tag)?;
        }
        resource.add_own_tags();
        self.add_defaults(&mut resource)?;
        let id = self.add_resource(scope, resource)?;
        self.build.imported.insert(id, exported.node.clone());
        Ok(id)
    }

    /// A body whose collector overrides something may override everything from then on.
    fn override_collected(&mut self, index: usize, found: &[ResourceId]) -> Outcome<()> {
        let Some(overriding) = self.build.collectors.get_mut(index).and_then(|collector| collector.overriding.take())
        else {
            return Ok(());
        };
        let source = self.build.body_at(overriding.scope);
        self.build.bodies.get_mut(source).may_override_all = true;
        if let Some(first) = found.first() {
            let reference = &self.build.table.get(*first).reference;
            let mut parameters = overriding.parameters.clone();
            // Compatibility: the defaults of the collecting scope count as overrides too. A collector has one type.
            if let Some(defaults) = self.defaults_for(&reference.type_name, overriding.scope) {
                for (name, parameter) in defaults.iter() {
                    if !parameters.iter().any(|(own, _)| own == name) {
                        parameters.push((name.clone(), parameter.clone()));
                    }
                }
            }
            let overriding = Override { parameters, source, place: overriding.place };
            overriding.refuse_duplicates(reference)?;
            for id in found {
                self.apply_override(*id, overriding.clone())?;
            }
        }
        if let Some(collector) = self.build.collectors.get_mut(index) {
            collector.overriding = Some(overriding);
        }
        Ok(())
    }

    /// What `realize` asked for and nobody declared.
    pub(super) fn unrealized(&self) -> Vec<EcoString> {
        let missing = self.build.collectors.iter().filter_map(|collector| match &collector.what {
            What::References(references) => Some(references),
            _ => None,
        });
        missing.flatten().cloned().collect()
    }
}

/// Compatibility: the reference gives the name of its own class in this case.
fn build_failure(issue: &Issue) -> Issue {
    let message = eco_format!("Puppet::Parser::Compiler failed with error ArgumentError: {}", issue.message());
    build_issues::described(message)
}

/// Compatibility: a reference is tagged with the type as it is written, which must make a tag.
pub(super) fn check_tag_of_type(text: &str) -> Outcome<()> {
    let type_name = text.split_once('[').map_or(text, |(type_name, _)| type_name);
    // Most names are made of ASCII letters, which are as good in either case.
    if type_name.is_ascii() && tag::is_valid(type_name) {
        return Ok(());
    }
    let type_name = type_name.to_lowercase();
    match tag::is_valid(&type_name) {
        true => Ok(()),
        false => Err(build_issues::invalid_tag(type_name).nowhere().into()),
    }
}

/// Reads `Type[title]`.
pub(super) fn parse_reference(text: &str) -> Result<Reference, Issue> {
    let parts = text.split_once('[').and_then(|(type_name, rest)| Some((type_name, rest.strip_suffix(']')?)));
    match parts {
        Some((type_name, title)) if !type_name.is_empty() && !type_name.contains(']') && !title.is_empty() => {
            Ok(Reference::new(type_name, title))
        }
        _ => Err(attribute::no_title(text)),
    }
}
