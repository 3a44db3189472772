//! `a -> b`: relationships, recorded where they are written and made parameters when everything is evaluated.

use std::num::NonZeroU32;
use std::sync::Arc;

use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;

use bunraku_catalog::Reference;
use bunraku_catalog::graph::{Cause, Relation};
use bunraku_pcore::{Type, Value};
use bunraku_syntax::Span;
use bunraku_syntax::ast::{self, Expr, ExprKind, RelationshipOperator};

use super::attribute::{cannot_split, no_title};
use super::body::canonical;
use super::collect::{self, CollectorId};
use super::declare::flatten;
use super::issues as build_issues;
use super::location::evaluation_error;
use super::resource::ResourceId;
use crate::compilation::Compilation;
use crate::eval::{eval, without_parentheses};
use crate::frame::{Frame, error_at};
use crate::label;
use crate::unwind::{Outcome, Unwind};

/// One side of a relationship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A resource or class.
    Reference(Reference, Type),
    /// Whatever the collector collects.
    Collector(CollectorId),
}

/// That one thing comes before another.
#[derive(Debug)]
pub(super) struct Relationship {
    source: Operand,
    target: Operand,
    relation: Relation,
    /// The arrow.
    span: Span,
}

/// Where it is written that a resource comes before another, or contains it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelationPlace {
    pub(super) cause: Cause,
    pub(super) span: Span,
    /// Whose metaparameter says it, or the content of a container.
    pub(super) says: ResourceId,
    pub(super) about: ResourceId,
}

/// One end of a relationship, once everything is collected.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    /// A resource that a collector has collected.
    Collected(ResourceId),
    /// What is written; in some cases messages show it as a data type.
    Written(Reference, Option<Type>),
}

/// Records relationships; gives the right side.
pub(super) fn evaluate(expr: &Expr, relationship: &ast::Relationship, frame: &mut Frame<'_, '_>) -> Outcome {
    let result = relate(expr, relationship, frame)?;
    Ok(Value::array(result.into_iter().filter_map(|operand| match operand {
        Operand::Reference(_, data_type) => Some(Value::Type(data_type)),
        Operand::Collector(_) => None,
    })))
}

fn relate(expr: &Expr, relationship: &ast::Relationship, frame: &mut Frame<'_, '_>) -> Outcome<Vec<Operand>> {
    let left = side(&relationship.left, frame)?;
    let right = side(&relationship.right, frame)?;
    // Both sides are checked before either is resolved.
    let left = catalog_types(left, expr, frame)?;
    let right = catalog_types(right, expr, frame)?;
    let left = operands(left, frame)?;
    let right = operands(right, frame)?;
    let (sources, targets, relation) = match relationship.operator {
        RelationshipOperator::Before => (&left, &right, Relation::Before),
        RelationshipOperator::After => (&right, &left, Relation::Before),
        RelationshipOperator::Notify => (&left, &right, Relation::Notify),
        RelationshipOperator::Subscribe => (&right, &left, Relation::Notify),
    };
    let build = &mut frame.compilation.build;
    for source in sources {
        let related = |target: &Operand| Relationship {
            source: source.clone(),
            target: target.clone(),
            relation,
            span: expr.reported(),
        };
        build.relationships.extend(targets.iter().map(related));
    }
    match right.as_slice() {
        [] => return Ok(left),
        [Operand::Collector(id)] => {
            if let Some(collector) = build.collector_mut(*id) {
                collector.alternative = Some(left);
            }
        }
        _ => {}
    }
    Ok(right)
}

/// A side as it is evaluated first: a value, or what has no value in the language.
enum Side {
    Value(Value),
    Operands(Vec<Operand>),
}

