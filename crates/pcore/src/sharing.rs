//! How often parts of data are shared. `[$a, $a]` costs a program nothing, but whoever looks at all of it looks at `$a`
//! twice; sixty such steps would keep anyone busy for ever.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::depth::{Part, is_made_of_parts, open_up};
use crate::value::Value;

/// How many elements are looked at from each end of a collection.
const WINDOW: usize = 16;

/// How many elements at each end tell whether those of a collection are made of parts.
const PEEK: usize = 4;

/// Data of which so many parts have been seen without seeing one again and again is large, but not by sharing.
const ENOUGH: usize = 1 << 16;

impl Value {
    /// Whether there are more than `limit` collections in the data when each shared one is counted as often as it is used,
    /// and most of them are shared.
    ///
    /// This is asked of every collection that a program makes, so a single way down tells whether it is worth counting.
    pub fn shares_more_than(&self, limit: usize) -> bool {
        is_made_of_parts(&self) && may_exceed(self, limit) && exceeds(self, limit)
    }
}

/// Goes down, at each level into the largest part, and multiplies the numbers of parts.
fn may_exceed(value: &Value, limit: usize) -> bool {
    let mut ways = 1_usize;
    let mut current = Part::Value(value);
    while ways <= limit {
        let nearest = Nearest::of(current);
        let Some((_, largest)) = nearest.largest else { return false };
        ways = ways.saturating_mul(nearest.count);
        current = largest;
    }
    true
}

/// The parts near the ends of a collection that are made of parts themselves.
#[derive(Default)]
struct Nearest<'v> {
    count: usize,
    /// The largest of them, with its size.
    largest: Option<(usize, Part<'v>)>,
}

impl<'v> Nearest<'v> {
    fn of(part: Part<'v>) -> Nearest<'v> {
        let mut nearest = Nearest::default();
        match part {
            Part::Value(Value::Array(elements)) => {
                let (first, rest) = elements.split_at(elements.len().min(WINDOW));
                let last = rest.get(rest.len().saturating_sub(WINDOW)..).unwrap_or_default();
                nearest.extend(first.iter().chain(last));
            }
            Part::Value(Value::Hash(hash)) => {
                let entries = hash.iter().take(WINDOW).chain(hash.iter().skip(WINDOW).rev().take(WINDOW));
                nearest.extend(entries.flat_map(|(key, value)| [key, value]));
            }
            other => open_up(other, &mut |part| nearest.add(part)),
        }
        nearest
    }

    fn extend(&mut self, values: impl Iterator<Item = &'v Value>) {
        values.filter(is_made_of_parts).for_each(|value| self.add(Part::Value(value)));
    }

    fn add(&mut self, part: Part<'v>) {
        let size = match &part {
            Part::Value(Value::Array(elements)) => size(elements.iter(), elements.len()),
            Part::Value(Value::Hash(hash)) => size(hash.values(), hash.len()),
            _ => 1,
        };
        self.count += 1;
        if self.largest.as_ref().is_none_or(|(largest, _)| size > *largest) {
            self.largest = Some((size, part));
        }
    }
}

/// How many elements there are; nothing if those at the ends are not made of parts.
fn size<'v>(elements: impl DoubleEndedIterator<Item = &'v Value> + Clone, count: usize) -> usize {
    let mut at_ends = elements.clone().take(PEEK).chain(elements.rev().take(PEEK));
    if at_ends.any(|element| is_made_of_parts(&element)) { count } else { 0 }
}

/// Counts, and gives up where there is more than the limit, or enough without sharing.
fn exceeds(value: &Value, limit: usize) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![Part::Value(value)];
    let mut total = 0_usize;
    while let Some(part) = open.pop() {
        total += 1;
        seen.extend(address(&part));
        if total == ENOUGH && seen.len() > ENOUGH / 2 {
            return false;
        }
        if total > limit {
            return true;
        }
        open_up(part, &mut |part| open.push(part));
    }
    false
}

/// What tells a shared part from an equal one.
fn address(part: &Part<'_>) -> Option<usize> {
    Some(match part {
        Part::Value(Value::Array(elements)) => Arc::as_ptr(elements).addr(),
        Part::Value(Value::Hash(hash)) => Arc::as_ptr(hash).addr(),
        Part::Value(Value::Object(object)) => Arc::as_ptr(object).addr(),
        Part::Value(Value::Sensitive(secret)) => Arc::as_ptr(secret).addr(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_type::Type;

    #[test]
    fn sharing_is_told_from_size() {
        let check = |value: &Value, expected| assert_eq!(value.shares_more_than(100_000), expected);
        let twice = |levels| (0..levels).fold(Value::Undef, |value, _| Value::array([value.clone(), value]));
        check(&Value::Undef, false);
        check(&twice(10), false);
        check(&twice(200), true);
        let numbers = Value::array((0..40).map(Value::Integer));
        let among =
            |value: Value| Value::hash([(1.into(), numbers.clone()), (2.into(), value.clone()), (3.into(), value)]);
        check(&(0..60).fold(Value::Undef, |value, _| among(value)), true);
        check(&Value::array((0..200_000).map(|number| Value::array([Value::Integer(number)]))), false);
        let types = (0..60).fold(Type::Any, |inner, _| Type::tuple(vec![inner.clone(), inner], None));
        check(&types.into(), true);
    }
}
