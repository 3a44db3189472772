//! How deeply data nests. All work on values goes from a collection to its elements, so a program must not be able to
//! nest them without end.

use crate::data_type::Type;
use crate::iterator::Sequence;
use crate::value::Value;

/// How many parts are looked at, at most.
const MOST_PARTS: usize = 1_000_000;

/// A part of data that may be made of parts.
#[derive(Clone)]
pub(crate) enum Part<'v> {
    Value(&'v Value),
    Type(Type),
    Sequence(&'v Sequence),
}

impl Value {
    /// Whether there are collections in collections, or types in types, more than `limit` levels deep.
    pub fn nests_deeper_than(&self, limit: u32) -> bool {
        let mut open = vec![(Part::Value(self), 0)];
        for _ in 0..MOST_PARTS {
            let Some((part, depth)) = open.pop() else { return false };
            if depth > limit {
                return true;
            }
            open_up(part, &mut |part| open.push((part, depth + 1)));
        }
        false
    }
}

/// Whether a value may be made of other values or of types.
#[inline]
pub(crate) fn is_made_of_parts(value: &&Value) -> bool {
    match value {
        Value::Array(_) | Value::Hash(_) | Value::Sensitive(_) | Value::Object(_) | Value::Iterator(_) => true,
        // The most frequent types that are not.
        Value::Type(data_type) => {
            use Type::{Class, Enum, Integer, Resource, String};
            !matches!(data_type, Integer(_) | String(_) | Enum(_) | Resource(_) | Class(_))
        }
        _ => false,
    }
}

/// Gives what a part is made of, but for what is not made of anything.
pub(crate) fn open_up<'v>(part: Part<'v>, open: &mut dyn FnMut(Part<'v>)) {
    match part {
        Part::Value(Value::Array(elements)) | Part::Sequence(Sequence::Array(elements)) => {
            elements.iter().filter(is_made_of_parts).for_each(|element| open(Part::Value(element)));
        }
        Part::Value(Value::Hash(hash)) | Part::Sequence(Sequence::Hash(hash)) => {
            let parts = hash.keys().chain(hash.values()).filter(is_made_of_parts);
            parts.for_each(|element| open(Part::Value(element)));
        }
        Part::Value(Value::Sensitive(secret)) => open(Part::Value(secret)),
        Part::Value(Value::Object(object)) => {
            object.values().iter().filter(is_made_of_parts).for_each(|value| open(Part::Value(value)));
        }
        Part::Value(Value::Type(data_type)) => open(Part::Type(data_type.clone())),
        Part::Value(Value::Iterator(iterator)) => open(Part::Sequence(&iterator.sequence)),
        Part::Sequence(Sequence::Reversed(inner) | Sequence::Step(inner, _)) => open(Part::Sequence(inner)),
        // What an alias stands for may contain the alias.
        Part::Type(Type::Alias(_)) | Part::Value(_) | Part::Sequence(Sequence::Range(..)) => {}
        Part::Type(data_type) => data_type.children(&mut |child| open(Part::Type(child.clone()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_found_in_any_part() {
        let deep = (0..20).fold(Value::Undef, |value, _| Value::array([value]));
        let check = |value: Value, limit, expected| assert_eq!(value.nests_deeper_than(limit), expected, "{limit}");
        check(Value::Integer(1), 0, false);
        check(Value::array([1.into(), deep.clone(), 2.into()]), 19, true);
        check(Value::array([1.into(), deep.clone(), 2.into()]), 21, false);
        check(Value::hash([(deep.clone(), 1.into())]), 10, true);
        check(Value::hash([(1.into(), deep)]), 10, true);
        let deep = (0..20).fold(Type::Any, |data_type, _| Type::array(data_type, None));
        check(deep.into(), 10, true);
        let twice = (0..200).fold(Value::Undef, |value, _| Value::array([value.clone(), value]));
        check(twice.clone(), 100, true);
        check(twice, 1_000, false);
    }
}