fn side(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<Side> {
    let inner = without_parentheses(expr);
    match &inner.kind {
        ExprKind::Relationship(relationship) => {
            let operands = crate::eval::located(relate(inner, relationship, frame), inner)?;
            Ok(Side::Operands(operands))
        }
        ExprKind::Collector(collector) => {
            let id = crate::eval::located(collect::evaluate(inner, collector, frame), inner)?;
            Ok(Side::Operands(vec![Operand::Collector(id)]))
        }
        _ => eval(expr, frame).map(Side::Value),
    }
}

/// A side with its values checked: types that stand for entries of the catalog.
enum CheckedSide {
    Types(Vec<Type>),
    Operands(Vec<Operand>),
}

fn catalog_types(side: Side, expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<CheckedSide> {
    let value = match side {
        Side::Operands(operands) => return Ok(CheckedSide::Operands(operands)),
        Side::Value(value) => value,
    };
    let mut values = Vec::new();
    flatten(value, &mut values);
    let types = values.into_iter().map(|value| catalog_type(value, expr, frame));
    Ok(CheckedSide::Types(types.collect::<Outcome<_>>()?))
}

fn catalog_type(value: Value, expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<Type> {
    let data_type = match value {
        Value::Type(data_type) => data_type,
        Value::String(text) => frame.compilation.parse_type(&text)?,
        other => {
            let label = label::a_an(&label::value(&other));
            return evaluation_error(build_issues::illegal_relationship_operand(label), expr.reported());
        }
    };
    match is_catalog_type(&data_type) {
        true => Ok(data_type),
        false => evaluation_error(build_issues::not_catalog_type(&data_type), expr.reported()),
    }
}

fn operands(side: CheckedSide, frame: &mut Frame<'_, '_>) -> Outcome<Vec<Operand>> {
    let types = match side {
        CheckedSide::Operands(operands) => return Ok(operands),
        CheckedSide::Types(types) => types,
    };
    let mut operands: Vec<Operand> = Vec::with_capacity(types.len());
    for data_type in types {
        let operand = operand(data_type, frame)?;
        if !operands.contains(&operand) {
            operands.push(operand);
        }
    }
    Ok(operands)
}

fn operand(data_type: Type, frame: &mut Frame<'_, '_>) -> Outcome<Operand> {
    let entry = match &data_type {
        Type::Type(of) => of.contained.as_ref().unwrap_or(&data_type),
        other => other,
    };
    let reference = match entry {
        Type::Resource(resource) => frame.compilation.reference_of(resource)?,
        Type::Class(class) => match &class.class_name {
            Some(name) => Reference::new("Class", &canonical(name)),
            None => return Err(no_title("class").into()),
        },
        _ => return Err(cannot_split(&data_type).into()),
    };
    Ok(Operand::Reference(reference, data_type))
}

/// Whether a type stands for entries of the catalog, or is the type of such a type.
fn is_catalog_type(data_type: &Type) -> bool {
    let is_entry = |data_type: &Type| Type::CatalogEntry.is_assignable(data_type);
    match data_type.resolved() {
        Type::Type(of) => of.contained.as_ref().is_some_and(is_entry),
        other => is_entry(other),
    }
}

impl Compilation<'_> {
    /// Turns the recorded relationships into parameters of their sources.
    pub(super) fn evaluate_relationships(&mut self) -> Outcome<()> {
        let relationships = std::mem::take(&mut self.build.relationships);
        let shared = self.shared_lists(&relationships);
        for relationship in &relationships {
            let targets = self.collected(&relationship.target);
            let mut made = None;
            let sources = self.leftmost(std::slice::from_ref(&relationship.source));
            let count = sources.len().saturating_mul(targets.len());
            self.clock.hold(count.saturating_mul(size_of::<RelationPlace>()) as u64);
            self.clock.check_held().map_err(|issue| error_at(issue, relationship.span))?;
            self.build.places.reserve(count);
            for source in sources {
                for target in &targets {
                    let (id, target_id) = self.found(&source, target)?;
                    let cause = Cause::Metaparameter(relationship.relation);
                    self.build.places.push(RelationPlace {
                        cause,
                        span: relationship.span,
                        says: id,
                        about: target_id,
                    });
                    // Many sources often have one target: what they get is made once.
                    let list = match made.take() {
                        Some((of, list)) if of == target => list,
                        _ => Value::array([Value::String(self.reference_at(target).to_text())]),
                    };
                    self.add_relationship(id, &list, relationship.relation.name(), &shared);
                    made = Some((target, list));
                }
            }
        }
        Ok(())
    }

    /// What an operand on the right stands for.
    fn collected(&self, operand: &Operand) -> Vec<End> {
        match operand {
            Operand::Reference(reference, _) => vec![End::Written(reference.clone(), None)],
            Operand::Collector(id) => self.collected_by(*id),
        }
    }

    fn collected_by(&self, id: CollectorId) -> Vec<End> {
        let collected = self.build.collector(id).map_or(&[][..], |collector| collector.collected.ids());
        collected.iter().copied().map(End::Collected).collect()
    }

    /// What operands on the left stand for: a collector without results stands for what is left of it.
    fn leftmost(&self, operands: &[Operand]) -> Vec<End> {
        let mut operands = operands;
        let mut is_alternative = false;
        while let [Operand::Collector(id)] = operands {
            let collected = self.collected_by(*id);
            let alternative = self.build.collector(*id).and_then(|collector| collector.alternative.as_deref());
            match (collected.is_empty(), alternative) {
                (true, Some(alternative)) => (operands, is_alternative) = (alternative, true),
                _ => return collected,
            }
        }
        let of_operand = |operand: &Operand| match operand {
            Operand::Reference(reference, data_type) if is_alternative => {
                vec![End::Written(reference.clone(), Some(data_type.clone()))]
            }
            other => self.collected(other),
        };
        operands.iter().flat_map(of_operand).collect()
    }

    fn reference_at<'a>(&'a self, end: &'a End) -> &'a Reference {
        match end {
            End::Collected(id) => &self.build.table.get(*id).reference,
            End::Written(reference, _) => reference,
        }
    }

    /// Both ends of a relationship, which must be there.
    fn found(&self, source: &End, target: &End) -> Outcome<(ResourceId, ResourceId)> {
        let failed = |message: &str| Unwind::from(build_issues::described(message).nowhere());
        let shown = || match source {
            End::Written(_, Some(data_type)) => eco_format!("{data_type}"),
            _ => eco_format!("{}", self.reference_at(source)),
        };
        let shown_target = || self.reference_at(target);
        let find = |end: &End, message: &dyn Fn() -> EcoString| match (end, self.reference_at(end)) {
            (_, reference) if reference.title.is_empty() => {
                Err(failed(no_title(&eco_format!("{reference}")).message()))
            }
            (End::Collected(id), _) => Ok(*id),
            (End::Written(..), reference) => self.build.table.find(reference).ok_or_else(|| failed(&message())),
        };
        let id = find(source, &|| {
            eco_format!("Could not find resource '{}' for relationship on '{}'", shown(), shown_target())
        })?;
        let target_id = find(target, &|| {
            eco_format!("Could not find resource '{}' for relationship from '{}'", shown_target(), shown())
        })?;
        Ok((id, target_id))
    }

    /// Adds a target, which is given as a list of one.
    fn add_relationship(
        &mut self,
        id: ResourceId,
        target: &Value,
        parameter: &'static str,
        shared: &FxHashMap<NonZeroU32, Vec<ResourceId>>,
    ) {
        // Compatibility: a list that one attribute set for several resources is one list, and all of them get the target.
        let list_of = |compilation: &Self, id: ResourceId| {
            compilation.build.table.get(id).parameters.get(parameter).and_then(|parameter| parameter.list)
        };
        let list = if shared.is_empty() { None } else { list_of(self, id) };
        match list.and_then(|list| Some((list, shared.get(&list)?))) {
            Some((list, sharing)) => {
                for id in sharing {
                    if list_of(self, *id) == Some(list) {
                        self.append(*id, parameter, target);
                    }
                }
            }
            None => self.append(id, parameter, target),
        }
    }

    fn append(&mut self, id: ResourceId, name: &'static str, target: &Value) {
        let resource = self.build.table.get_mut(id);
        let targets = if let Value::Array(targets) = target { targets.as_slice() } else { &[] };
        match resource.parameters.get_mut(name).map(|parameter| &mut parameter.value) {
            Some(Value::Array(elements)) => Arc::make_mut(elements).extend_from_slice(targets),
            Some(Value::Undef) | None => resource.set(name, target.clone()),
            Some(one) => *one = Value::array(std::iter::once(one.clone()).chain(targets.iter().cloned())),
        }
    }

    /// The resources that share a list, by list. Only needed where relationships append to lists.
    fn shared_lists(&self, relationships: &[Relationship]) -> FxHashMap<NonZeroU32, Vec<ResourceId>> {
        let mut shared: FxHashMap<NonZeroU32, Vec<ResourceId>> = FxHashMap::default();
        if self.build.lists == 0 || relationships.is_empty() {
            return shared;
        }
        for id in self.build.table.ids() {
            for name in ["before", "notify"] {
                if let Some(list) = self.build.table.get(id).parameters.get(name).and_then(|parameter| parameter.list) {
                    shared.entry(list).or_default().push(id);
                }
            }
        }
        shared
    }
}
