//! What is kept for further use, up to a limit: the one policy by which a long-lived process forgets.
//!
//! A cache has two halves. What is asked for goes to the recent half; once that is full, it becomes the older half and what
//! was in the older half, which nobody has asked for since, is dropped. So a cache never keeps more than its limit,
//! and what is in use stays. Values are handed out as clones (of an [`Arc`](std::sync::Arc)): dropping one takes nothing away from
//! whoever uses it.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

/// Values by key, with a limit on the sum of their weights.
pub struct Cache<K, V> {
    limit: usize,
    halves: Mutex<Halves<K, V>>,
}

struct Halves<K, V> {
    recent: FxHashMap<K, Entry<V>>,
    older: FxHashMap<K, Entry<V>>,
    /// The weight of the recent half.
    weight: usize,
}

struct Entry<V> {
    weight: usize,
    value: V,
}

impl<K: Hash + Eq, V: Clone> Cache<K, V> {
    /// An empty cache for values of this weight altogether.
    pub fn new(limit: usize) -> Self {
        let halves = Halves { recent: FxHashMap::default(), older: FxHashMap::default(), weight: 0 };
        Cache { limit, halves: Mutex::new(halves) }
    }

    /// The value of a key, if it is kept.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let mut halves = self.halves();
        if let Some(entry) = halves.recent.get(key) {
            return Some(entry.value.clone());
        }
        let (key, entry) = halves.older.remove_entry(key)?;
        let value = entry.value.clone();
        halves.add(key, entry, self.limit);
        Some(value)
    }

    /// Keeps a value, in place of another with the same key. One that weighs more than half of the limit is not kept.
    pub fn insert(&self, key: K, weight: usize, value: V) {
        let mut halves = self.halves();
        halves.older.remove(&key);
        if let Some(before) = halves.recent.remove(&key) {
            halves.weight = halves.weight.saturating_sub(before.weight);
        }
        halves.add(key, Entry { weight, value }, self.limit);
    }

    fn halves(&self) -> MutexGuard<'_, Halves<K, V>> {
        self.halves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq, V> Halves<K, V> {
    fn add(&mut self, key: K, entry: Entry<V>, limit: usize) {
        let half = limit / 2;
        if entry.weight > half {
            return;
        }
        if self.weight.saturating_add(entry.weight) > half {
            self.older = std::mem::take(&mut self.recent);
            self.weight = 0;
        }
        self.weight = self.weight.saturating_add(entry.weight);
        self.recent.insert(key, entry);
    }
}

impl<K, V> fmt::Debug for Cache<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cache").field("limit", &self.limit).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_use_stays() {
        let cache: Cache<u32, u32> = Cache::new(20);
        for number in 0..1000 {
            cache.insert(number, 1, number);
            assert_eq!(cache.get(&0), Some(0), "{number}");
        }
        let kept = (0..1000).filter(|number| cache.get(number).is_some()).count();
        assert!((2..=20).contains(&kept), "{kept}");
        cache.insert(1, 11, 1);
        assert_eq!(cache.get(&1), None);
        cache.insert(0, 1, 7);
        assert_eq!(cache.get(&0), Some(7));
    }
}
