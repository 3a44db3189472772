//! `step`: each n-th element.

use std::sync::Arc;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::iterator::Iterator;
use bunraku_syntax::Issue;

use crate::iteration::taken_elements;

function! {
    /// Gives the first element and then each n-th, to another function or to the lambda.
    ///
    /// ```puppet
    /// Integer[1, 9].step(4).map |$x| { $x } # [1, 5, 9]
    /// ```
    "step" {
        "(Iterable $iterable, Integer[1] $step)" as ">> Iterable" => lazily(iterable, step),
        "(Iterable $iterable, Integer[1] $step, Callable[1, 1] &$block)" as ">> Any" => each_step(call, iterable, step),
    }
}

fn lazily(collection: &Value, step: i64) -> Result<Value, Issue> {
    let Some(iterator) = Iterator::on(collection) else { return Ok(Value::Undef) };
    Ok(Value::Iterator(Arc::new(if step == 1 { iterator } else { iterator.step(step.unsigned_abs())? })))
}

fn each_step(call: &mut Call<'_, '_>, collection: &Value, step: i64) -> Outcome<()> {
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    call.each_until_break(taken_elements(collection).step_by(step.max(1)), |call, element| {
        call.yield_to_block(vec![element])?;
        Ok(())
    })
}
