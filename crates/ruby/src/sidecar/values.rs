//! Values on their way to Ruby and back, as JSON in which `__ptype` marks what JSON does not have.
//!
//! What Ruby cannot do anything with but show it and hand it on (objects, data types, moments) stays here: Ruby gets
//! its text and a number to give back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bunraku_pcore::data_type::DataType;
use bunraku_pcore::data_types::{Binary, Timestamp, Uri, timestamp::Formats};
use bunraku_pcore::{Hash, Regexp, Value};
use bunraku_syntax::deep;
use serde_json::{Map, Value as Json, json};

use super::host::{Host, HostError};

const TYPE: &str = "__ptype";
const VALUE: &str = "__pvalue";
const KEPT: &str = "__kept";

/// The type of what a Hiera backend talks with.
const LOOKUP_CONTEXT: &str = "Puppet::LookupContext";

/// Values nested deeper than this are handed on unseen.
const DEEPEST: usize = 60;

/// The values that are kept here while Ruby code runs.
#[derive(Default)]
pub(super) struct Values {
    kept: Mutex<Vec<Value>>,
}

impl Values {
    /// Forgets what was kept for Ruby code that has ended.
    pub(super) fn clear(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Value>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn encode(&self, value: &Value) -> Json {
        self.encode_at(value, 0)
    }

    pub(super) fn encode_all(&self, values: &[Value]) -> Json {
        Json::Array(values.iter().map(|value| self.encode(value)).collect())
    }

    fn encode_at(&self, value: &Value, depth: usize) -> Json {
        deep(|| {
            let rich = |name: &str, value: Json| json!({ TYPE: name, VALUE: value });
            match value {
                Value::Undef => Json::Null,
                Value::Boolean(value) => json!(value),
                Value::Integer(value) => json!(value),
                Value::Float(value) if value.is_finite() => json!(value),
                Value::String(text) => json!(text.as_str()),
                Value::Default => json!({ TYPE: "Default" }),
                Value::Symbol(name) => rich("Symbol", json!(name.as_str())),
                Value::Regexp(regexp) => rich("Regexp", json!(regexp.source())),
                Value::Binary(binary) => rich("Binary", json!(binary.to_string())),
                Value::Uri(uri) => rich("URI", json!(uri.to_string())),
                Value::Array(items) if depth < DEEPEST => {
                    Json::Array(items.iter().map(|item| self.encode_at(item, depth + 1)).collect())
                }
                Value::Hash(hash) if depth < DEEPEST => self.encode_hash(hash, depth + 1),
                Value::Sensitive(inner) if depth < DEEPEST => rich("Sensitive", self.encode_at(inner, depth + 1)),
                Value::Type(data_type) if data_type.is_held() => self.keep("Resource", value),
                Value::Type(_) => self.keep("Type", value),
                Value::Object(object) if object.object_type().name() == LOOKUP_CONTEXT => {
                    self.keep("LookupContext", value)
                }
                Value::SemVer(_) => self.keep("SemVer", value),
                Value::SemVerRange(_) => self.keep("SemVerRange", value),
                Value::Timespan(_) => self.keep("Timespan", value),
                Value::Timestamp(_) => self.keep("Timestamp", value),
                other => self.keep("Object", other),
            }
        })
    }

    fn encode_hash(&self, hash: &Hash, depth: usize) -> Json {
        if hash.keys().all(|key| key.as_str().is_some_and(|key| key != TYPE)) {
            let entries =
                hash.iter().filter_map(|(key, value)| Some((key.as_str()?.to_string(), self.encode_at(value, depth))));
            return Json::Object(entries.collect());
        }
        let pairs = hash.iter().flat_map(|(key, value)| [self.encode_at(key, depth), self.encode_at(value, depth)]);
        json!({ TYPE: "Hash", VALUE: pairs.collect::<Vec<_>>() })
    }

    fn keep(&self, name: &str, value: &Value) -> Json {
        let mut kept = self.kept();
        kept.push(value.clone());
        json!({ TYPE: name, VALUE: value.to_string(), KEPT: kept.len() - 1 })
    }

    pub(super) fn decode(&self, json: &Json, host: &mut dyn Host) -> Result<Value, HostError> {
        deep(|| {
            Ok(match json {
                Json::Null => Value::Undef,
                Json::Bool(value) => Value::Boolean(*value),
                Json::Number(number) => match number.as_i64() {
                    Some(integer) => Value::Integer(integer),
                    None => Value::Float(number.as_f64().unwrap_or_default()),
                },
                Json::String(text) => Value::string(text.as_str()),
                Json::Array(items) => Value::from(self.decode_all(items, host)?),
                Json::Object(entries) => match entries.get(TYPE).and_then(Json::as_str) {
                    Some(name) => self.decode_rich(name, entries, host)?,
                    None => {
                        let mut hash = Hash::with_capacity(entries.len());
                        for (key, value) in entries {
                            hash.insert(Value::string(key.as_str()), self.decode(value, host)?);
                        }
                        Value::Hash(Arc::new(hash))
                    }
                },
            })
        })
    }

    pub(super) fn decode_all(&self, items: &[Json], host: &mut dyn Host) -> Result<Vec<Value>, HostError> {
        items.iter().map(|item| self.decode(item, host)).collect()
    }

    fn decode_rich(&self, name: &str, data: &Map<String, Json>, host: &mut dyn Host) -> Result<Value, HostError> {
        if let Some(number) = data.get(KEPT).and_then(Json::as_u64) {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            let kept = self.kept().get(number).cloned();
            return kept.ok_or_else(|| HostError::message("a value is used after the call it was given to"));
        }
        let value = data.get(VALUE).unwrap_or(&Json::Null);
        let text = value.as_str().unwrap_or_default();
        Ok(match name {
            "Default" => Value::Default,
            "Symbol" => Value::Symbol(text.into()),
            "Sensitive" => Value::Sensitive(Arc::new(self.decode(value, host)?)),
            "Regexp" => Value::Regexp(Arc::new(Regexp::new(text)?)),
            "Binary" => Value::Binary(Arc::new(Binary::from_base64(text))),
            "Bytes" => host.byte_text(text),
            "URI" => Value::Uri(Arc::new(Uri::parse(text)?)),
            "Timestamp" => Value::Timestamp(Arc::new(Timestamp::parse(text, Formats::Default, None)?)),
            "Type" => host.parse_type(text)?,
            "Hash" => {
                let items = self.decode_all(value.as_array().map_or(&[], Vec::as_slice), host)?;
                let mut hash = Hash::with_capacity(items.len() / 2);
                let mut items = items.into_iter();
                while let (Some(key), Some(value)) = (items.next(), items.next()) {
                    hash.insert(key, value);
                }
                Value::Hash(Arc::new(hash))
            }
            other => return Err(HostError::message(format!("Ruby gave a value of the unknown kind '{other}'"))),
        })
    }
}
