//! Parameters of `Class` and of resource types: names and titles. Several of them make an array of references.

use ecow::{EcoString, eco_format};

use super::{Arity, Rejection, bad_arity, flatten};
use crate::data_type::Type;
use crate::data_types::{ClassType, ResourceType, capitalize_segments};
use crate::issues::Issue;
use crate::label::{a_an, a_an_capitalized, given, label, type_label};
use crate::lowercase::lowercase;
use crate::value::Value;

pub(super) fn resource(base: &ResourceType, keys: &[Value]) -> Result<Value, Rejection> {
    if keys.is_empty() {
        let name = base.type_name.as_deref().unwrap_or("Resource");
        return Err(bad_arity(name, Arity::OneOrMore, 0));
    }
    if let (Some(type_name), Some(title)) = (&base.type_name, &base.title) {
        return Err(unknown_resource(type_name, title));
    }
    let (type_name, keys) = match (&base.type_name, keys) {
        (Some(type_name), keys) => (type_name.clone(), keys),
        (None, [first, rest @ ..]) => (type_name(first)?, rest),
        (None, []) => return Ok(Value::Undef),
    };
    if !is_class_reference(&type_name) {
        let message =
            eco_format!("Illegal type reference. The given name '{type_name}' does not conform to the naming rule");
        return Err(Rejection { issue: Issue::new("ILLEGAL_CLASSREF", message), key: Some(0) });
    }
    if keys.is_empty() {
        return Ok(Type::resource(type_name, None).into());
    }
    let titles = flatten(keys);
    // Compatibility: the reference blames the next parameter if one of them was an array or undef.
    let given_titles = titles.iter().filter(|title| !title.is_undef()).count();
    let shift = usize::from(given_titles != keys.len());
    references(keys, titles, |index, title| match title {
        Value::String(title) => Ok(Type::resource(type_name.clone(), Some(title.clone()))),
        other => {
            let base = type_label(&Type::Resource(base.clone().into()));
            let message = eco_format!(
                "Error creating type specialization of {}, Cannot use {} where a resource title String is expected",
                a_an(&base),
                given(other)
            );
            Err(Rejection { issue: Issue::new("BAD_TYPE_SPECIALIZATION", message), key: Some(index + shift) })
        }
    })
}

/// The kind of resource named by the first parameter of `Resource`.
fn type_name(first: &Value) -> Result<EcoString, Rejection> {
    match first {
        Value::String(name) => Ok(capitalize_segments(name)),
        Value::Type(Type::Resource(resource)) => Ok(resource.type_name.clone().unwrap_or_default()),
        other => {
            let message =
                eco_format!("First argument to Resource[] must be a resource type or a String. Got {}.", given(other));
            Err(Rejection { issue: Issue::new("ILLEGAL_RESOURCE_SPECIALIZATION", message), key: Some(0) })
        }
    }
}

pub(super) fn class(base: &ClassType, keys: &[Value]) -> Result<Value, Rejection> {
    if keys.is_empty() {
        return Err(bad_arity("Class", Arity::OneOrMore, 0));
    }
    if let Some(name) = &base.class_name {
        return Err(unknown_resource("Class", name));
    }
    references(keys, flatten(keys), |index, key| {
        let blame = |code, message: EcoString| Rejection { issue: Issue::new(code, message), key: Some(index) };
        let Value::String(text) = key else {
            let message = eco_format!(
                "Illegal Class name in class reference. {} cannot be used where a String is expected",
                a_an_capitalized(&label(key))
            );
            return Err(blame("ILLEGAL_HOSTCLASS_NAME", message));
        };
        let name = lowercase(text);
        let name = name.strip_prefix("::").unwrap_or(&name);
        if !is_name(name) {
            let message = eco_format!(
                "Illegal name. The given name '{text}' does not conform to the naming rule \
                 /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/"
            );
            return Err(blame("ILLEGAL_NAME", message));
        }
        Ok(Type::class(name))
    })
}

/// One reference, or an array of them if several parameters or an array was given. `undef` is left out.
fn references(
    keys: &[Value],
    flat: Vec<Value>,
    reference: impl Fn(usize, &Value) -> Result<Type, Rejection>,
) -> Result<Value, Rejection> {
    let is_array = keys.len() > 1 || matches!(keys.first(), Some(Value::Array(_)));
    let given = flat.iter().filter(|key| !key.is_undef()).enumerate();
    let mut references: Vec<Value> =
        given.map(|(index, key)| reference(index, key).map(Value::Type)).collect::<Result<_, _>>()?;
    if is_array { Ok(references.into()) } else { Ok(references.pop().unwrap_or_default()) }
}

/// A reference with a title has no parameters: what follows are attributes of a resource in the catalog.
fn unknown_resource(type_name: &str, title: &str) -> Rejection {
    Issue::new("UNKNOWN_RESOURCE", eco_format!("Resource not found: {type_name}['{title}']")).into()
}

/// Whether a name can be that of a resource type.
pub(crate) fn is_class_reference(name: &str) -> bool {
    has_segments(name, |first| first.is_ascii_uppercase())
}

fn is_name(name: &str) -> bool {
    has_segments(name, |first| first.is_ascii_lowercase())
}

/// Whether a name is made of segments with the given first letters; it may start with `::`.
fn has_segments(name: &str, is_first: impl Fn(char) -> bool) -> bool {
    let is_segment = |segment: &str| {
        segment.starts_with(&is_first) && segment.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
    };
    // Most names have one segment, and looking for one byte is cheaper than looking for a text.
    match name.as_bytes().contains(&b':') {
        true => name.strip_prefix("::").unwrap_or(name).split("::").all(is_segment),
        false => is_segment(name),
    }
}
