//! Adding a resource to the catalog: it must be unique by its title, its aliases and the attributes that name it.

use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;

use bunraku_pcore::Value;
use bunraku_pcore::inspect::inspect;
use bunraku_syntax::Span;

use super::declare::flatten;
use super::issues as build_issues;
use super::resource::{Definition, Resource, ResourceId};
use crate::compilation::Compilation;
use crate::issues;
use crate::scope::ScopeId;
use crate::unwind::{MOST_STEPS, Outcome, Unwind};

impl<'e> Compilation<'e> {
    /// Adds a resource that was declared in a scope, whose resource contains it unless it is a class or a stage.
    pub(super) fn add_resource(&mut self, scope: ScopeId, resource: Resource<'e>) -> Outcome<ResourceId> {
        let (is_class, is_stage) = (resource.is_class(), resource.reference.type_name == "Stage");
        let is_pending = !resource.is_native();
        if !is_class && resource.get("stage").is_some() {
            let message = eco_format!(
                "Only classes can set 'stage'; normal resources like {} cannot change run stage",
                resource.reference
            );
            self.insert_resource(resource)?;
            return Err(issues::runtime(message).into());
        }
        let id = self.insert_resource(resource)?;
        self.build.table.list(id);
        if is_pending {
            self.build.pending.push(id);
        }
        if let Some(container) = self.build.resource_at(scope)
            && !is_class
            && !is_stage
        {
            self.build.table.contain(container, id);
        }
        Ok(id)
    }

    /// Puts a resource into the catalog with all its names.
    pub(super) fn insert_resource(&mut self, resource: Resource<'e>) -> Outcome<ResourceId> {
        if let Some(existing) = self.build.table.exact(&resource.reference) {
            return Err(self.duplicate(&resource, existing).into());
        }
        let aliases = aliases(&resource);
        let key = uniqueness_key(&resource)?;
        let values = resource.parameters.values().map(|parameter| parameter.value.extent().size).sum::<u64>();
        self.clock.hold(values.saturating_add(size_of::<Resource<'_>>() as u64));
        let id = self.build.table.insert(resource);
        for name in aliases {
            let shown = inspect(&name);
            self.add_alias(id, vec![name], &shown)?;
        }
        if let Some(key) = key {
            let shown = inspect(&Value::from(key.clone()));
            self.add_alias(id, key, &shown)?;
        }
        Ok(id)
    }

    fn add_alias(&mut self, id: ResourceId, key: Vec<Value>, shown: &str) -> Outcome<()> {
        let type_name = self.build.table.get(id).reference.type_name.clone();
        match self.build.table.alias(&type_name, &key) {
            Some(existing) if existing == id => Ok(()),
            Some(existing) => Err(issues::runtime(self.alias_conflict(id, existing, &key, shown)).into()),
            None => {
                self.build.table.add_alias(type_name, key, id);
                Ok(())
            }
        }
    }

    /// Aliases that resources were given after they had been added must be unique in the finished catalog. Nothing refers
    /// to a resource by such an alias.
    pub(crate) fn check_late_aliases(&self) -> Outcome<()> {
        if !self.build.has_late_aliases {
            return Ok(());
        }
        // By type and name, as messages show it: the text `1` is not the number.
        let mut names: FxHashMap<(&str, String), ResourceId> = FxHashMap::default();
        for id in self.build.table.ids() {
            let resource = self.build.table.get(id);
            if resource.is_left_out() {
                continue;
            }
            let type_name = resource.reference.type_name.as_str();
            let title = inspect(&Value::String(resource.reference.title.clone()));
            if let Some(existing) = names.insert((type_name, title), id) {
                return Err(no_code(self.duplicate(resource, existing).message()));
            }
            for name in aliases(resource) {
                let shown = inspect(&name);
                let holder = *names.entry((type_name, shown.clone())).or_insert(id);
                if holder != id {
                    return Err(no_code(&self.alias_conflict(id, holder, &[name], &shown)));
                }
            }
        }
        Ok(())
    }

    fn alias_conflict(&self, id: ResourceId, existing: ResourceId, key: &[Value], shown: &str) -> EcoString {
        let resource = self.build.table.get(id);
        let place = match self.place_text(resource.place) {
            place if place.is_empty() => place,
            place => eco_format!(" at {place}"),
        };
        let mut full = vec![Value::String(resource.reference.type_name.clone())];
        full.extend(key.iter().cloned());
        let existing = self.place_suffix(self.build.table.get(existing).place);
        let (reference, full) = (&resource.reference, inspect(&Value::from(full)));
        eco_format!("Cannot alias {reference} to {shown}{place}; resource {full} already declared{existing}")
    }

    fn duplicate(&self, resource: &Resource<'_>, existing: ResourceId) -> bunraku_syntax::Issue {
        let reference = &resource.reference;
        let at = match self.place_text(self.build.table.get(existing).place) {
            place if place.is_empty() => place,
            place => eco_format!(" at {place}"),
        };
        let here = self.place_suffix(resource.place);
        let issue = issues::runtime(eco_format!(
            "Duplicate declaration: {reference} is already declared{at}; cannot redeclare{here}"
        ))
        .with_headline(eco_format!("{reference} is declared twice"))
        .with_advice("the second declaration");
        let issue = match self.build.table.get(existing).place {
            Some(place) => issue.with_related("the first declaration", place.span),
            None => issue,
        };
        self.way_to(existing).into_iter().fold(issue, |issue, (what, span)| issue.with_related(what, span))
    }

    /// How a resource came to be declared: what is around it, from the inside out.
    fn way_to(&self, id: ResourceId) -> Vec<(EcoString, Span)> {
        let (mut way, mut at) = (Vec::new(), id);
        while let Some(container) = self.build.resource_at(self.build.table.get(at).scope)
            && container != at
            && way.len() < MOST_STEPS
        {
            let resource = self.build.table.get(container);
            let place = resource.place.map(|place| place.span).or(self.build.included.get(&container).copied());
            way.extend(place.map(|span| (eco_format!("… in {}, declared here", resource.reference), span)));
            at = container;
        }
        way
    }
}

/// An error of the finished catalog, which has no place and no code.
fn no_code(message: &str) -> Unwind {
    build_issues::described(message).nowhere().into()
}

/// The aliases that a resource was given, without its title.
fn aliases(resource: &Resource<'_>) -> Vec<Value> {
    let mut names = Vec::new();
    if let Some(given) = resource.get("alias") {
        flatten(given.clone(), &mut names);
    }
    let is_title = |name: &Value| matches!(name, Value::String(name) if *name == resource.reference.title);
    names.retain(|name| !name.is_undef() && !is_title(name));
    names
}

/// What names the resource besides its title; nothing if that is the title, or if names do not matter for the type.
fn uniqueness_key(resource: &Resource<'_>) -> Outcome<Option<Vec<Value>>> {
    let title = &resource.reference.title;
    let key = match resource.definition {
        Definition::Native(native) if !native.is_isomorphic => return Ok(None),
        Definition::Native(native) if native.is_named_by(title, |name| resource.parameters.contains_key(name)) => {
            return Ok(None);
        }
        Definition::Native(native) => {
            native.uniqueness_key(title, |name| resource.parameters.get(name).map(|parameter| &parameter.value))?
        }
        Definition::Body(_) => match resource.get("name") {
            Some(name) => vec![name.clone()],
            None => return Ok(None),
        },
    };
    let is_title = matches!(key.as_slice(), [Value::String(name)] if name == title);
    Ok((!is_title && key.iter().any(Value::is_truthy)).then_some(key))
}
