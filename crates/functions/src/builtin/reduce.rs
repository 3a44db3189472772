//! `reduce`: folds all elements into one value.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::Value;

use crate::iteration::elements;

function! {
    /// Calls the lambda with what it gave last and the next element, and returns what it gives in the end.
    ///
    /// It starts with the given value, or with the first element. `break()` ends it with the value so far.
    ///
    /// ```puppet
    /// [1, 2, 3].reduce |$sum, $x| { $sum + $x } # 6
    /// ```
    "reduce" {
        "(Iterable $enumerable, Callable[2, 2] &$block)" as ">> Any" => from_first(call, enumerable),
        "(Iterable $enumerable, Any $memo, Callable[2, 2] &$block)" as ">> Any" => from(call, enumerable, memo),
    }
}

fn from_first(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    let mut elements = elements(collection);
    let first = elements.next().unwrap_or_default();
    fold(call, first, elements)
}

fn from(call: &mut Call<'_, '_>, collection: &Value, memo: &Value) -> Outcome {
    fold(call, memo.clone(), elements(collection))
}

fn fold(call: &mut Call<'_, '_>, mut memo: Value, elements: impl Iterator<Item = Value>) -> Outcome {
    for element in elements {
        // The value so far is handed over, not shared, so that a collection can grow in place.
        match call.yield_to_block(vec![memo, element]) {
            Err(Unwind::Break(_)) => return Ok(call.abandoned_argument()),
            outcome => memo = outcome?,
        }
    }
    Ok(memo)
}
