//! The backends that are built in: each makes data of the bytes of a file.

pub(crate) mod eyaml;
mod hocon;
mod json;
pub(crate) mod yaml;

use std::sync::Arc;

use bunraku_environment::Strict;
use bunraku_notation::yaml::Foreign;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::deep;
use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;

/// The data of a file or function: one hash.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) hash: Arc<Hash>,
    /// The keys whose values have something to interpolate; all others are handed out as they are.
    pub(crate) interpolated: FxHashSet<EcoString>,
    /// The keys whose values no lookup can give.
    pub(crate) foreign: FxHashMap<EcoString, Foreign>,
    /// What to say when the data is taken into use.
    pub(crate) warning: Option<String>,
    /// What there is in place of a hash.
    pub(crate) other: Option<Value>,
}

impl Data {
    pub(crate) fn new(hash: Arc<Hash>) -> Data {
        let interpolated = hash
            .iter()
            .filter(|(_, value)| has_interpolation(value))
            .filter_map(|(key, _)| key.as_str().map(EcoString::from))
            .collect();
        Data { hash, interpolated, ..Data::default() }
    }

    /// The data a value is, if it is a hash; whoever uses the data says what is wrong if it is not.
    pub(crate) fn of_value(value: Value) -> Data {
        match value {
            Value::Hash(hash) => Data::new(hash),
            other => Data { other: Some(other), ..Data::default() },
        }
    }
}

/// A function that is built in and turns a file into data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Backend {
    Yaml,
    Json,
    Hocon,
}

impl Backend {
    /// The backend a `data_hash` function stands for.
    pub(crate) fn from_function(name: &str) -> Option<Backend> {
        match name {
            "yaml_data" => Some(Backend::Yaml),
            "json_data" => Some(Backend::Json),
            "hocon_data" => Some(Backend::Hocon),
            _ => None,
        }
    }

    /// Makes data of the bytes of a file.
    pub(crate) fn parse(self, bytes: &[u8], path: &str, strict: Strict) -> Result<Data, Error> {
        match self {
            Backend::Yaml => yaml::parse(bytes, path, strict),
            Backend::Json => json::parse(bytes, path),
            Backend::Hocon => hocon::parse(bytes, path),
        }
    }
}

fn has_interpolation(value: &Value) -> bool {
    deep(|| match value {
        Value::String(text) => text.contains("%{"),
        Value::Array(elements) => elements.iter().any(has_interpolation),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_interpolation(key) || has_interpolation(value)),
        _ => false,
    })
}
