//! Merge strategies: what becomes of several values found for one key.

mod deep;

use std::sync::Arc;

use bunraku_pcore::{Hash, Value};
use ecow::EcoString;

use crate::error::Error;
use deep::Deep;

/// How the values found for a key are merged. Values come in order of priority, the highest first.
#[derive(Debug, Clone)]
pub(crate) struct Strategy {
    kind: Kind,
    /// The options as they were given, for explanations.
    pub(crate) options: Option<Arc<Hash>>,
}

#[derive(Debug, Clone)]
enum Kind {
    /// None was asked for, which means the first.
    Default,
    First,
    Unique,
    Hash,
    Deep(Deep),
    /// Hiera 3's `deeper`: deep, with options unchecked.
    UnconstrainedDeep(Deep),
    /// Hiera 3's `deep`: the lower priority wins.
    ReverseDeep(Deep),
}

impl Strategy {
    /// The strategy when none is asked for.
    pub(crate) fn default_strategy() -> Strategy {
        Strategy { kind: Kind::Default, options: None }
    }

    /// The strategy of `lookup_options` themselves.
    pub(crate) fn hash() -> Strategy {
        Strategy { kind: Kind::Hash, options: None }
    }

    /// The strategy of a name, or of a hash with `strategy` and its options.
    pub(crate) fn from_value(merge: Option<&Value>) -> Result<Strategy, Error> {
        let merge = match merge {
            None | Some(Value::Undef) => return Ok(Strategy::default_strategy()),
            Some(merge) => merge,
        };
        let Value::Hash(options) = merge else {
            return Strategy::named(&crate::ruby::to_s(merge), None);
        };
        let name = options.get_str("strategy").filter(|name| !name.is_undef()).ok_or_else(|| {
            Error::call(
                "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
            )
        })?;
        let options = (options.len() > 1).then(|| Arc::clone(options));
        Strategy::named(&crate::ruby::to_s(name), options)
    }

    fn named(name: &str, options: Option<Arc<Hash>>) -> Result<Strategy, Error> {
        let deep = || Deep::from_options(options.as_deref());
        let kind = match name {
            "default" => Kind::Default,
            "first" => Kind::First,
            "unique" => Kind::Unique,
            "hash" => Kind::Hash,
            "deep" => Kind::Deep(deep()),
            "unconstrained_deep" => Kind::UnconstrainedDeep(deep()),
            "reverse_deep" => Kind::ReverseDeep(deep()),
            _ => return Err(Error::call(format!("Unknown merge strategy: '{name}'"))),
        };
        if let Some(options) = &options {
            check_options(&kind, options)?;
        }
        Ok(Strategy { kind, options })
    }

    /// The name an explanation shows.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            Kind::Default => "default",
            Kind::First => "first",
            Kind::Unique => "unique",
            Kind::Hash => "hash",
            Kind::Deep(_) => "deep",
            Kind::UnconstrainedDeep(_) => "unconstrained_deep",
            Kind::ReverseDeep(_) => "reverse_deep",
        }
    }

    /// Whether the search ends with the first value.
    pub(crate) fn is_first_found(&self) -> bool {
        matches!(self.kind, Kind::Default | Kind::First)
    }

    /// Whether nobody asked for a strategy.
    pub(crate) fn is_default(&self) -> bool {
        matches!(self.kind, Kind::Default)
    }

    /// Whether the strategy is `hash`.
    pub(crate) fn is_hash(&self) -> bool {
        matches!(self.kind, Kind::Hash)
    }

    /// Whether the strategy is `unique`.
    pub(crate) fn is_unique(&self) -> bool {
        matches!(self.kind, Kind::Unique)
    }

    /// Whether the strategy is one of the deep ones.
    pub(crate) fn is_deep(&self) -> bool {
        matches!(self.kind, Kind::Deep(_) | Kind::UnconstrainedDeep(_) | Kind::ReverseDeep(_))
    }

    /// What becomes of a value that is the only candidate there could be.
    pub(crate) fn single(&self, value: Value) -> Value {
        match (&self.kind, &value) {
            (Kind::Unique, Value::Array(elements)) => Value::from(unique(elements.iter().cloned())),
            _ => value,
        }
    }

    /// What becomes of the first of several values.
    pub(crate) fn convert(&self, value: Value) -> Value {
        match self.kind {
            Kind::Unique => Value::from(flatten(value)),
            _ => value,
        }
    }

    /// Merges a value with the next one of lower priority.
    pub(crate) fn merge(&self, higher: Value, lower: Value) -> Result<Value, Error> {
        match &self.kind {
            Kind::Default | Kind::First => Ok(higher),
            Kind::Unique => {
                check_element("first", &higher, Expected::ScalarOrArray)?;
                check_element("second", &lower, Expected::ScalarOrArray)?;
                Ok(Value::from(unique(flatten(higher).into_iter().chain(flatten(lower)))))
            }
            Kind::Hash => {
                check_element("first", &higher, Expected::Hash)?;
                check_element("second", &lower, Expected::Hash)?;
                Ok(merge_hashes(higher, lower))
            }
            Kind::Deep(deep) | Kind::UnconstrainedDeep(deep) => deep.merge(higher, lower),
            Kind::ReverseDeep(deep) => deep.merge(lower, higher),
        }
    }
}

