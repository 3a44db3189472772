//! `any`: whether an element passes a test.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::search;

function! {
    /// Returns whether the lambda gives a true value for some element.
    ///
    /// A lambda with two parameters gets the key or the index before the element.
    ///
    /// ```puppet
    /// [1, 2].any |$x| { $x > 1 } # true
    /// ```
    "any" {
        "(Hash $hash, Callable[2, 2] &$block)" as ">> Boolean" => by_entry(call, hash),
        "(Hash $hash, Callable[1, 1] &$block)" as ">> Boolean" => by_element(call, hash),
        "(Iterable $enumerable, Callable[2, 2] &$block)" as ">> Boolean" => by_entry(call, enumerable),
        "(Iterable $enumerable, Callable[1, 1] &$block)" as ">> Boolean" => by_element(call, enumerable),
    }
}

fn by_entry(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<bool> {
    Ok(search::first(call, collection, true, search::entry)?.is_some())
}

fn by_element(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<bool> {
    Ok(search::first(call, collection, true, search::element(collection))?.is_some())
}
