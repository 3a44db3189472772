//! `hash`: an array as a hash.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::number::fail;

function! {
    /// Makes a hash of an array of keys and values in turn; inner arrays are flattened.
    ///
    /// ```puppet
    /// hash(['a', 1, 'b', 2]) # {'a' => 1, 'b' => 2}
    /// ```
    "hash" of "stdlib" {
        "arity -1" as "(Array $pairs) >> Hash" => to_hash(*args),
    }
}

fn to_hash(args: &[Value]) -> Result<Value, Issue> {
    let array = match args.first() {
        None => return fail("hash(): Wrong number of arguments given (0 for 1)"),
        Some(Value::Array(array)) => flatten(array),
        Some(_) => return fail("hash(): Requires array to work with"),
    };
    if array.len() % 2 != 0 {
        return fail("hash(): Unable to compute hash from array given");
    }
    let pairs = array.chunks_exact(2).filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone())));
    Ok(Value::hash(pairs))
}
