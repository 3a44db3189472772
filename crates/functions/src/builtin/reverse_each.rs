//! `reverse_each`: elements from the last to the first.

use std::sync::Arc;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::iterator::Iterator;

function! {
    /// Gives the elements from the last to the first, to another function or to the lambda.
    ///
    /// ```puppet
    /// [1, 2].reverse_each.map |$x| { $x } # [2, 1]
    /// ```
    "reverse_each" {
        "(Iterable $iterable)" as ">> Iterable" => reverse_each(iterable),
        "(Iterable $iterable, Callable[1, 1] &$block)" as ">> Any" => each_reversed(call, iterable),
    }
}

fn reverse_each(collection: &Value) -> Option<Value> {
    Some(Value::Iterator(Arc::new(Iterator::on(collection)?.reversed())))
}

fn each_reversed(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<()> {
    let Some(reversed) = Iterator::on(collection).map(Iterator::reversed) else { return Ok(()) };
    call.each_until_break(reversed.sequence.iter(), |call, element| {
        call.yield_to_block(vec![element])?;
        Ok(())
    })
}
