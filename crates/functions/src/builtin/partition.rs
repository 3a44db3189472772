//! `partition`: elements in two arrays, by the answer of a lambda.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::iteration::{elements, entries};

function! {
    /// Returns two arrays: the elements for which the lambda gives a true value, and all others.
    ///
    /// ```puppet
    /// partition([1, 2, 3]) |$x| { $x > 1 } # [[2, 3], [1]]
    /// ```
    "partition" {
        "(Collection $collection, Callable[1, 1] &$block) >> Tuple[Array, Array]" => by_element(call, collection),
        "(Array $array, Callable[2, 2] &$block) >> Tuple[Array, Array]" => by_entry(call, array),
        "(Collection $collection, Callable[2, 2] &$block) >> Tuple[Array, Array]" => by_entry(call, collection),
    }
}

fn by_element(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    partition(elements(collection), |element| call.yield_to_block(vec![element.clone()]))
}

fn by_entry(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    let pairs = elements(collection).zip(entries(collection));
    let (yes, no) = split(pairs, |(_, (key, value))| call.yield_to_block(vec![key.clone(), value.clone()]))?;
    let elements = |pairs: Vec<(Value, (Value, Value))>| Value::array(pairs.into_iter().map(|(element, _)| element));
    Ok(Value::array([elements(yes), elements(no)]))
}

fn partition(elements: impl Iterator<Item = Value>, test: impl FnMut(&Value) -> Outcome) -> Outcome {
    let (yes, no) = split(elements, test)?;
    Ok(Value::array([yes.into(), no.into()]))
}

fn split<T>(items: impl Iterator<Item = T>, mut test: impl FnMut(&T) -> Outcome) -> Outcome<(Vec<T>, Vec<T>)> {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for item in items {
        if test(&item)?.is_truthy() { yes.push(item) } else { no.push(item) }
    }
    Ok((yes, no))
}
