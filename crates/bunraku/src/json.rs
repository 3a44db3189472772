//! Plain data from JSON: facts and the like.

use std::sync::Arc;

use bunraku_pcore::{Hash, Value, serialize};
use bunraku_syntax::Issue;
use serde_json::Value as Json;

/// The value a JSON document stands for. A number beyond 64 bits becomes a float.
pub fn value(json: &Json) -> Value {
    serialize::from_json(json.clone())
}

/// The hash a JSON object stands for; an empty one for anything else.
pub fn hash(json: &Json) -> Arc<Hash> {
    match value(json) {
        Value::Hash(hash) => hash,
        _ => Arc::default(),
    }
}

/// A value as JSON. What JSON does not have is written as rich data.
pub fn rich(value: &Value) -> Result<Json, Issue> {
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
