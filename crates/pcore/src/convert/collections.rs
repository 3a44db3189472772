//! `new` of `Array` and `Hash`, which `Tuple` and `Struct` share.

use bunraku_syntax::deep;
use std::sync::Arc;

use bunraku_syntax::Issue;

use super::Context;
use super::constructor::{cannot_convert_type, constructor};
use crate::array::Array;
use crate::hash::Hash;
use crate::issues;
use crate::iterator::Sequence;
use crate::label;
use crate::limits::{DATA_DEPTH, ELEMENTS};
use crate::value::Value;

constructor!(
    array,
    "new_array",
    [],
    [
        [("Variant[Array,Hash,Binary,Iterable]", "from"), ("Boolean[false]", "wrap?")],
        [("Any", "from"), ("Boolean[true]", "wrap")],
    ]
);

constructor!(
    hash,
    "new_hash",
    [
        ("KeyValueArray", "Array[Tuple[Any,Any],1]"),
        ("TreeArray", "Array[Tuple[Array,Any],1]"),
        ("NewHashOption", "Enum[tree, hash_tree]"),
    ],
    [[("TreeArray", "from"), ("NewHashOption", "build_option?")], [("KeyValueArray", "from")], [("Any", "from")]]
);

pub(super) fn new_array(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = array()?;
    match (constructor.accepting(args), args) {
        (Some(0), [Value::Binary(binary), ..]) => {
            Ok(Value::array(binary.bytes().iter().map(|byte| Value::Integer(i64::from(*byte)))))
        }
        (Some(0), [from, ..]) => elements(from).map(Value::Array),
        (Some(_), [from @ Value::Array(_), _]) => Ok(from.clone()),
        (Some(_), [from, _]) => Ok(Value::array([from.clone()])),
        (None, [from] | [from, Value::Boolean(_)]) => Err(constructor.rejection(&cannot_convert_type(from, "Array"))),
        _ => Err(constructor.mismatch(args)),
    }
}

fn elements(from: &Value) -> Result<Arc<Array>, Issue> {
    match Sequence::of(from) {
        Some(sequence) if sequence.len() > ELEMENTS => Err(issues::runtime_error("array size too big")),
        Some(_) if let Value::Iterator(iterator) = from => Ok(Arc::new(iterator.values().collect())),
        Some(Sequence::Array(elements)) => Ok(elements),
        Some(sequence) => Ok(Arc::new(sequence.iter().collect())),
        None => Err(issues::runtime_error(cannot_convert_type(from, "Array"))),
    }
}

pub(super) fn new_hash(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = hash()?;
    match (constructor.accepting(args), args) {
        (Some(0), [Value::Array(entries), option]) => {
            let as_hashes = option.as_str() == Some("hash_tree");
            tree(entries, as_hashes).map(Value::from)
        }
        (Some(0 | 1), [Value::Array(pairs), ..]) => Ok(pairs_to_hash(pairs)),
        (Some(_), [from @ Value::Hash(_)]) => Ok(from.clone()),
        (Some(_), [from]) if Sequence::of(from).is_none() => {
            Err(issues::runtime_error(cannot_convert_type(from, "Hash")))
        }
        (Some(_), [from]) => flat_to_hash(&elements(from)?),
        _ => Err(constructor.mismatch(args)),
    }
}

fn pairs_to_hash(pairs: &[Value]) -> Value {
    let entry = |pair: &Value| match pair {
        Value::Array(pair) => match pair.as_slice() {
            [key, value] => Some((key.clone(), value.clone())),
            _ => None,
        },
        _ => None,
    };
    Value::hash(pairs.iter().filter_map(entry))
}

/// Keys and values that alternate.
fn flat_to_hash(elements: &[Value]) -> Result<Value, Issue> {
    if !elements.len().is_multiple_of(2) {
        return Err(issues::runtime_error("odd number of arguments for Hash"));
    }
    let entry = |pair: &[Value]| match pair {
        [key, value] => Some((key.clone(), value.clone())),
        _ => None,
    };
    Ok(Value::hash(elements.chunks(2).filter_map(entry)))
}

