//! Rich data as plain data: the form in which catalogs hold values that JSON has no notation for.
//!
//! Such a value becomes a hash with the name of its data type under `__ptype`.

mod data_type;
mod json;
mod json_writer;
mod plain;
mod read;
mod read_type;

pub use json::parse_json;
pub use json_writer::{JsonLayout, JsonWriter};
pub use plain::to_plain_data;
pub use read::from_data;

use std::borrow::Cow;

use bunraku_syntax::deep;
use ecow::EcoString;

use crate::data_type::Type;
use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::value::Value;

/// The key of the name of the data type.
pub const TYPE_KEY: &str = "__ptype";
/// The key of the value, where one value is all there is.
pub const VALUE_KEY: &str = "__pvalue";

/// Values that are nested deeper cannot be written.
const DEPTH_LIMIT: usize = 1_000;

/// The value as plain data: the value itself if it is that already.
///
/// References to resources and classes become text, for that is how catalogs have them.
pub fn to_data(value: &Value) -> Result<Cow<'_, Value>, Issue> {
    match is_data(value, DEPTH_LIMIT) {
        true => Ok(Cow::Borrowed(value)),
        false => convert(value, DEPTH_LIMIT).map(Cow::Owned),
    }
}

/// The value a JSON document stands for, without regard to rich data. A number beyond 64 bits becomes a float.
pub fn from_json(json: serde_json::Value) -> Value {
    deep(|| {
        use serde_json::Value as Json;
        match json {
            Json::Null => Value::Undef,
            Json::Bool(boolean) => Value::Boolean(boolean),
            Json::Number(number) => match number.as_i64() {
                Some(integer) => Value::Integer(integer),
                None => number.as_f64().map_or(Value::Undef, Value::Float),
            },
            Json::String(text) => Value::from(text),
            Json::Array(elements) => Value::array(elements.into_iter().map(from_json)),
            Json::Object(object) => {
                Value::hash(object.into_iter().map(|(key, json)| (Value::from(key), from_json(json))))
            }
        }
    })
}

fn is_data(value: &Value, depth: usize) -> bool {
    deep(|| match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(elements) => depth > 0 && elements.iter().all(|element| is_data(element, depth - 1)),
        Value::Hash(hash) => {
            depth > 0 && has_plain_keys(hash) && hash.values().all(|element| is_data(element, depth - 1))
        }
        _ => false,
    })
}

fn has_plain_keys(hash: &Hash) -> bool {
    hash.keys().all(|key| key.as_str().is_some_and(|key| key != TYPE_KEY))
}

fn convert(value: &Value, depth: usize) -> Result<Value, Issue> {
    deep(|| {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(issues::runtime_error("The value is nested too deeply to be serialized"));
        };
        match value {
            Value::Array(elements) => {
                let elements: Result<Vec<Value>, Issue> = elements.iter().map(|it| convert(it, depth)).collect();
                Ok(Value::from(elements?))
            }
            Value::Hash(hash) if has_plain_keys(hash) => {
                let entries = hash.iter().map(|(key, value)| Ok((key.clone(), convert(value, depth)?)));
                Ok(Value::from(entries.collect::<Result<Hash, Issue>>()?))
            }
            Value::Hash(hash) => {
                let flat: Result<Vec<Value>, Issue> =
                    hash.iter().flat_map(|(key, value)| [key, value]).map(|it| convert(it, depth)).collect();
                Ok(tagged("Hash", Some(Value::from(flat?))))
            }
            Value::Sensitive(secret) => Ok(tagged("Sensitive", Some(convert(secret, depth)?))),
            Value::Default => Ok(tagged("Default", None)),
            Value::Regexp(regexp) => Ok(tagged("Regexp", Some(regexp.source().into()))),
            Value::SemVer(version) => Ok(tagged("SemVer", Some(version.to_string().into()))),
            Value::SemVerRange(range) => Ok(tagged("SemVerRange", Some(range.to_string().into()))),
            Value::Timespan(timespan) => Ok(tagged("Timespan", Some(timespan.to_string().into()))),
            Value::Timestamp(timestamp) => Ok(tagged("Timestamp", Some(timestamp.to_string().into()))),
            Value::Binary(binary) => Ok(tagged("Binary", Some(binary.to_string().into()))),
            Value::Uri(uri) => Ok(tagged("URI", Some(uri.to_string().into()))),
            Value::Type(data_type) => match reference_text(data_type) {
                Some(text) => Ok(Value::String(text)),
                None => data_type::convert(data_type, depth),
            },
            Value::Object(object) => {
                let name = object.object_type().type_name().map_or("Object", EcoString::as_str);
                let mut entries: Hash = std::iter::once((TYPE_KEY.into(), name.into())).collect();
                for (name, value) in object.initializer() {
                    entries.insert(name, convert(&value, depth)?);
                }
                Ok(Value::from(entries))
            }
            // The reference asks for this where it makes the catalog of an agent.
            Value::Symbol(name) => Ok(Value::String(name.clone())),
            Value::Iterator(_) => Err(issues::runtime_error("Use of an Iterator is not supported here")),
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => {
                Ok(value.clone())
            }
        }
    })
}

/// The text of a reference as resources hold it; other references are data types.
fn reference_text(data_type: &Type) -> Option<EcoString> {
    let Type::Resource(resource) = data_type else { return None };
    let (type_name, title) = resource.type_name.as_ref().zip(resource.title.as_ref())?;
    resource.is_held().then(|| ecow::eco_format!("{type_name}[{title}]"))
}

fn tagged(name: &str, value: Option<Value>) -> Value {
    let type_entry = (TYPE_KEY.into(), name.into());
    let value_entry = value.map(|value| (VALUE_KEY.into(), value));
    Value::hash(std::iter::once(type_entry).chain(value_entry))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::regexp::Regexp;

    fn check(value: Value, expected: Value) {
        assert_eq!(*to_data(&value).unwrap(), expected);
    }

    #[test]
    fn plain_data_is_borrowed() {
        let value = Value::hash([("a".into(), Value::array([Value::Undef, 1.into()]))]);
        assert!(matches!(to_data(&value).unwrap(), Cow::Borrowed(_)));
    }

    #[test]
    fn rich_data_is_tagged() {
        let regexp = Value::Regexp(Arc::new(Regexp::new("x").unwrap()));
        check(regexp.clone(), tagged("Regexp", Some("x".into())));
        check(Value::array([Value::Default]), Value::array([tagged("Default", None)]));
        check(Value::Sensitive(Arc::new("x".into())), tagged("Sensitive", Some("x".into())));
        let keyed = Value::hash([(Value::from(1), regexp)]);
        let flat = Value::array([1.into(), tagged("Regexp", Some("x".into()))]);
        check(keyed, tagged("Hash", Some(flat)));
        let confusing = Value::hash([("__ptype".into(), "x".into())]);
        check(confusing, tagged("Hash", Some(Value::array(["__ptype".into(), "x".into()]))));
    }
}
