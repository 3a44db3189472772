//! `Type { attribute => value }`: resource defaults, seen along the chain of declaring scopes.

use std::borrow::Cow;

use ecow::EcoString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use bunraku_catalog::reference::capitalize;
use bunraku_pcore::{Type, Value};
use bunraku_syntax::ast::ResourceDefaults;

use super::attribute;
use super::issues as build_issues;
use super::location::{at_place, evaluation_error};
use super::resource::{Parameter, Parameters, Resource, add_tags};
use crate::compilation::Compilation;
use crate::eval::eval;
use crate::frame::Frame;
use crate::scope::ScopeId;
use crate::unwind::Outcome;

/// The defaults of all scopes, by type and scope.
#[derive(Debug, Default)]
pub(super) struct Defaults {
    by_type: FxHashMap<EcoString, FxHashMap<ScopeId, Parameters>>,
}

/// Sets defaults in the current scope; gives the type.
pub(super) fn evaluate(defaults: &ResourceDefaults, frame: &mut Frame<'_, '_>) -> Outcome {
    let value = eval(&defaults.type_name, frame)?;
    let type_name = match &value {
        Value::Type(Type::Resource(resource)) if resource.title.is_none() => resource.type_name.clone(),
        _ => None,
    };
    let Some(type_name) = type_name else {
        let issue = build_issues::illegal_resource_type(Type::infer(&value).generalize());
        return evaluation_error(issue, defaults.type_name.reported());
    };
    let type_name = capitalize(&type_name);
    let attributes = attribute::evaluate(&defaults.operations, frame)?;
    let by_type = &mut frame.compilation.build.defaults.by_type;
    let table = by_type.entry(type_name.clone()).or_default().entry(frame.scope).or_default();
    for (name, parameter) in attributes {
        if table.contains_key(&name) {
            let issue = build_issues::duplicate_default(type_name, name);
            return Err(at_place(issue, parameter.place()));
        }
        table.insert(name, parameter);
    }
    Ok(value)
}

impl Frame<'_, '_> {
    /// Whether an attribute of a type has a default here.
    pub fn has_default(&self, type_name: &str, attribute: &str) -> bool {
        let defaults = self.compilation.defaults_for(type_name, self.scope);
        defaults.is_some_and(|defaults| defaults.contains_key(attribute))
    }
}

impl Compilation<'_> {
    /// The defaults for a type as a scope sees them: those of inner scopes win, those of outer ones come first.
    pub(super) fn defaults_for(&self, type_name: &str, scope: ScopeId) -> Option<Cow<'_, Parameters>> {
        let scopes = self.build.defaults.by_type.get(type_name)?;
        let mut chain: SmallVec<[&Parameters; 2]> = SmallVec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            chain.extend(scopes.get(&id));
            at = self.scopes.get(id).parent;
        }
        let mut outermost_first = chain.into_iter().rev();
        let mut merged = Cow::Borrowed(outermost_first.next()?);
        for parameters in outermost_first {
            let known = parameters.iter().map(|(name, parameter)| (name.clone(), parameter.clone()));
            merged.to_mut().extend(known);
        }
        Some(merged)
    }

    /// Gives a new resource the defaults of its scope for what it does not set itself.
    pub(super) fn add_defaults(&self, resource: &mut Resource<'_>) -> Outcome<()> {
        let Some(defaults) = self.defaults_for(&resource.reference.type_name, resource.scope) else { return Ok(()) };
        for (name, parameter) in defaults.iter() {
            if resource.parameters.contains_key(name) {
                continue;
            }
            if name == "tag" {
                add_tags(&mut resource.tags, &parameter.value)
                    .map_err(|tag| at_place(build_issues::invalid_tag(tag), resource.place))?;
            }
            resource.parameters.insert(name.clone(), parameter.clone());
        }
        Ok(())
    }

    /// Whether a value is one that some scope around sets as a default.
    pub(super) fn is_default(&self, type_name: &str, name: &str, value: &Value, scope: ScopeId) -> bool {
        let Some(scopes) = self.build.defaults.by_type.get(type_name) else { return false };
        let mut at = Some(scope);
        while let Some(id) = at {
            let default: Option<&Parameter> = scopes.get(&id).and_then(|parameters| parameters.get(name));
            if default.is_some_and(|default| default.value == *value) {
                return true;
            }
            at = self.scopes.get(id).parent;
        }
        false
    }
}
