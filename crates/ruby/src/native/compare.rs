//! Equality and order of values, and sorting with an order that may fail.

use bunraku_syntax::deep;
use std::cmp::Ordering;

use super::value::{Key, List, Outcome, Range, Stop, Table, Value, Walk};

/// `==`.
pub(super) fn equals(left: &Value, right: &Value) -> Outcome<bool> {
    equals_within(left, right, &mut Walk::default())
}

fn equals_within(left: &Value, right: &Value, walk: &mut Walk) -> Outcome<bool> {
    Ok(match (left, right) {
        (Value::Nil, Value::Nil) => true,
        (Value::Boolean(left), Value::Boolean(right)) => left == right,
        (Value::Integer(left), Value::Integer(right)) => left == right,
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => {
            compare(left, right)? == Some(Ordering::Equal)
        }
        (Value::Symbol(left), Value::Symbol(right)) => left == right,
        (Value::String(left), Value::String(right)) => *left.look() == *right.look(),
        (Value::Array(left), Value::Array(right)) => return lists_equal(left, right, walk),
        (Value::Hash(left), Value::Hash(right)) => return hashes_equal(left, right, walk),
        (Value::Class(left), Value::Class(right)) => left == right,
        (
            Value::Foreign(_) | Value::Range(_) | Value::Regexp(_) | Value::Match(_),
            Value::Foreign(_) | Value::Range(_) | Value::Regexp(_) | Value::Match(_),
        )
        | (Value::Bytes(_) | Value::Enumerator(_) | Value::Scope | Value::Output, _)
        | (_, Value::Bytes(_) | Value::Enumerator(_) | Value::Scope | Value::Output) => return Err(Stop::Unsupported),
        _ => false,
    })
}

fn lists_equal(left: &List, right: &List, walk: &mut Walk) -> Outcome<bool> {
    if left.len() != right.len() {
        return Ok(false);
    }
    walk.inside(left.len(), |walk| {
        for (left, right) in left.items().iter().zip(right.items()) {
            if !equals_within(left, &right, walk)? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

fn hashes_equal(left: &Table, right: &Table, walk: &mut Walk) -> Outcome<bool> {
    if left.len() != right.len() {
        return Ok(false);
    }
    walk.inside(left.len(), |walk| {
        for (key, value) in left.pairs() {
            match right.get(&Key::of(&key)?) {
                Some(other) if equals_within(&value, &other, walk)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    })
}

/// `<=>`; nothing where the values have no order.
pub(super) fn compare(left: &Value, right: &Value) -> Outcome<Option<Ordering>> {
    compare_within(left, right, &mut Walk::default())
}

fn compare_within(left: &Value, right: &Value, walk: &mut Walk) -> Outcome<Option<Ordering>> {
    deep(|| {
        Ok(match (left, right) {
            (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
            (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
            (Value::Integer(left), Value::Float(right)) => exact(*left)?.partial_cmp(right),
            (Value::Float(left), Value::Integer(right)) => left.partial_cmp(&exact(*right)?),
            (Value::String(left), Value::String(right)) => Some(left.get().as_bytes().cmp(right.get().as_bytes())),
            (Value::Symbol(left), Value::Symbol(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
            (Value::Nil, Value::Nil) => Some(Ordering::Equal),
            (Value::Boolean(left), Value::Boolean(right)) => (left == right).then_some(Ordering::Equal),
            (Value::Array(left), Value::Array(right)) => {
                return walk.inside(left.len().min(right.len()), |walk| {
                    for (left, right) in left.items().iter().zip(right.items()) {
                        match compare_within(left, &right, walk)? {
                            Some(Ordering::Equal) => {}
                            decided => return Ok(decided),
                        }
                    }
                    Ok(Some(left.len().cmp(&right.len())))
                });
            }
            (left, right) => equals_within(left, right, walk)?.then_some(Ordering::Equal),
        })
    })
}

/// An integer as a float that is equal to it.
fn exact(integer: i64) -> Outcome<f64> {
    if integer.unsigned_abs() > 1 << 53 { Err(Stop::Unsupported) } else { Ok(integer as f64) }
}

/// `<=>` of values that must have an order.
pub(super) fn order(left: &Value, right: &Value) -> Outcome<Ordering> {
    compare(left, right)?.ok_or(Stop::Unsupported)
}

/// Whether a range covers a value.
pub(super) fn covers(range: &Range, value: &Value) -> Outcome<bool> {
    let kind = if matches!(range.start, Value::Nil) { &range.end } else { &range.start };
    let comparable = match (kind, value) {
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => true,
        (Value::String(_), Value::String(_)) => true,
        (Value::Integer(_) | Value::Float(_), Value::String(_) | Value::Nil | Value::Symbol(_)) => false,
        (Value::String(_), Value::Integer(_) | Value::Float(_) | Value::Nil | Value::Symbol(_)) => false,
        _ => return Err(Stop::Unsupported),
    };
    if !comparable {
        return Ok(false);
    }
    let after_start = matches!(range.start, Value::Nil) || order(&range.start, value)? != Ordering::Greater;
    let before_end = matches!(range.end, Value::Nil)
        || match order(value, &range.end)? {
            Ordering::Less => true,
            Ordering::Equal => !range.excludes_end,
            Ordering::Greater => false,
        };
    Ok(after_start && before_end)
}

/// Sorts as the C library does for Ruby: a merge sort that keeps the order of equal items.
pub(super) fn sort<T: Clone>(items: &mut [T], order: &mut dyn FnMut(&T, &T) -> Outcome<Ordering>) -> Outcome<()> {
    if items.len() < 2 {
        return Ok(());
    }
    let (left, right) = items.split_at_mut(items.len() / 2);
    sort(left, order)?;
    sort(right, order)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left_items, mut right_items) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(left), Some(right)) = (left_items.peek(), right_items.peek()) {
        let next = if order(left, right)? == Ordering::Greater { &mut right_items } else { &mut left_items };
        merged.extend(next.next().cloned());
    }
    merged.extend(left_items.chain(right_items).cloned());
    items.clone_from_slice(&merged);
    Ok(())
}