fn merge_hashes(higher: Value, lower: Value) -> Value {
    match (higher, lower) {
        (Value::Hash(higher), Value::Hash(lower)) => {
            let mut merged = Arc::unwrap_or_clone(lower);
            merged.extend(higher.iter().map(|(key, value)| (key.clone(), value.clone())));
            Value::from(merged)
        }
        (higher, _) => higher,
    }
}

fn flatten(value: Value) -> Vec<Value> {
    fn collect(value: Value, flat: &mut Vec<Value>) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| collect(element.clone(), flat)),
            other => flat.push(other),
        }
    }
    let mut flat = Vec::new();
    collect(value, &mut flat);
    flat
}

/// The values without repetitions, in the order of their first appearance.
fn unique(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen = Hash::new();
    for value in values {
        if !seen.contains_key(&value) {
            seen.insert(value, Value::Undef);
        }
    }
    seen.into_iter().map(|(value, _)| value).collect()
}

enum Expected {
    Hash,
    ScalarOrArray,
}

fn check_element(which: &str, value: &Value, expected: Expected) -> Result<(), Error> {
    let (fits, expects) = match expected {
        Expected::Hash => (matches!(value, Value::Hash(_)), "a Hash value"),
        Expected::ScalarOrArray => {
            (!matches!(value, Value::Hash(_) | Value::Undef | Value::Default), "a value of type Scalar or Array")
        }
    };
    if fits {
        return Ok(());
    }
    let got = type_name(value);
    Err(Error::general(format!("The {which} element of the merge has wrong type, expects {expects}, got {got}")))
}

/// The name a mismatch message gives to the type of a value.
fn type_name(value: &Value) -> EcoString {
    let name = match value {
        Value::Undef => "Undef",
        Value::Default => "Default",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Array(elements) if elements.is_empty() => "Array",
        Value::Array(_) => "Tuple",
        Value::Hash(hash) if hash.is_empty() || hash.keys().any(|key| key.as_str().is_none_or(str::is_empty)) => "Hash",
        Value::Hash(_) => "Struct",
        Value::Type(_) => "Type",
        Value::Sensitive(_) => "Sensitive",
        _ => "Any",
    };
    EcoString::from(name)
}

/// Refuses options that the strategy does not have.
fn check_options(kind: &Kind, options: &Hash) -> Result<(), Error> {
    let (texts, booleans): (&[&str], &[&str]) = match kind {
        Kind::UnconstrainedDeep(_) | Kind::ReverseDeep(_) => return Ok(()),
        Kind::Deep(_) => {
            (&["knockout_prefix"], &["merge_debug", "merge_hash_arrays", "sort_merged_arrays"])
        }
        _ => (&[], &[]),
    };
    let wrong = |problem: String| Err(Error::call(format!("The merge options has wrong type, {problem}")));
    for (key, value) in options.iter() {
        let name = crate::ruby::to_s(key);
        let entry = |expects: &str| format!("entry '{name}' expects {expects} value, got {}", type_name(value));
        match (name.as_str(), value) {
            ("strategy", _) | (_, Value::Undef) => {}
            (_, Value::String(_)) if texts.contains(&name.as_str()) => {}
            (_, Value::Boolean(_)) if booleans.contains(&name.as_str()) => {}
            _ if texts.contains(&name.as_str()) => return wrong(entry("a value of type Undef or String").replace(" value, got", ", got")),
            _ if booleans.contains(&name.as_str()) => return wrong(entry("a value of type Undef or Boolean").replace(" value, got", ", got")),
            _ => return wrong(format!("unrecognized key '{name}'")),
        }
    }
    Ok(())
}
