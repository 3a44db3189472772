//! Values that foreign code has changed in place: what they are now takes their place wherever they are held.
//!
//! Compatibility: in Ruby all who hold an array or a hash hold the same object. Here values do not change, so the rare
//! change of one is made by replacing it.

use std::sync::Arc;

use bunraku_pcore::{Hash, Value};
use bunraku_syntax::deep;
use rustc_hash::FxHashMap;

use crate::frame::Frame;

/// What arrays and hashes have become, by where they were.
pub type Replaced = FxHashMap<usize, Value>;

/// Where an array or a hash is.
pub fn place(value: &Value) -> Option<usize> {
    match value {
        Value::Array(items) => Some(Arc::as_ptr(items).cast::<u8>() as usize),
        Value::Hash(hash) => Some(Arc::as_ptr(hash).cast::<u8>() as usize),
        _ => None,
    }
}

/// Replaces values in many places; what was looked into once is known.
pub struct Replacing<'r> {
    replaced: &'r Replaced,
    seen: FxHashMap<usize, Option<Value>>,
}

impl<'r> Replacing<'r> {
    /// With what arrays and hashes have become.
    pub fn new(replaced: &'r Replaced) -> Self {
        Replacing { replaced, seen: FxHashMap::default() }
    }

    /// Replaces what has changed in a value.
    pub fn apply(&mut self, value: &mut Value) {
        if let Some(now) = self.now(value) {
            *value = now;
        }
    }

    /// What a value is now, if that is something else.
    fn now(&mut self, value: &Value) -> Option<Value> {
        if let Value::Sensitive(inner) = value {
            return self.now(inner).map(|now| Value::Sensitive(Arc::new(now)));
        }
        let place = place(value)?;
        if let Some(now) = self.replaced.get(&place) {
            return Some(now.clone());
        }
        if let Some(known) = self.seen.get(&place) {
            return known.clone();
        }
        let now = deep(|| match value {
            Value::Array(items) => {
                let parts: Vec<Option<Value>> = items.iter().map(|item| self.now(item)).collect();
                parts.iter().any(Option::is_some).then(|| {
                    let parts = parts.into_iter().zip(items.iter());
                    Value::from(parts.map(|(now, item)| now.unwrap_or_else(|| item.clone())).collect::<Vec<_>>())
                })
            }
            Value::Hash(hash) => {
                let parts: Vec<Option<Value>> = hash.values().map(|item| self.now(item)).collect();
                parts.iter().any(Option::is_some).then(|| {
                    let parts = parts.into_iter().zip(hash.iter());
                    let entries = parts.map(|(now, (key, item))| (key.clone(), now.unwrap_or_else(|| item.clone())));
                    Value::Hash(Arc::new(entries.collect::<Hash>()))
                })
            }
            _ => None,
        });
        self.seen.insert(place, now.clone());
        now
    }
}

impl Frame<'_, '_> {
    /// Replaces values in all variables and in the parameters of all resources.
    pub fn replace_values(&mut self, replaced: &Replaced) {
        let mut replacing = Replacing::new(replaced);
        self.compilation.scopes.each_value(&mut |value| replacing.apply(value));
        self.compilation.build.each_value(&mut |value| replacing.apply(value));
    }
}
