//! Declaring classes: `include` and its kin, and `class { … }`. A class is evaluated once, where it is first declared.

use ecow::{EcoString, eco_format};

use bunraku_catalog::graph::{Cause, Relation};
use bunraku_catalog::{Kind, Reference};
use bunraku_pcore::data_types::{ResourceType, capitalize_segments};
use bunraku_pcore::{Type, Value};
use bunraku_syntax::ast::ResourceForm;
use bunraku_syntax::{About, Issue};

use super::body::{BodyId, canonical};
use super::declare::{Declared, flatten};
use super::issues as build_issues;
use super::location::at_line;
use super::relationship::RelationPlace;
use super::resource::{Definition, Resource, ResourceId};
use crate::compilation::Compilation;
use crate::frame::Frame;
use crate::issues;
use crate::scope::ScopeId;
use crate::unwind::Outcome;

impl Frame<'_, '_> {
    /// Declares and evaluates classes; gives references to them.
    pub fn include(&mut self, names: &[Value]) -> Outcome<Vec<Value>> {
        let names = class_names(names)?;
        self.evaluate_classes(&names)?;
        Ok(references(&names))
    }

    /// Includes classes so that the surrounding resource contains them.
    pub fn contain(&mut self, names: &[Value]) -> Outcome<Vec<Value>> {
        let names = class_names(names)?;
        let classes = self.evaluate_classes(&names)?;
        if let Some(container) = self.compilation.build.resource_at(self.scope) {
            for class in classes {
                let table = &mut self.compilation.build.table;
                if !table.get(class).containers.contains(&container) {
                    table.contain(container, class);
                    self.compilation.note_call(Cause::Containment, class, container);
                }
            }
        }
        Ok(references(&names))
    }

    /// Includes classes so that they come before the surrounding resource.
    pub fn require(&mut self, names: &[Value]) -> Outcome<Vec<Value>> {
        let names = class_names(names)?;
        let classes = self.evaluate_classes(&names)?;
        if let Some(id) = self.compilation.build.resource_at(self.scope) {
            for class in classes {
                self.compilation.note_call(Cause::Metaparameter(Relation::Require), id, class);
            }
            let resource = self.compilation.build.table.get_mut(id);
            let mut required = Vec::new();
            resource.get("require").cloned().into_iter().for_each(|value| flatten(value, &mut required));
            required.retain(|value| !value.is_undef());
            required.extend(names.iter().map(held_reference));
            resource.set("require", Value::from(required));
        }
        Ok(references(&names))
    }

    /// Declares all classes, then evaluates those that are new; gives all of them, known ones first.
    fn evaluate_classes(&mut self, names: &[EcoString]) -> Outcome<Vec<ResourceId>> {
        let (scope, layer) = (self.scope, self.layer);
        let compilation = &mut *self.compilation;
        let mut bodies = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            match compilation.find_class(name)? {
                Some(body) => bodies.push(body),
                None => return Err(compilation.unknown_class(name).with_about(About::Argument(index)).into()),
            }
        }
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for body in bodies {
            let class_scope = compilation.class_scope(&compilation.build.bodies.get(body).name);
            match class_scope.and_then(|scope| compilation.build.resource_at(scope)) {
                Some(id) => known.push(id),
                None => new.push(compilation.ensure_class(body, scope)?),
            }
        }
        if let Some((_, Some(span))) = compilation.calls.callers().next() {
            compilation.build.included.extend(new.iter().map(|id| (*id, span)));
        }
        for id in &new {
            compilation.evaluate_from(*id, scope, layer)?;
        }
        known.extend(new);
        Ok(known)
    }
}

impl<'e> Compilation<'e> {
    /// The function that is called says something about a class.
    fn note_call(&mut self, cause: Cause, says: ResourceId, about: ResourceId) {
        if let Some((_, Some(span))) = self.calls.callers().next() {
            self.build.places.push(RelationPlace { cause, span, says, about });
        }
    }

    /// The resource of a class, declared without parameters if it is not there yet.
    pub(super) fn ensure_class(&mut self, body: BodyId, scope: ScopeId) -> Outcome<ResourceId> {
        let mut new = Vec::new();
        let mut at = Some(body);
        while let Some(body) = at {
            let reference = Reference::new("Class", &self.build.bodies.get(body).name);
            if let Some(id) = self.build.table.exact(&reference) {
                if new.is_empty() {
                    return Ok(id);
                }
                break;
            }
            if new.iter().any(|(other, _)| *other == body) {
                let body = self.build.bodies.get(body);
                let issue = build_issues::circular_inheritance(&body.name);
                return Err(body.span.map_or_else(|| issue.clone().into(), |span| at_line(issue.clone(), span)));
            }
            at = self.parent_of(body)?;
            new.push((body, reference));
        }
        // A parent is in the catalog before its children.
        let mut id = None;
        for (body, reference) in new.into_iter().rev() {
            let mut resource = Resource::new(reference, Definition::Body(body), scope, body);
            resource.add_own_tags();
            self.build.tags.merge(&resource.tags);
            id = Some(self.add_resource(scope, resource)?);
        }
        id.ok_or_else(|| issues::runtime("a class was lost").into())
    }

