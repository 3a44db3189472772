//! `File['/a']['mode']`: the parameters of a resource or class that is already declared.

use ecow::{EcoString, eco_format};

use bunraku_catalog::Reference;
use bunraku_pcore::{Hash, Type, Value};
use bunraku_syntax::Issue;
use bunraku_syntax::ast::{Access, Expr};

use super::collect::parse_reference;
use super::convert::reference_text;
use super::declare::flatten;
use super::location::evaluation_error;
use super::resource::{Definition, Resource, ResourceId};
use crate::compilation::Compilation;
use crate::frame::Frame;
use crate::issues;
use crate::scope::ScopeId;
use crate::unwind::Outcome;

/// One parameter, or a list of several.
pub(crate) fn parameters_of(
    left: &Value,
    keys: Vec<Value>,
    expr: &Expr,
    access: &Access,
    frame: &mut Frame<'_, '_>,
) -> Outcome {
    let is_list = keys.len() > 1 || matches!(keys.first(), Some(Value::Array(_)));
    let mut names = Vec::new();
    keys.into_iter().for_each(|key| flatten(key, &mut names));
    names.retain(|name| !name.is_undef());
    if names.is_empty() {
        let span = access.keys.first().map_or(expr.reported(), |key| key.reported());
        frame.warn(issues::empty_resource_specialization(), span);
        return Ok(if is_list { Value::array([]) } else { Value::Undef });
    }
    let (type_name, title) = match left {
        Value::Type(Type::Resource(resource)) => {
            (resource.type_name.clone().unwrap_or_default(), resource.title.clone().unwrap_or_default())
        }
        Value::Type(Type::Class(class)) => ("Class".into(), class.class_name.clone().unwrap_or_default()),
        _ => return Ok(Value::Undef),
    };
    let Some(id) = frame.compilation.build.table.find(&Reference::new(&type_name, &title)) else {
        return evaluation_error(issues::unknown_resource(type_name, title), expr.reported());
    };
    let mut values = Vec::with_capacity(names.len());
    for name in names {
        match name.as_str().filter(|name| frame.compilation.has_parameter(id, name)) {
            Some(name) => values.push(frame.compilation.parameter_value(id, name)),
            None => {
                let issue = issues::unknown_resource_parameter(capitalized(&type_name), title, eco_format!("{name}"));
                return evaluation_error(issue, expr.reported());
            }
        }
    }
    Ok(if is_list { Value::from(values) } else { values.pop().unwrap_or_default() })
}

impl Frame<'_, '_> {
    /// The value of a parameter of the resource that a reference, or a text such as `File[/a]`, refers to.
    pub fn resource_parameter(&self, reference: &Value, name: &str) -> Result<Option<Value>, Issue> {
        let text = reference_text(reference).unwrap_or_else(|| eco_format!("{reference}"));
        let reference = parse_reference(&text)?;
        let table = &self.compilation.build.table;
        Ok(table.find(&reference).and_then(|id| value_in(table.get(id), name)))
    }

    /// Whether the catalog has a resource, other than the one around, with these parameters. Without a title any resource
    /// of the type will do.
    pub fn is_declared_with(&self, type_name: &str, title: &str, parameters: &Hash) -> bool {
        let build = &self.compilation.build;
        let reference = Reference::new(type_name, title);
        let candidates: Vec<ResourceId> = match title {
            "" => build.table.of_type(&reference.type_name).to_vec(),
            _ => build.table.find(&reference).into_iter().collect(),
        };
        let around = build.resource_at(self.scope);
        candidates.into_iter().filter(|id| Some(*id) != around).any(|id| {
            let resource = build.table.get(id);
            parameters.iter().all(|(name, value)| {
                let actual = name.as_str().and_then(|name| value_in(resource, name)).unwrap_or_default();
                actual == *value
            })
        })
    }
}

/// The value of a parameter, of which the title is one.
fn value_in(resource: &Resource<'_>, name: &str) -> Option<Value> {
    match name {
        "title" => Some(Value::String(resource.reference.title.clone())),
        _ => resource.get(name).cloned(),
    }
}

impl Compilation<'_> {
    /// The parameters that a resource of the catalog has been given so far; nothing if there is no such resource.
    pub fn resource_parameters(
        &self,
        type_name: &str,
        title: &str,
    ) -> Option<impl Iterator<Item = (&EcoString, &Value)>> {
        let id = self.build.table.find(&Reference::new(type_name, title))?;
        Some(self.build.table.get(id).parameters.iter().map(|(name, parameter)| (name, &parameter.value)))
    }

    /// Gives a parameter of the resource whose body a scope is another value.
    pub(crate) fn replace_parameter(&mut self, scope: ScopeId, name: &str, value: Value) {
        let Some(id) = self.build.resource_at(scope) else { return };
        if let Some(parameter) = self.build.table.get_mut(id).parameters.get_mut(name) {
            parameter.value = value;
        }
    }

    fn has_parameter(&self, id: ResourceId, name: &str) -> bool {
        match self.build.table.get(id).definition {
            Definition::Native(native) => native.has_attribute(name),
            Definition::Body(body) => self.takes_parameter(body, name),
        }
    }

    fn parameter_value(&self, id: ResourceId, name: &str) -> Value {
        let resource = self.build.table.get(id);
        if let Some(value) = resource.get(name) {
            return value.clone();
        }
        let defaults = self.defaults_for(&resource.reference.type_name, resource.scope);
        defaults.and_then(|defaults| defaults.get(name).map(|parameter| parameter.value.clone())).unwrap_or_default()
    }
}

/// Compatibility: only the first letter is large, also in a qualified name.
fn capitalized(name: &str) -> EcoString {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}
