//! How the elements of a value reach a block, and where `break()` has an effect.

use bunraku_pcore::Value;
use bunraku_pcore::iterator::Sequence;

/// The elements of a value that can be iterated; an entry of a hash is an array of its key and value.
pub(crate) fn elements(value: &Value) -> impl Iterator<Item = Value> {
    let sequence = sequence(value);
    (0..sequence.len()).map_while(move |position| sequence.get(position))
}

/// The elements with their keys in a hash and with their positions in everything else.
pub(crate) fn entries(value: &Value) -> impl Iterator<Item = (Value, Value)> {
    let sequence = sequence(value);
    (0..sequence.len()).map_while(move |position| match &sequence {
        Sequence::Hash(hash) => {
            let (key, value) = hash.get_index(usize::try_from(position).ok()?)?;
            Some((key.clone(), value.clone()))
        }
        other => Some((Value::Integer(i64::try_from(position).ok()?), other.get(position)?)),
    })
}

/// Whether the elements have keys.
pub(crate) fn has_keys(value: &Value) -> bool {
    matches!(sequence(value), Sequence::Hash(_))
}

/// Whether `break()` ends the search of `all`, `any` and `index` through this value.
///
/// Compatibility: only searches through ranges and steps can be ended.
pub(crate) fn search_may_break(value: &Value) -> bool {
    fn is_range(sequence: &Sequence) -> bool {
        match sequence {
            Sequence::Range(..) => true,
            Sequence::Reversed(inner) | Sequence::Step(inner, _) => is_range(inner),
            Sequence::Array(_) | Sequence::Hash(_) => false,
        }
    }
    let sequence = sequence(value);
    matches!(sequence, Sequence::Step(..)) || is_range(&sequence)
}

fn sequence(value: &Value) -> Sequence {
    Sequence::of(value).unwrap_or(Sequence::Range(0, -1))
}
