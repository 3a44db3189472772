//! The entries of a hash, in the order in which they were added. Keys are the same if they are `eql?`.

use std::hash::{Hash, Hasher};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::symbol::sym;
use super::value::Value;
use crate::library::time::nanoseconds;

/// The entries of a hash.
pub(crate) type Entries = IndexMap<Key, Value, FxBuildHasher>;

/// A key.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) value: Value,
    /// What `hash` of the object says, where its class has one of its own.
    pub(crate) number: Option<i64>,
}

impl Key {
    /// A key whose class has no `hash` of its own.
    pub(crate) fn plain(value: Value) -> Key {
        Key { value, number: None }
    }

    pub(crate) fn str(text: &str) -> Key {
        Key::plain(Value::str(text))
    }

    pub(crate) fn sym(name: &str) -> Key {
        Key::plain(Value::sym(name))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        match (self.number, other.number) {
            (None, None) => is_eql(&self.value, &other.value),
            (a, b) => a == b,
        }
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.number {
            Some(number) => number.hash(state),
            None => hash(&self.value, state, 0),
        }
    }
}

/// How deeply keys are looked into.
const DEEPEST: u32 = 64;

/// Whether two values are equal and of the same class, as far as that is known without calling methods.
pub(crate) fn is_eql(a: &Value, b: &Value) -> bool {
    eql(a, b, 0)
}

fn eql(a: &Value, b: &Value, depth: u32) -> bool {
    if depth > DEEPEST {
        return a.is_same(b);
    }
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b || a.to_bits() == b.to_bits(),
        (Value::Big(a), Value::Big(b)) => a == b,
        (Value::Str(x), Value::Str(y)) => *x.bytes.borrow() == *y.bytes.borrow(),
        (Value::Array(x), Value::Array(y)) => {
            // What is being changed at the moment is a key inside itself.
            let (Ok(x), Ok(y)) = (x.items.try_borrow(), y.items.try_borrow()) else { return a.is_same(b) };
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(a, b)| eql(a, b, depth + 1))
        }
        (Value::Hash(x), Value::Hash(y)) => {
            let (Ok(x), Ok(y)) = (x.entries.try_borrow(), y.entries.try_borrow()) else { return a.is_same(b) };
            x.len() == y.len()
                && x.iter().all(|(key, value)| y.get(key).is_some_and(|other| eql(value, other, depth + 1)))
        }
        (Value::Range(x), Value::Range(y)) => {
            x.excludes_end == y.excludes_end && eql(&x.start, &y.start, depth + 1) && eql(&x.end, &y.end, depth + 1)
        }
        (Value::Regexp(x), Value::Regexp(y)) => x.source == y.source && x.options == y.options,
        (Value::Object(x), Value::Object(y)) => {
            std::rc::Rc::ptr_eq(x, y)
                || (std::rc::Rc::ptr_eq(&x.class.borrow(), &y.class.borrow())
                    && match (x.get(sym::HIDDEN_MEMBERS), y.get(sym::HIDDEN_MEMBERS)) {
                        (Some(a), Some(b)) => eql(&a, &b, depth + 1),
                        _ => nanoseconds(x).is_some_and(|time| nanoseconds(y) == Some(time)),
                    })
        }
        _ => a.is_same(b),
    }
}

pub(crate) fn hash<H: Hasher>(value: &Value, state: &mut H, depth: u32) {
    std::mem::discriminant(value).hash(state);
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Nil => {}
        Value::Bool(value) => value.hash(state),
        Value::Int(number) => number.hash(state),
        Value::Float(number) => (if *number == 0.0 { 0.0 } else { *number }).to_bits().hash(state),
        Value::Sym(name) => name.hash(state),
        Value::Big(number) => number.hash(state),
        Value::Str(string) => string.bytes.borrow().hash(state),
        Value::Array(array) => {
            let Ok(items) = array.items.try_borrow() else { return };
            items.len().hash(state);
            items.iter().for_each(|item| hash(item, state, depth + 1));
        }
        Value::Hash(table) => table.entries.try_borrow().map_or(0, |entries| entries.len()).hash(state),
        Value::Range(range) => {
            hash(&range.start, state, depth + 1);
            hash(&range.end, state, depth + 1);
        }
        Value::Regexp(regexp) => regexp.source.hash(state),
        Value::Object(object) => match object.get(sym::HIDDEN_MEMBERS) {
            Some(members) => hash(&members, state, depth + 1),
            None => match nanoseconds(object) {
                Some(time) => time.hash(state),
                None => value.address().hash(state),
            },
        },
        other => other.address().hash(state),
    }
}
