//! A map that keeps the order of insertion and is meant to be small: a few entries are searched one by one, which takes
//! one allocation and no hashing; more of them get an index.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::find::Find;

/// Maps up to this size are searched one by one.
const SMALL: usize = 16;

/// How many entries a small map makes room for at once. Most maps are nearly complete when they grow: to double them would
/// leave half of the room empty.
const STEP: usize = 4;

/// Values by key, in the order in which the keys were first set.
#[derive(Clone, Debug)]
pub struct OrderMap<K, V> {
    entries: Vec<(K, V)>,
    /// The positions of the entries by the hash of their key, once there are many.
    index: Option<Box<HashTable<usize>>>,
}

impl<K, V> Default for OrderMap<K, V> {
    fn default() -> Self {
        OrderMap { entries: Vec::new(), index: None }
    }
}

impl<K, V> OrderMap<K, V> {
    /// An empty map with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        OrderMap { entries: Vec::with_capacity(capacity), index: None }
    }

    /// Makes room for so many more entries.
    pub fn reserve(&mut self, additional: usize) {
        self.entries.reserve(additional);
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry at a position.
    pub fn get_index(&self, index: usize) -> Option<(&K, &V)> {
        self.entries.get(index).map(pair)
    }

    /// The value at a position, to be changed.
    pub fn value_mut(&mut self, position: usize) -> Option<&mut V> {
        self.entries.get_mut(position).map(|(_, value)| value)
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.entries.iter().map(pair)
    }

    /// The entries in order, with values that can be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&K, &mut V)> + DoubleEndedIterator {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + DoubleEndedIterator + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values in order, to be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut V> + DoubleEndedIterator {
        self.entries.iter_mut().map(|(_, value)| value)
    }
}

/// The entries of a map in order.
pub type Iter<'m, K, V> = std::iter::Map<std::slice::Iter<'m, (K, V)>, fn(&'m (K, V)) -> (&'m K, &'m V)>;

fn pair<K, V>((key, value): &(K, V)) -> (&K, &V) {
    (key, value)
}

fn hash<Q: Hash + ?Sized>(key: &Q) -> u64 {
    FxBuildHasher.hash_one(key)
}

impl<K: Find<K>, V> OrderMap<K, V> {
    /// The position of a key.
    pub fn position<Q: Find<K> + ?Sized>(&self, key: &Q) -> Option<usize> {
        let is_at = |position: usize| self.entries.get(position).is_some_and(|(known, _)| key.is(known));
        match &self.index {
            None => self.entries.iter().position(|(known, _)| key.is(known)),
            Some(index) => index.find(hash(key), |&position| is_at(position)).copied(),
        }
    }

    /// The value of a key.
    pub fn get<Q: Find<K> + ?Sized>(&self, key: &Q) -> Option<&V> {
        self.position(key).and_then(|position| self.entries.get(position)).map(|(_, value)| value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Find<K> + ?Sized>(&mut self, key: &Q) -> Option<&mut V> {
        self.position(key).and_then(|position| self.entries.get_mut(position)).map(|(_, value)| value)
    }

    /// Whether there is an entry with this key.
    pub fn contains_key<Q: Find<K> + ?Sized>(&self, key: &Q) -> bool {
        self.position(key).is_some()
    }

    /// The map with other values, and without the keys that get none. It keeps the room it has where the values are not
    /// larger.
    pub fn filter_map<W>(self, mut value: impl FnMut(&K, V) -> Option<W>) -> OrderMap<K, W> {
        let before = self.entries.len();
        let entries = self.entries.into_iter().filter_map(|(key, old)| value(&key, old).map(|new| (key, new)));
        let mut map = OrderMap { entries: entries.collect(), index: self.index };
        if map.entries.len() != before {
            map.reindex();
        }
        map
    }

    /// Sets the value of a key; an existing key keeps its place. Returns the value that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some(known) = self.get_mut(&key) {
            return Some(std::mem::replace(known, value));
        }
        self.push(key, value);
        None
    }

    /// Adds an entry at the end; its key must be new, which is not checked.
    #[inline]
    pub fn push(&mut self, key: K, value: V) {
        debug_assert!(!self.contains_key(&key), "a key is added twice");
        let count = self.entries.len();
        if count == self.entries.capacity() && count < SMALL {
            self.entries.reserve_exact(STEP);
        }
        self.entries.push((key, value));
        if self.entries.len() > SMALL {
            self.index_last();
        }
    }

    fn index_last(&mut self) {
        let (Some(index), Some((position, (key, _)))) = (&mut self.index, self.entries.iter().enumerate().next_back())
        else {
            return self.reindex();
        };
        let entries = &self.entries;
        index.insert_unique(hash(key), position, |&at| entries.get(at).map_or(0, |(key, _)| hash(key)));
    }

    /// Puts an entry with a new key at a position, before what is there.
    pub fn insert_before(&mut self, position: usize, key: K, value: V) {
        self.entries.insert(position.min(self.entries.len()), (key, value));
        self.reindex();
    }

    /// Removes a key and keeps the order of the others.
    pub fn remove<Q: Find<K> + ?Sized>(&mut self, key: &Q) -> Option<V> {
        let (_, value) = self.entries.remove(self.position(key)?);
        self.reindex();
        Some(value)
    }

    /// Keeps the entries for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        let before = self.entries.len();
        self.entries.retain(|(key, value)| keep(key, value));
        if self.entries.len() != before {
            self.reindex();
        }
    }

    /// A map of entries whose keys must differ; otherwise gives the first entry with a key that another one has.
    pub fn from_entries(entries: Vec<(K, V)>) -> Result<Self, (K, V)> {
        let mut map = OrderMap { entries, index: None };
        map.reindex();
        let repeated = (0..map.entries.len()).find(|&position| {
            let first = map.entries.get(position).and_then(|(key, _)| map.position(key));
            first != Some(position)
        });
        match repeated {
            None => Ok(map),
            Some(position) => Err(map.entries.swap_remove(position)),
        }
    }

    fn reindex(&mut self) {
        if self.entries.len() <= SMALL {
            self.index = None;
            return;
        }
        let mut index = HashTable::with_capacity(self.entries.capacity());
        for (position, (key, _)) in self.entries.iter().enumerate() {
            index.insert_unique(hash(key), position, |&at| self.entries.get(at).map_or(0, |(key, _)| hash(key)));
        }
        self.index = Some(Box::new(index));
    }
}

