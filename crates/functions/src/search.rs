//! The search that `all`, `any` and `index` have in common: the first element a lambda decides on.

use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::Value;

use crate::iteration;

/// The position or key of the first entry for which the lambda's answer is `wanted`, called with `arguments` of it.
pub(crate) fn first(
    call: &mut Call<'_, '_>,
    collection: &Value,
    wanted: bool,
    arguments: impl Fn(&Value, Value) -> Vec<Value>,
) -> Outcome<Option<Value>> {
    for (key, value) in iteration::entries(collection) {
        match call.yield_to_block(arguments(&key, value)) {
            Err(Unwind::Break(_)) if iteration::search_may_break(collection) => return Ok(None),
            outcome => {
                if outcome?.is_truthy() == wanted {
                    return Ok(Some(key));
                }
            }
        }
    }
    Ok(None)
}

/// The arguments for a lambda with one parameter: the element, which of a hash is a pair.
pub(crate) fn element(collection: &Value) -> impl Fn(&Value, Value) -> Vec<Value> {
    let has_keys = iteration::has_keys(collection);
    move |key, value| if has_keys { vec![Value::array([key.clone(), value])] } else { vec![value] }
}

/// The arguments for a lambda with two parameters.
pub(crate) fn entry(key: &Value, value: Value) -> Vec<Value> {
    vec![key.clone(), value]
}
