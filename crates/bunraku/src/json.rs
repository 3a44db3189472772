//! Values as JSON text.

use bunraku_pcore::serialize::TYPE_KEY;
use bunraku_pcore::{Value, serialize};
use bunraku_syntax::{Issue, deep};
use serde_json::Value as Json;

/// The value that a JSON document stands for. A number beyond 64 bits becomes a float.
pub fn read(text: &str) -> Result<Value, Issue> {
    let json: Json = serde_json::from_str(text).map_err(|error| Issue::new("", error.to_string()))?;
    Ok(serialize::from_json(json))
}

/// A value as JSON on one line. What JSON does not have is written as rich data.
pub fn write(value: &Value) -> Result<String, Issue> {
    Ok(rich(value)?.to_string())
}

/// The same on several lines, for people.
pub fn write_pretty(value: &Value) -> Result<String, Issue> {
    Ok(format!("{:#}", rich(value)?))
}

/// A value as plain data in which words stand for secrets, wherever they are.
pub fn redacted(value: &Value) -> Result<Value, Issue> {
    Ok(without_secrets(serialize::to_data(value)?.as_ref()))
}

fn without_secrets(data: &Value) -> Value {
    deep(|| match data {
        Value::Array(elements) => Value::array(elements.iter().map(without_secrets)),
        Value::Hash(hash) if hash.get_str(TYPE_KEY).and_then(Value::as_str) == Some("Sensitive") => {
            Value::from(Value::Sensitive(Value::Undef.into()).to_string())
        }
        Value::Hash(hash) => Value::hash(hash.iter().map(|(key, value)| (key.clone(), without_secrets(value)))),
        other => other.clone(),
    })
}

fn rich(value: &Value) -> Result<Json, Issue> {
    Ok(plain(serialize::to_data(value)?.as_ref()))
}

fn plain(data: &Value) -> Json {
    match data {
        Value::Undef => Json::Null,
        Value::Boolean(value) => Json::Bool(*value),
        Value::Integer(number) => Json::from(*number),
        Value::Float(number) => Json::from(*number),
        Value::Array(elements) => Json::Array(elements.iter().map(plain).collect()),
        Value::Hash(hash) => Json::Object(hash.iter().map(|(key, inner)| (key.to_string(), plain(inner))).collect()),
        other => Json::String(other.to_string()),
    }
}
