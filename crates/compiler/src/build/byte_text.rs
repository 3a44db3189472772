//! Texts that are bytes for the reference: some functions give a text without an encoding. In the language it is a text like
//! any other; in a catalog it becomes a `Binary`.

use bunraku_syntax::deep;
use std::sync::Arc;

use ecow::EcoString;
use rustc_hash::FxHashMap;

use bunraku_pcore::data_types::Binary;
use bunraku_pcore::{Hash, Value};

/// The texts of a compilation that are bytes, by their addresses: what tells one from an equal text that is none. They are
/// kept, so that an address means one text.
#[derive(Debug, Default)]
pub(super) struct ByteTexts(FxHashMap<usize, EcoString>);

/// Shorter texts have no address that their copies share.
const SHORTEST_SHARED: usize = 16;

impl ByteTexts {
    /// Gives a text that is bytes.
    pub(super) fn add(&mut self, text: &str) -> Value {
        let mut shared = EcoString::with_capacity(text.len().max(SHORTEST_SHARED));
        shared.push_str(text);
        self.0.insert(address(&shared), shared.clone());
        Value::String(shared)
    }

    /// A value as a catalog has it.
    pub(super) fn in_catalog(&self, value: Value) -> Value {
        if self.0.is_empty() || !self.are_in(&value) { value } else { self.with_bytes(&value) }
    }

    /// A value that foreign code made of others: a text like one of theirs that is bytes is that one.
    pub(super) fn carried_over(&self, given: &[Value], value: Value) -> Value {
        let mut texts = Vec::new();
        if !self.0.is_empty() {
            given.iter().for_each(|value| self.collect(value, &mut texts));
        }
        if texts.is_empty() { value } else { with_texts(&value, &texts) }
    }

    fn collect<'v>(&self, value: &'v Value, texts: &mut Vec<&'v EcoString>) {
        match value {
            Value::String(text) if self.are_in(value) => texts.push(text),
            Value::Array(elements) => elements.iter().for_each(|element| self.collect(element, texts)),
            Value::Hash(hash) => hash.iter().for_each(|(_, value)| self.collect(value, texts)),
            _ => {}
        }
    }

    fn are_in(&self, value: &Value) -> bool {
        deep(|| match value {
            Value::String(text) => self.0.contains_key(&address(text)),
            Value::Array(elements) => elements.iter().any(|element| self.are_in(element)),
            Value::Hash(hash) => hash.iter().any(|(_, value)| self.are_in(value)),
            _ => false,
        })
    }

    fn with_bytes(&self, value: &Value) -> Value {
        deep(|| match value {
            Value::String(text) if self.are_in(value) => Value::Binary(Arc::new(Binary::new(text.as_bytes()))),
            Value::Array(elements) => Value::array(elements.iter().map(|element| self.with_bytes(element))),
            Value::Hash(hash) => {
                Value::from(hash.iter().map(|(key, value)| (key.clone(), self.with_bytes(value))).collect::<Hash>())
            }
            other => other.clone(),
        })
    }
}

fn with_texts(value: &Value, texts: &[&EcoString]) -> Value {
    match value {
        Value::String(text) => texts
            .iter()
            .find(|known| **known == text)
            .map_or_else(|| value.clone(), |known| Value::String((*known).clone())),
        Value::Array(elements) => Value::array(elements.iter().map(|element| with_texts(element, texts))),
        Value::Hash(hash) => {
            Value::from(hash.iter().map(|(key, value)| (key.clone(), with_texts(value, texts))).collect::<Hash>())
        }
        other => other.clone(),
    }
}

fn address(text: &EcoString) -> usize {
    text.as_ptr().addr()
}
