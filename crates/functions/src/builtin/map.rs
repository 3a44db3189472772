//! `map`: an array of what a lambda makes of each element.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, limits};
use bunraku_syntax::Issue;

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
        "(Hash $hash, Callable[2, 2] &$block)" as ">> Array" => map_entries(call, hash),
        "(Hash $hash, Callable[1, 1] &$block)" as ">> Array" => map_elements(call, hash),
        "(Iterable $enumerable, Callable[2, 2] &$block)" as ">> Array" => map_entries(call, enumerable),
        "(Iterable $enumerable, Callable[1, 1] &$block)" as ">> Array" => map_elements(call, enumerable),
    }
}

fn map_entries(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<Vec<Value>> {
    let mut results = Results::default();
    if has_keys(collection) && matches!(collection, Value::Iterator(_)) {
        // Compatibility: a sequence of entries, unlike a hash, cannot be left with `break()`.
        for (key, value) in entries(collection) {
            results.push(call.yield_to_block(vec![key, value])?)?;
        }
        return Ok(results.values);
    }
    call.each_until_break(entries(collection), |call, (key, value)| {
        Ok(results.push(call.yield_to_block(vec![key, value])?)?)
    })?;
    Ok(results.values)
}

fn map_elements(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<Vec<Value>> {
    let mut results = Results::default();
    call.each_until_break(taken_elements(collection), |call, element| {
        Ok(results.push(call.yield_to_block(vec![element])?)?)
    })?;
    Ok(results.values)
}

/// What a block gave so far, which is not too large.
#[derive(Default)]
struct Results {
    values: Vec<Value>,
    size: u64,
}

impl Results {
    fn push(&mut self, value: Value) -> Result<(), Issue> {
        self.size = self.size.saturating_add(value.extent().size);
        self.values.push(value);
        limits::check_size(self.size)
    }
}
