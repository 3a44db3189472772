//! How the elements of a value reach a block, and where `break()` has an effect.

use bunraku_pcore::iterator::{IntegerRange, Sequence};
use bunraku_pcore::{Value, limits};
use bunraku_syntax::Issue;

/// The elements of a value that can be iterated; an entry of a hash is an array of its key and value.
pub(crate) fn elements(value: &Value) -> impl Iterator<Item = Value> {
    let sequence = sequence(value);
    positions(value, false).map_while(move |position| sequence.get(position))
}

/// The elements of a value, for those who look at all of them.
pub(crate) fn all_elements(value: &Value) -> Result<impl Iterator<Item = Value>, Issue> {
    limits::check_elements(sequence(value).len())?;
    Ok(elements(value))
}

/// The elements with their keys in a hash and with their positions in everything else.
pub(crate) fn entries(value: &Value) -> impl Iterator<Item = (Value, Value)> {
    let sequence = sequence(value);
    positions(value, false).zip(0..).map_while(move |(position, index)| match &sequence {
        Sequence::Hash(hash) => {
            let (key, value) = hash.get_index(usize::try_from(position).ok()?)?;
            Some((key.clone(), value.clone()))
        }
        // Compatibility: with an index, Ruby takes an element of steps for a list of values and unpacks a single one.
        Sequence::Step(..) => Some((Value::Integer(index), unpacked(sequence.get(position)?))),
        other => Some((Value::Integer(index), other.get(position)?)),
    })
}

fn unpacked(value: Value) -> Value {
    match &value {
        Value::Array(values) => match values.as_slice() {
            [] => Value::Undef,
            [single] => single.clone(),
            _ => value,
        },
        _ => value,
    }
}

/// The elements, which are taken off a lazy sequence.
pub(crate) fn taken_elements(value: &Value) -> impl Iterator<Item = Value> {
    let sequence = sequence(value);
    positions(value, true).map_while(move |position| sequence.get(position))
}

/// The positions of the elements. Those of a lazy sequence may go on where another use of it ended.
fn positions(value: &Value, is_taken: bool) -> impl Iterator<Item = u64> {
    let shared = match value {
        Value::Iterator(iterator) if is_taken || iterator.is_spent_by_use() => Some(iterator.clone()),
        _ => None,
    };
    (0..).map(move |position| shared.as_ref().map_or(position, |iterator| iterator.take()))
}

/// Whether the elements have keys.
pub(crate) fn has_keys(value: &Value) -> bool {
    matches!(sequence(value), Sequence::Hash(_))
}

/// Whether `break()` ends the search of `all`, `any` and `index` through this value.
///
/// Compatibility: only searches through ranges and steps can be ended.
pub(crate) fn search_may_break(value: &Value) -> bool {
    let sequence = sequence(value);
    matches!(sequence, Sequence::Step(..)) || sequence.is_range()
}

pub(crate) fn sequence(value: &Value) -> Sequence {
    Sequence::of(value).unwrap_or(Sequence::Range(IntegerRange::new(0, -1)))
}
