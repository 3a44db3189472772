//! How deep and how large data is. All work on data goes from a collection to its elements, so a program must not be able
//! to nest them without end; and `[$a, $a]` costs a program nothing, but whoever looks at all of it looks at `$a` twice.

use std::sync::atomic::{AtomicU64, Ordering};

use bunraku_syntax::deep;

use crate::data_type::Type;
use crate::iterator::Sequence;
use crate::limits::DATA_SIZE;
use crate::value::Value;

/// Types beyond this size are not looked at any further.
const LARGEST_TYPE: u64 = DATA_SIZE;

/// How deep and how large data is, with everything in it. What is shared counts as often as it is used, for that is how
/// large the data is when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many collections are inside of each other.
    pub depth: u32,
    /// The size in bytes, roughly.
    pub size: u64,
}

impl Extent {
    /// How large anything is by itself.
    pub(crate) const UNIT: u64 = size_of::<Value>() as u64;
    const SCALAR: Extent = Extent { depth: 0, size: Extent::UNIT };
    pub(crate) const COLLECTION: Extent = Extent { depth: 1, size: Extent::UNIT };

    fn text(size: usize) -> Extent {
        Extent { depth: 0, size: Extent::UNIT + size as u64 }
    }

    /// A collection with one more element.
    #[inline]
    pub(crate) fn with(self, element: &Value) -> Extent {
        self.and(element.extent())
    }

    #[inline]
    fn and(self, inner: Extent) -> Extent {
        Extent { depth: self.depth.max(inner.depth.saturating_add(1)), size: self.size.saturating_add(inner.size) }
    }
}

impl Value {
    /// How deep and how large the value is. Collections know it once they were asked.
    #[inline]
    pub fn extent(&self) -> Extent {
        match self {
            Value::String(text) => Extent::text(text.len()),
            Value::Array(array) => array.extent(),
            Value::Hash(hash) => hash.extent(),
            Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => Extent::SCALAR,
            other => other.extent_of_other(),
        }
    }

    #[inline(never)] // It would make the common cases slower.
    fn extent_of_other(&self) -> Extent {
        match self {
            Value::Sensitive(secret) => deep(|| Extent::COLLECTION.with(secret)),
            Value::Object(object) => object.extent(),
            Value::Type(data_type) => data_type.extent(),
            Value::Iterator(iterator) => iterator.sequence.extent(),
            Value::Binary(binary) => Extent::text(binary.bytes().len()),
            Value::Regexp(regexp) => Extent::text(regexp.source().len()),
            Value::Symbol(name) => Extent::text(name.len()),
            _ => Extent::SCALAR,
        }
    }
}

impl Type {
    fn extent(&self) -> Extent {
        let mut extent = Extent { depth: 0, size: 0 };
        let mut open = vec![(self.clone(), 1)];
        while let Some((data_type, depth)) = open.pop() {
            extent = Extent { depth: extent.depth.max(depth), size: extent.size + Extent::UNIT };
            if extent.size > LARGEST_TYPE {
                break;
            }
            // What an alias stands for may contain the alias.
            if !matches!(data_type, Type::Alias(_)) {
                data_type.children(&mut |child| open.push((child.clone(), depth + 1)));
            }
        }
        extent
    }
}

impl Sequence {
    fn extent(&self) -> Extent {
        match self {
            Sequence::Array(array) => array.extent(),
            Sequence::Hash(hash) => hash.extent(),
            Sequence::Range(..) => Extent::SCALAR,
            Sequence::Reversed(inner) | Sequence::Step(inner, _) => deep(|| Extent::COLLECTION.and(inner.extent())),
        }
    }
}

/// The extent of a collection, once somebody asked for it; this makes no collection different from another.
///
/// The lower bits are the size, those above the depth; a size is never zero.
#[derive(Debug, Default)]
pub(crate) struct Known(AtomicU64);

const SIZE_BITS: u32 = 48;
const MOST_SIZE: u64 = (1 << SIZE_BITS) - 1;
const MOST_DEPTH: u32 = u16::MAX as u32;

