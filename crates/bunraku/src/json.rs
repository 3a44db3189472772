//! Values as JSON text.

use bunraku_pcore::{Value, serialize};
use bunraku_syntax::Issue;
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
