//! The value of a JSON text, as Ruby's parser reads it.

use bunraku_syntax::json::{self, Json};

use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::value::Value;

/// The value of a JSON text, which may have comments. A number beyond 64 bits becomes a float, as everywhere where data is
/// read.
pub fn parse_json(text: &str) -> Result<Value, Issue> {
    json::read(text).map(value).map_err(|fault| issues::runtime_error(fault.to_string()))
}

fn value(json: Json<'_>) -> Value {
    let float = |digits: &str| digits.parse().map_or(Value::Undef, Value::Float);
    match json {
        Json::Null => Value::Undef,
        Json::Boolean(boolean) => boolean.into(),
        Json::Integer(digits) => digits.parse().map_or_else(|_| float(digits), Value::Integer),
        Json::Float(digits) => float(digits),
        Json::String(string) => string.into(),
        Json::Array(elements) => elements.into_iter().map(value).collect::<Vec<_>>().into(),
        Json::Object(entries) => {
            let mut hash = Hash::new();
            hash.extend(entries.into_iter().map(|(key, json)| (Value::from(key), value(json))));
            hash.into()
        }
    }
}
