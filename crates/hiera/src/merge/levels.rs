//! The deep merge of many hashes at once, where no option asks for more: the same as merging one after the other, but every
//! hash and array of the result is built once.

use std::sync::Arc;

use bunraku_pcore::{Hash, OrderMap, Value};

use super::deep::{Deep, MAXIMUM_DEPTH};
use super::unique;
use crate::error::Error;

/// A value, and the level it is from; the highest is 0.
type Found<'v> = (usize, &'v Value);

impl Deep {
    /// Merges hashes, the highest priority first.
    pub(super) fn merge_levels(&self, levels: &[&Arc<Hash>], depth: usize) -> Result<Value, Error> {
        if depth > MAXIMUM_DEPTH {
            return Err(Error::general("The values to merge are nested too deeply"));
        }
        if let [only] = levels {
            return Ok(Value::Hash(Arc::clone(only)));
        }
        // The keys of the lowest level come first, then what each higher one adds.
        let mut found: OrderMap<Value, Vec<Found<'_>>> = OrderMap::default();
        for (level, hash) in levels.iter().enumerate().rev() {
            for (key, value) in hash.iter() {
                match found.get_mut(key) {
                    Some(values) => values.push((level, value)),
                    None => found.push(key.clone(), vec![(level, value)]),
                }
            }
        }
        let mut merged = Hash::with_capacity(found.len());
        for (key, values) in found {
            merged.push(key, self.merge_found(&values, levels.len(), depth)?);
        }
        Ok(Value::from(merged))
    }

    /// Merges what some of so many levels have for a key, the lowest first.
    fn merge_found(&self, values: &[Found<'_>], levels: usize, depth: usize) -> Result<Value, Error> {
        let Some((lowest, _)) = values.first() else { return Ok(Value::Undef) };
        if let (Some(arrays), true) = (all(values, as_array), values.len() > 1) {
            return Ok(Value::from(unique(arrays.into_iter().flat_map(|elements| elements.iter().cloned()))));
        }
        let are_neighbours = values.iter().rev().zip(values.iter().rev().skip(1)).all(|((a, _), (b, _))| a + 1 == *b);
        let merged = match all(values, as_hash) {
            Some(mut hashes) if are_neighbours => {
                hashes.reverse();
                self.merge_levels(&hashes, depth.saturating_add(1))?
            }
            _ => self.merge_in_turn(values, depth)?,
        };
        // A level that does not have the key makes the value be merged with itself.
        if lowest + 1 < levels { self.merge_with_itself(merged, depth) } else { Ok(merged) }
    }

    fn merge_in_turn(&self, values: &[Found<'_>], depth: usize) -> Result<Value, Error> {
        let mut values = values.iter().rev();
        let Some((mut last, first)) = values.next().copied() else { return Ok(Value::Undef) };
        let mut merged = first.clone();
        for (level, value) in values {
            if last + 1 < *level {
                merged = self.merge_with_itself(merged, depth)?;
            }
            merged = match value.is_truthy() {
                true => self.merge_at(merged, (*value).clone(), depth.saturating_add(1))?,
                false => self.merge_with_itself(merged, depth)?,
            };
            last = *level;
        }
        Ok(merged)
    }
}

/// What the values are, if all are that.
fn all<'v, T>(values: &[Found<'v>], as_that: impl Fn(&'v Value) -> Option<T>) -> Option<Vec<T>> {
    values.iter().map(|(_, value)| as_that(value)).collect()
}

fn as_array(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(elements) => Some(elements),
        _ => None,
    }
}

fn as_hash(value: &Value) -> Option<&Arc<Hash>> {
    match value {
        Value::Hash(hash) => Some(hash),
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use bunraku_notation::yaml;

    const VALUES: [&str; 12] = [
        "~",
        "false",
        "1",
        "a",
        "[]",
        "[1, 1, a]",
        "[a, [b], b]",
        "{}",
        "{x: [1, 1]}",
        "{x: {y: 1}, z: [2, 2]}",
        "{z: {y: [3, 3]}}",
        "{z: 5, x: ~}",
    ];

    #[test]
    fn all_at_once_is_the_same_as_one_after_the_other() {
        let deep = Deep::default();
        let read = |text: &str| yaml::load(text.as_bytes(), "").unwrap().value.unwrap_or_default();
        let values = VALUES.map(read);
        for number in 0..13_usize.pow(3) {
            // The key `k` has one of the values in each level, or none.
            let levels: Vec<Arc<Hash>> = (0..3)
                .map(|level| {
                    let value = values.get(number / 13_usize.pow(level) % 13);
                    let only = (Value::from(format!("only{level}")), Value::from(values.to_vec()));
                    let k = value.map(|value| (Value::from("k"), value.clone()));
                    Arc::new(k.into_iter().chain([only]).collect())
                })
                .collect();
            let levels: Vec<&Arc<Hash>> = levels.iter().collect();
            let all = levels.iter().map(|level| Value::Hash(Arc::clone(level)));
            let in_turn = all.reduce(|merged, level| deep.merge(merged, level).unwrap()).unwrap();
            let at_once = deep.merge_levels(&levels, 0).unwrap();
            assert_eq!(at_once.to_string(), in_turn.to_string(), "{levels:?}");
        }
    }
}