impl Known {
    /// The extent, which is found out if nobody asked before.
    #[inline]
    pub(crate) fn get_or(&self, find: impl FnOnce() -> Extent) -> Extent {
        self.get().unwrap_or_else(|| {
            let Extent { depth, size } = deep(find);
            let extent = Extent { depth: depth.min(MOST_DEPTH), size: size.min(MOST_SIZE) };
            self.set(extent);
            extent
        })
    }

    /// Takes in one more element of the collection.
    pub(crate) fn add(&mut self, element: &Value) {
        if let Some(extent) = self.get() {
            self.set(extent.with(element));
        }
    }

    /// Takes out an element of the collection, which may then be thought deeper than it is.
    pub(crate) fn subtract(&mut self, element: &Value) {
        match self.get() {
            Some(Extent { size: MOST_SIZE, .. }) => self.forget(),
            Some(Extent { depth, size }) => {
                self.set(Extent { depth, size: size.saturating_sub(element.extent().size).max(Extent::UNIT) })
            }
            None => {}
        }
    }

    /// To be called when the collection has changed in any other way.
    pub(crate) fn forget(&mut self) {
        *self.0.get_mut() = 0;
    }

    fn get(&self) -> Option<Extent> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            packed => Some(Extent { depth: (packed >> SIZE_BITS) as u32, size: packed & MOST_SIZE }),
        }
    }

    fn set(&self, extent: Extent) {
        let packed = u64::from(extent.depth.min(MOST_DEPTH)) << SIZE_BITS | extent.size.min(MOST_SIZE);
        self.0.store(packed, Ordering::Relaxed);
    }
}

impl Clone for Known {
    fn clone(&self) -> Known {
        Known(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_found_in_any_part() {
        let deep = (0..20).fold(Value::Undef, |value, _| Value::array([value]));
        let check = |value: Value, expected| assert_eq!(value.extent().depth, expected);
        check(Value::Integer(1), 0);
        check(Value::array([1.into(), deep.clone(), 2.into()]), 21);
        check(Value::hash([(deep.clone(), 1.into())]), 21);
        check(Value::hash([(1.into(), deep)]), 21);
        let deep = (0..20).fold(Type::Any, |data_type, _| Type::array(data_type, None));
        check(deep.into(), 21);
        check(
            (0..1_500).fold(Value::Undef, |value, _| {
                let value = Value::array([value]);
                value.extent();
                value
            }),
            1_500,
        );
    }

    #[test]
    fn shared_parts_count_as_often_as_they_are_used() {
        let twice = |levels| (0..levels).fold(Value::from("abc"), |value, _| Value::array([value.clone(), value]));
        assert_eq!(twice(3).extent().size, 8 * (Extent::UNIT + 3) + 7 * Extent::UNIT);
        assert_eq!(twice(200).extent().size, MOST_SIZE);
        let types = (0..60).fold(Type::Any, |inner, _| Type::tuple(vec![inner.clone(), inner], None));
        assert!(Value::from(types).extent().size > LARGEST_TYPE);
    }

    #[test]
    fn what_is_known_follows_changes() {
        let check = |value: &Value| {
            let known = value.extent();
            let fresh = match value {
                Value::Array(array) => Value::array(array.iter().cloned()),
                Value::Hash(hash) => {
                    hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<crate::Hash>().into()
                }
                other => other.clone(),
            };
            assert_eq!(known, fresh.extent());
        };
        let mut array = crate::Array::from(vec![Value::from("a")]);
        array.extent();
        array.push(Value::array([1.into()]));
        check(&Value::from(array.clone()));
        array.extend([Value::from("b")]);
        check(&Value::from(array.clone()));
        array.retain(|element| element.as_str().is_some());
        check(&Value::from(array));
        let mut hash = crate::Hash::new();
        hash.extent();
        hash.insert("a".into(), "long".into());
        check(&Value::from(hash.clone()));
        hash.insert("a".into(), "l".into());
        check(&Value::from(hash.clone()));
        hash.remove(&"a".into());
        check(&Value::from(hash));
    }
}
