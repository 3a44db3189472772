//! `map`: an array of what a lambda makes of each element.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::iteration::{entries, has_keys, taken_elements};

function! {
    /// Returns an array of what the lambda gives for each element.
    ///
    /// A lambda with two parameters gets the key or the index before the element. `break()` ends the iteration.
    ///
    /// ```puppet
    /// [1, 2].map |$x| { $x * 10 } # [10, 20]
    /// ```
    "map" {
        "(Hash $hash, Callable[2, 2] &$block)" => map_entries(call, hash),
        "(Hash $hash, Callable[1, 1] &$block)" => map_elements(call, hash),
        "(Iterable $enumerable, Callable[2, 2] &$block)" => map_entries(call, enumerable),
        "(Iterable $enumerable, Callable[1, 1] &$block)" => map_elements(call, enumerable),
    }
}

fn map_entries(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<Vec<Value>> {
    let mut results = Vec::new();
    if has_keys(collection) && matches!(collection, Value::Iterator(_)) {
        // Compatibility: a sequence of entries, unlike a hash, cannot be left with `break()`.
        for (key, value) in entries(collection) {
            results.push(call.yield_to_block(vec![key, value])?);
        }
        return Ok(results);
    }
    call.each_until_break(entries(collection), |call, (key, value)| {
        results.push(call.yield_to_block(vec![key, value])?);
        Ok(())
    })?;
    Ok(results)
}

fn map_elements(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<Vec<Value>> {
    let mut results = Vec::new();
    call.each_until_break(taken_elements(collection), |call, element| {
        results.push(call.yield_to_block(vec![element])?);
        Ok(())
    })?;
    Ok(results)
}