/// The order of entries does not matter.
impl<K: Find<K>, V: PartialEq> PartialEq for OrderMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Find<K>, V: Eq> Eq for OrderMap<K, V> {}

impl<K: Find<K>, V> FromIterator<(K, V)> for OrderMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = OrderMap::default();
        map.extend(entries);
        map
    }
}

impl<K: Find<K>, V> Extend<(K, V)> for OrderMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        let entries = entries.into_iter();
        if self.entries.is_empty() {
            self.entries.reserve(entries.size_hint().0);
        }
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K, V> IntoIterator for OrderMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'m, K, V> IntoIterator for &'m OrderMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use proptest::prelude::*;

    use super::*;
    use crate::value::Value;

    proptest! {
        #[test]
        fn behaves_like_an_index_map(steps in prop::collection::vec((any::<bool>(), 0_i64..30, any::<u8>()), 0..200)) {
            let (mut map, mut model) = (OrderMap::default(), IndexMap::new());
            for (is_removed, key, value) in steps {
                let key = Value::Integer(key);
                match is_removed {
                    true => prop_assert_eq!(map.remove(&key), model.shift_remove(&key)),
                    false => prop_assert_eq!(map.insert(key.clone(), value), model.insert(key, value)),
                }
                prop_assert!(map.iter().eq(model.iter()));
                let seven = Value::Integer(7);
                prop_assert_eq!(map.get(&seven), model.get(&seven));
            }
            let even = |value: u8| value.is_multiple_of(2).then_some(u16::from(value));
            let map = map.filter_map(|_, value| even(value));
            let model: IndexMap<_, _> = model.into_iter().filter_map(|(key, value)| Some((key, even(value)?))).collect();
            prop_assert!(map.iter().eq(model.iter()));
            prop_assert!(model.iter().all(|(key, value)| map.get(key) == Some(value)));
        }
    }
}