/// Builds nested hashes from paths and values. Values that are arrays stay so unless `as_hashes`.
fn tree(entries: &[Value], as_hashes: bool) -> Result<Hash, Issue> {
    let mut result = Node::Hash(Hash::new());
    for entry in entries {
        let Value::Array(pair) = entry else { continue };
        let [Value::Array(path), value] = pair.as_slice() else { continue };
        match path.split_last() {
            Some((_, parents)) if parents.len() > DATA_DEPTH as usize => {
                return Err(issues::runtime_error(format!("a path has more than {DATA_DEPTH} steps")));
            }
            Some((last, parents)) => {
                let value = if as_hashes { array_as_hash(value) } else { value.clone() };
                result.insert(parents, last, value)?;
            }
            None => result.merge(value)?,
        }
    }
    Ok(match result {
        Node::Hash(hash) => hash,
        Node::Array(_) => Hash::new(),
    })
}

/// A container that is being built.
enum Node {
    Hash(Hash),
    Array(Vec<Value>),
}

impl Node {
    fn of(value: Value) -> Option<Node> {
        match value {
            Value::Hash(hash) => Some(Node::Hash(Arc::unwrap_or_clone(hash))),
            Value::Array(elements) => Some(Node::Array(Arc::unwrap_or_clone(elements).into_vec())),
            _ => None,
        }
    }

    fn into_value(self) -> Value {
        match self {
            Node::Hash(hash) => hash.into(),
            Node::Array(elements) => elements.into(),
        }
    }

    /// Adds what an empty path leads to.
    fn merge(&mut self, value: &Value) -> Result<(), Issue> {
        let Node::Hash(hash) = self else { return Ok(()) };
        match value {
            Value::Array(elements) => {
                for (index, element) in (0..).zip(elements.iter()) {
                    hash.insert(Value::Integer(index), element.clone());
                }
            }
            Value::Hash(more) => hash.extend(more.iter().map(|(key, value)| (key.clone(), value.clone()))),
            other => {
                let name = label::in_conversion(other);
                return Err(issues::runtime_error(format!("no implicit conversion of {name} into Hash")));
            }
        }
        Ok(())
    }

    /// Sets the value at the end of a path and makes the hashes on the way.
    fn insert(&mut self, parents: &[Value], last: &Value, value: Value) -> Result<(), Issue> {
        deep(|| {
            let Some((first, rest)) = parents.split_first() else {
                self.set(last, value);
                return Ok(());
            };
            let mut child = match self.take(first) {
                None | Some(Value::Undef) => Node::Hash(Hash::new()),
                Some(found) => Node::of(found).ok_or_else(|| {
                    issues::runtime_error(format!("path leads through a value at '{first}' that is no collection"))
                })?,
            };
            child.insert(rest, last, value)?;
            self.set(first, child.into_value());
            Ok(())
        })
    }

    /// Takes a child out so that it can be changed; its place is kept.
    fn take(&mut self, key: &Value) -> Option<Value> {
        match self {
            Node::Hash(hash) => hash.contains_key(key).then(|| hash.insert(key.clone(), Value::Undef)).flatten(),
            Node::Array(elements) => elements.get_mut(index(key)?).map(std::mem::take),
        }
    }

    fn set(&mut self, key: &Value, value: Value) {
        match self {
            Node::Hash(hash) => {
                hash.insert(key.clone(), value);
            }
            Node::Array(elements) => {
                let Some(index) = index(key).filter(|index| *index <= elements.len() + MAXIMUM_GAP) else { return };
                if index >= elements.len() {
                    elements.resize(index + 1, Value::Undef);
                }
                if let Some(element) = elements.get_mut(index) {
                    *element = value;
                }
            }
        }
    }
}

/// How far beyond its end an array may be extended at once.
const MAXIMUM_GAP: usize = 1 << 20;

fn index(key: &Value) -> Option<usize> {
    match key {
        Value::Integer(index) => usize::try_from(*index).ok(),
        _ => None,
    }
}

fn array_as_hash(value: &Value) -> Value {
    deep(|| match value {
        Value::Array(elements) => Value::hash(
            (0..).zip(elements.iter()).map(|(index, element)| (Value::Integer(index), array_as_hash(element))),
        ),
        value => value.clone(),
    })
}
