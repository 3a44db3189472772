//! `stdlib::nested_values`: all values in a hash.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::deep;

function! {
    /// Returns all values in a hash and in the hashes and arrays inside of it, in one array.
    ///
    /// ```puppet
    /// stdlib::nested_values({'a' => 1, 'b' => {'c' => [2, 3]}}) # [1, 2, 3]
    /// ```
    "stdlib::nested_values" of "stdlib" {
        "(Hash $hash) >> Array" => nested_values(hash),
    }
}

fn nested_values(hash: &Hash) -> Vec<Value> {
    deep(|| {
        let mut values = Vec::new();
        for value in hash.values() {
            match value {
                Value::Hash(inner) => values.extend(nested_values(inner)),
                other => values.push(other.clone()),
            }
        }
        values
    })
}
