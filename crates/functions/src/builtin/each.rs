//! `each`: calls a lambda for each element.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::iteration::{entries, taken_elements};

function! {
    /// Calls the lambda for each element and returns the value that was iterated over.
    ///
    /// A lambda with two parameters gets the key or the index before the element. `break()` ends the iteration.
    ///
    /// ```puppet
    /// ['a', 'b'].each |$index, $letter| { notice("${index} = ${letter}") }
    /// ```
    "each" {
        "(Hash $hash, Callable[2, 2] &$block)" as ">> Hash" => each_entry(call, hash),
        "(Hash $hash, Callable[1, 1] &$block)" as ">> Hash" => each_element(call, hash),
        "(Iterable $enumerable, Callable[2, 2] &$block)" as ">> Any" => each_entry(call, enumerable),
        "(Iterable $enumerable, Callable[1, 1] &$block)" as ">> Any" => each_element(call, enumerable),
    }
}

fn each_entry(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    call.each_until_break(entries(collection), |call, (key, value)| {
        call.yield_to_block(vec![key, value])?;
        Ok(())
    })?;
    Ok(collection.clone())
}

fn each_element(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    call.each_until_break(taken_elements(collection), |call, element| {
        call.yield_to_block(vec![element])?;
        Ok(())
    })?;
    Ok(collection.clone())
}
