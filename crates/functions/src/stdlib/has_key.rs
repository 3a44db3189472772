//! `has_key`: whether a hash has a key.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns whether a hash has a key. `in` of the language does the same.
    ///
    /// ```puppet
    /// has_key({'a' => 1}, 'a') # true
    /// ```
    "has_key" of "stdlib" {
        "arity -1" as "(Hash $hash, Any $key) >> Boolean" => has_key(*args),
    }
}

fn has_key(args: &[Value]) -> Result<bool, Issue> {
    let [hash, key] = args else {
        return fail(format!("has_key(): wrong number of arguments ({}; must be 2)", args.len()));
    };
    match hash {
        Value::Hash(hash) => Ok(hash.contains_key(key)),
        other => {
            let (shown, class) = (inspect::inspect(other), host_class(other));
            fail(format!("has_key(): expects the first argument to be a hash, got {shown} which is of type {class}"))
        }
    }
}
