//! The hash: entries in insertion order, found by key in constant time.

use std::hash::{Hash as StdHash, Hasher};

use crate::extent::{Extent, Known};
use crate::find::Find;
use crate::order_map::OrderMap;
use crate::value::Value;

/// An insertion ordered map from value to value.
#[derive(Clone, Debug, Default)]
pub struct Hash {
    entries: OrderMap<Value, Value>,
    known: Known,
}

/// A text key that is looked up without making a value of it.
struct Text<'t>(&'t str);

impl StdHash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&Value::String(ecow::EcoString::new())).hash(state);
        self.0.hash(state);
    }
}

impl Find<Value> for Text<'_> {
    #[inline]
    fn is(&self, key: &Value) -> bool {
        matches!(key, Value::String(text) if text == self.0)
    }
}

impl Find<Value> for Value {
    #[inline]
    fn is(&self, key: &Value) -> bool {
        self == key
    }
}

impl Hash {
    /// An empty hash.
    pub fn new() -> Hash {
        Hash::default()
    }

    /// An empty hash with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Hash {
        Hash { entries: OrderMap::with_capacity(capacity), known: Known::default() }
    }

    /// How large the hash is.
    pub fn extent(&self) -> Extent {
        let add = |extent: Extent, (key, value)| extent.with(key).with(value);
        self.known.get_or(|| self.entries.iter().fold(Extent::COLLECTION, add))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(key)
    }

    /// The value of a key that is text.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.entries.get(&Text(key))
    }

    /// The value of a text key, which probably is at this position.
    pub(crate) fn get_str_near(&self, position: usize, key: &str) -> Option<&Value> {
        match self.entries.get_index(position) {
            Some((Value::String(known), value)) if known == key => Some(value),
            _ => self.get_str(key),
        }
    }

    /// Whether there is an entry with this key.
    pub fn contains_key(&self, key: &Value) -> bool {
        self.entries.contains_key(key)
    }

    /// The entry at a position.
    pub fn get_index(&self, index: usize) -> Option<(&Value, &Value)> {
        self.entries.get_index(index)
    }

    /// The position of a key.
    pub fn position(&self, key: &Value) -> Option<usize> {
        self.entries.position(key)
    }

    /// The value at a position, to be changed.
    pub fn value_mut(&mut self, position: usize) -> Option<&mut Value> {
        self.known.forget();
        self.entries.value_mut(position)
    }

    /// Sets the value of a key; an existing key keeps its place. Returns the value that was there.
    pub fn insert(&mut self, key: Value, value: Value) -> Option<Value> {
        match self.entries.position(&key) {
            Some(position) => {
                self.known.add(&value);
                let old = self.entries.value_mut(position).map(|known| std::mem::replace(known, value));
                old.inspect(|old| self.known.subtract(old))
            }
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// Adds an entry at the end; its key must be new, which is not checked.
    pub fn push(&mut self, key: Value, value: Value) {
        self.known.add(&key);
        self.known.add(&value);
        self.entries.push(key, value);
    }

    /// Removes a key and keeps the order of the others.
    pub fn remove(&mut self, key: &Value) -> Option<Value> {
        let value = self.entries.remove(key)?;
        self.known.subtract(key);
        self.known.subtract(&value);
        Some(value)
    }

    /// The entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> + DoubleEndedIterator {
        self.entries.iter()
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Value> + DoubleEndedIterator {
        self.entries.keys()
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> + DoubleEndedIterator + Clone {
        self.entries.values()
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        // The order of entries does not matter, as in the reference.
        self.entries == other.entries
    }
}

impl Eq for Hash {}

impl StdHash for Hash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal hashes may differ in order, so only their size may count.
        self.entries.len().hash(state);
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Hash {
        Hash { entries: entries.into_iter().collect(), known: Known::default() }
    }
}

impl Extend<(Value, Value)> for Hash {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|(key, value)| _ = self.insert(key, value));
    }
}

impl IntoIterator for Hash {
    type Item = (Value, Value);
    type IntoIter = std::vec::IntoIter<(Value, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}
