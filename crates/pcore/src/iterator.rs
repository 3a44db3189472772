//! Sequences that are not built: the elements of anything that can be iterated, and what `reverse_each` and `step` give.

use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::array::Array;
use crate::data_type::Type;
use crate::data_types::IntegerType;
use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::limits::ELEMENTS;
use crate::value::Value;

/// A lazy sequence as a value, with the type of its elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iterator {
    /// The type of each element.
    pub element_type: Type,
    /// The elements.
    pub sequence: Sequence,
    /// How many elements were taken.
    taken: Taken,
}

/// How many elements were taken from a lazy sequence; this makes no sequence different from another.
///
/// Compatibility: `each`, `map` and `filter` take elements off a lazy sequence, and the next one goes on from there.
#[derive(Debug, Default)]
struct Taken(AtomicU64);

impl Clone for Taken {
    fn clone(&self) -> Taken {
        Taken(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

impl PartialEq for Taken {
    fn eq(&self, _other: &Taken) -> bool {
        true
    }
}

impl Eq for Taken {}

impl StdHash for Taken {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

/// Elements that are made when they are asked for; every one can be reached by its position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// The elements of an array.
    Array(Arc<Array>),
    /// The entries of a hash, as arrays of key and value.
    Hash(Arc<Hash>),
    /// Integers of a range.
    Range(IntegerRange),
    /// Another sequence, last element first.
    Reversed(Arc<Sequence>),
    /// The first element of another sequence and then each `n`-th.
    Step(Arc<Sequence>, u64),
}

/// The integers between two bounds that are whole steps from one of them: the upper one if the step is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerRange {
    /// The lower bound.
    from: i64,
    /// The upper bound.
    to: i64,
    /// From one integer to the next; never zero, and perhaps further than integers go.
    step: i128,
}

impl IntegerRange {
    /// All integers between two bounds.
    pub const fn new(from: i64, to: i64) -> IntegerRange {
        IntegerRange { from, to, step: 1 }
    }

    fn len(self) -> u64 {
        if self.from > self.to {
            return 0;
        }
        self.stated_size().saturating_add(1)
    }

    /// How long the reference says it is: the last element is left out.
    pub fn stated_size(self) -> u64 {
        let steps = u128::from(self.to.abs_diff(self.from)) / self.step.unsigned_abs();
        u64::try_from(steps).unwrap_or(u64::MAX)
    }

    fn get(self, position: u64) -> Option<i64> {
        let first = if self.step < 0 { self.to } else { self.from };
        let integer = i128::from(position).checked_mul(self.step)?.checked_add(i128::from(first))?;
        i64::try_from(integer).ok().filter(|integer| (self.from..=self.to).contains(integer))
    }

    fn reversed(self) -> IntegerRange {
        IntegerRange { step: self.step.saturating_neg(), ..self }
    }

    /// Each `n`-th of its integers. Compatibility: the bound that is not reached moves by the rest of the division, so that
    /// a range that is reversed again begins there.
    fn every(self, n: u64) -> IntegerRange {
        let step = self.step.saturating_mul(i128::from(n));
        let rest = (i128::from(self.to) - i128::from(self.from)).rem_euclid(step.abs());
        let (from, to) = match step < 0 {
            // A remainder with the sign of the divisor: it is taken off the lower bound.
            true if rest != 0 => (i128::from(self.from) + step.abs() - rest, i128::from(self.to)),
            true => (i128::from(self.from), i128::from(self.to)),
            false => (i128::from(self.from), i128::from(self.to) - rest),
        };
        let bound = |number: i128| i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX });
        IntegerRange { from: bound(from), to: bound(to), step }
    }

    fn data_type(self) -> Type {
        Type::integer(IntegerType { from: Some(self.from), to: Some(self.to) })
    }
}

