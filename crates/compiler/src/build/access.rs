//! `File['/a']['mode']`: the parameters of a resource or class that is already declared.

use ecow::{EcoString, eco_format};

use bunraku_catalog::Reference;
use bunraku_pcore::{Type, Value};
use bunraku_syntax::ast::Expr;

use super::declare::flatten;
use super::location::evaluation_error;
use super::resource::{Definition, ResourceId};
use crate::compilation::Compilation;
use crate::frame::Frame;
use crate::issues;
use crate::unwind::Outcome;

/// One parameter, or a list of several.
pub(crate) fn parameters_of(left: &Value, keys: Vec<Value>, expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    let is_list = keys.len() > 1 || matches!(keys.first(), Some(Value::Array(_)));
    let mut names = Vec::new();
    keys.into_iter().for_each(|key| flatten(key, &mut names));
    names.retain(|name| !name.is_undef());
    if names.is_empty() {
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
        return evaluation_error(issues::unknown_resource(type_name, title), expr.span);
    };
    let mut values = Vec::with_capacity(names.len());
    for name in names {
        match name.as_str().filter(|name| frame.compilation.has_parameter(id, name)) {
            Some(name) => values.push(frame.compilation.parameter_value(id, name)),
            None => {
                let issue = issues::unknown_resource_parameter(capitalized(&type_name), title, eco_format!("{name}"));
                return evaluation_error(issue, expr.span);
            }
        }
    }
    Ok(if is_list { Value::from(values) } else { values.pop().unwrap_or_default() })
}

impl Compilation<'_> {
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