    /// The body that a class inherits from.
    pub(super) fn parent_of(&mut self, body: BodyId) -> Outcome<Option<BodyId>> {
        let known = self.build.bodies.get(body);
        let (Some(parent), span) = (known.parent, known.span) else { return Ok(None) };
        if known.parent_id.is_some() {
            return Ok(known.parent_id);
        }
        let Some(found) = self.find_class(parent)? else {
            let name = parent.strip_prefix("::").unwrap_or(parent);
            let issue = build_issues::unknown_parent(eco_format!("::{name}"), &self.environment.name);
            return Err(span.map_or_else(|| issue.clone().into(), |span| at_line(issue.clone(), span)));
        };
        if self.build.bodies.get(found).name == "settings" {
            self.fill_settings_scope();
        }
        self.build.bodies.get_mut(body).parent_id = Some(found);
        Ok(Some(found))
    }

    /// Declares and evaluates a class with parameters.
    pub(super) fn declare_class(
        &mut self,
        declared: Declared,
        frame_layer: Option<crate::scope::LayerId>,
    ) -> Outcome<Value> {
        let Some(body) = self.find_class(&declared.text)? else {
            return Err(self.unknown_declared_class(&declared.text, declared.place.span).into());
        };
        let scope = declared.scope;
        let id = self.add_class_resource(body, declared)?;
        self.evaluate_from(id, scope, frame_layer)?;
        // Compatibility: unlike what `include` gives, this is a reference to a resource.
        let title = capitalize_segments(&self.build.bodies.get(body).name);
        Ok(Value::Type(Type::resource("Class", Some(title))))
    }

    /// Puts a class with parameters into the catalog; it must be new.
    pub(super) fn add_class_resource(&mut self, body: BodyId, declared: Declared) -> Outcome<ResourceId> {
        let (scope, form) = (declared.scope, declared.form);
        let reference = Reference::new("Class", &self.build.bodies.get(body).name);
        let mut resource = self.new_resource(reference, Definition::Body(body), declared)?;
        resource.kind = Kind::Class;
        if let Some(parent) = self.parent_of(body)? {
            self.ensure_class(parent, scope)?;
        }
        self.build.tags.merge(&resource.tags);
        debug_assert!(form == ResourceForm::Regular, "validation refuses virtual classes");
        self.add_resource(scope, resource)
    }
}

/// Names and references as names in lower case with a leading `::`, as messages show them.
fn class_names(names: &[Value]) -> Outcome<Vec<EcoString>> {
    let mut flat = Vec::new();
    names.iter().for_each(|name| flatten(name.clone(), &mut flat));
    Ok(flat.iter().map(class_name).collect::<Result<Vec<_>, Issue>>()?)
}

fn class_name(value: &Value) -> Result<EcoString, Issue> {
    let name = match value {
        Value::Undef => return Err(issues::runtime("Cannot use undef as a class name")),
        Value::String(name) if name.is_empty() => {
            return Err(issues::runtime("Cannot use empty string as a class name"));
        }
        Value::String(name) => name,
        Value::Type(Type::Class(class)) => match &class.class_name {
            Some(name) => name,
            None => return Err(issues::runtime("Cannot use an unspecific Class[] Type")),
        },
        Value::Type(Type::Resource(resource)) => return class_of_resource(resource),
        other => {
            let label = crate::label::a_an(&crate::label::value(other));
            return Err(issues::runtime(eco_format!("Cannot use {label} as a class name")));
        }
    };
    Ok(absolute(name))
}

fn class_of_resource(resource: &bunraku_pcore::data_types::ResourceType) -> Result<EcoString, Issue> {
    let expected = "where a Resource['class', name] is expected";
    match (&resource.type_name, &resource.title) {
        (None, _) => Err(issues::runtime(eco_format!("Cannot use an unspecific Resource[] {expected}"))),
        (Some(name), _) if !name.eq_ignore_ascii_case("class") => {
            Err(issues::runtime(eco_format!("Cannot use a Resource[{name}] {expected}")))
        }
        (Some(_), None) => Err(issues::runtime(eco_format!("Cannot use an unspecific Resource['class'] {expected}"))),
        (Some(_), Some(title)) => Ok(absolute(title)),
    }
}

fn absolute(name: &str) -> EcoString {
    if name.starts_with(':') { name.to_lowercase().into() } else { eco_format!("::{}", name.to_lowercase()) }
}

/// A reference to a class as resources hold it.
fn held_reference(name: &EcoString) -> Value {
    Value::Type(ResourceType::held("Class", capitalize_segments(&canonical(name)), "name").into())
}

fn references(names: &[EcoString]) -> Vec<Value> {
    names.iter().map(|name| Value::Type(Type::class(canonical(name)))).collect()
}