impl Sequence {
    /// The elements of a value that can be iterated: arrays, hashes, characters, `0` up to a number, ranges, enums.
    pub fn of(value: &Value) -> Option<Sequence> {
        match value {
            Value::Array(elements) => Some(Sequence::Array(elements.clone())),
            Value::Hash(hash) => Some(Sequence::Hash(hash.clone())),
            Value::String(text) => {
                let character = |character: char| Value::string(ecow::EcoString::from(character));
                // Nobody goes further than this; that there is more must be seen.
                let most = usize::try_from(ELEMENTS).map_or(usize::MAX, |most| most + 1);
                Some(Sequence::Array(Arc::new(text.chars().take(most).map(character).collect())))
            }
            Value::Integer(count @ 0..) => Some(Sequence::Range(IntegerRange::new(0, count - 1))),
            Value::Iterator(iterator) => Some(iterator.sequence.clone()),
            Value::Type(data_type) => match data_type.resolved() {
                Type::Integer(range) => Some(Sequence::Range(IntegerRange::new(range.from?, range.to?))),
                Type::Enum(values) => {
                    Some(Sequence::Array(Arc::new(values.values.iter().cloned().map(Value::String).collect())))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of elements.
    pub fn len(&self) -> u64 {
        match self {
            Sequence::Array(elements) => elements.len() as u64,
            Sequence::Hash(hash) => hash.len() as u64,
            Sequence::Range(range) => range.len(),
            Sequence::Reversed(inner) => inner.len(),
            Sequence::Step(inner, step) => inner.len().div_ceil((*step).max(1)),
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at a position.
    pub fn get(&self, position: u64) -> Option<Value> {
        match self {
            Sequence::Array(elements) => elements.get(usize::try_from(position).ok()?).cloned(),
            Sequence::Hash(hash) => {
                let (key, value) = hash.get_index(usize::try_from(position).ok()?)?;
                Some(Value::array([key.clone(), value.clone()]))
            }
            Sequence::Range(range) => range.get(position).map(Value::Integer),
            Sequence::Reversed(inner) => inner.get(inner.len().checked_sub(position)?.checked_sub(1)?),
            Sequence::Step(inner, step) => inner.get(position.checked_mul(*step)?),
        }
    }

    /// Whether the elements are integers of a range.
    pub fn is_range(&self) -> bool {
        matches!(self, Sequence::Range(_))
    }

    /// The elements one after the other.
    pub fn iter(&self) -> impl std::iter::Iterator<Item = Value> + '_ {
        (0..self.len()).map_while(|position| self.get(position))
    }
}

impl Iterator {
    /// A lazy sequence of which nothing is taken.
    pub fn new(element_type: Type, sequence: Sequence) -> Iterator {
        Iterator { element_type, sequence, taken: Taken::default() }
    }

    /// The position of the element to take, which may be behind the last one.
    pub fn take(&self) -> u64 {
        self.taken.0.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether every use takes the elements: those of ranges and steps exist only once.
    pub fn is_spent_by_use(&self) -> bool {
        matches!(self.sequence, Sequence::Step(..)) || self.sequence.is_range()
    }

    /// The elements for a use that takes them only if every use does.
    pub fn values(&self) -> impl std::iter::Iterator<Item = Value> + '_ {
        let is_spent = self.is_spent_by_use();
        let position = move |position| if is_spent { self.take() } else { position };
        (0..self.sequence.len()).map_while(move |index| self.sequence.get(position(index)))
    }

    /// A lazy sequence over a value that can be iterated.
    pub fn on(value: &Value) -> Option<Iterator> {
        let sequence = Sequence::of(value)?;
        let element_type = match value {
            Value::Iterator(iterator) => iterator.element_type.clone(),
            Value::String(_) => Type::string_of_size(IntegerType { from: Some(1), to: Some(1) }),
            Value::Integer(0) => Type::Unit,
            Value::Integer(count) => Type::integer(IntegerType { from: Some(0), to: Some(count - 1) }),
            Value::Type(data_type) => data_type.clone(),
            Value::Hash(hash) if hash.is_empty() => pair_of(Type::Unit, Type::Unit),
            Value::Hash(hash) => pair_of(any_of(hash.keys()), any_of(hash.values())),
            Value::Array(elements) if elements.is_empty() => Type::Unit,
            Value::Array(elements) => any_of(elements.iter()),
            _ => Type::Any,
        };
        Some(Iterator::new(element_type, sequence))
    }

    /// The same elements, last one first.
    pub fn reversed(self) -> Iterator {
        let sequence = match self.sequence {
            Sequence::Reversed(inner) => Arc::unwrap_or_clone(inner),
            Sequence::Range(range) => Sequence::Range(range.reversed()),
            other => Sequence::Reversed(Arc::new(other)),
        };
        Iterator::new(self.element_type, sequence)
    }

    /// The first element and then each `step`-th. Compatibility: a reversed range may end up with bounds that no range has.
    pub fn step(self, step: u64) -> Result<Iterator, Issue> {
        Ok(match self.sequence {
            Sequence::Range(range) if range.len() > 0 => {
                let range = range.every(step.max(1));
                if range.from > range.to {
                    return Err(issues::descending_range(&range.from, &range.to));
                }
                Iterator::new(range.data_type(), Sequence::Range(range))
            }
            sequence => Iterator::new(self.element_type, Sequence::Step(Arc::new(sequence), step.max(1))),
        })
    }
}

/// The type of an entry of a hash.
fn pair_of(key: Type, value: Type) -> Type {
    Type::tuple(vec![key, value], Some(IntegerType::exactly(2)))
}

/// The type of values that are each one of these.
fn any_of<'v>(values: impl std::iter::Iterator<Item = &'v Value>) -> Type {
    Type::variant(values.map(Type::infer_detailed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sequence: &Sequence, expected: &[i64]) {
        let actual: Vec<Value> = sequence.iter().collect();
        assert_eq!(actual, expected.iter().copied().map(Value::from).collect::<Vec<_>>());
        assert_eq!(sequence.len(), expected.len() as u64);
    }

    #[test]
    fn chains_do_not_build_arrays() {
        let range = |from, to| IntegerRange::new(from, to);
        let reversed = Sequence::Range(range(1, i64::MAX).reversed());
        assert_eq!(reversed.get(1), Some(Value::Integer(i64::MAX - 1)));
        check(&Sequence::Range(range(1, 3).reversed().every(2)), &[3, 1]);
        check(&Sequence::Range(range(1, 6).every(4)), &[1, 5]);
        check(&Sequence::Range(range(3, 1)), &[]);
        check(&Sequence::Range(range(0, 10).reversed().every(3)), &[10, 7, 4]);
        check(&Sequence::Range(range(0, 10).reversed().every(3).reversed()), &[2, 5, 8]);
        check(&Sequence::Range(range(0, 10).every(4).reversed()), &[8, 4, 0]);
        check(&Sequence::Range(range(i64::MIN, i64::MAX).reversed().every(u64::MAX)), &[i64::MAX, i64::MIN]);
    }
}
