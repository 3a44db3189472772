//! `values`: the values of a hash.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};

function! {
    /// Returns the values of a hash as an array.
    ///
    /// ```puppet
    /// values({'a' => 1, 'b' => 2}) # [1, 2]
    /// ```
    "values" {
        "(Hash $hsh)" as ">> Array" => values(hsh),
    }
}

fn values(hash: &Hash) -> Vec<Value> {
    hash.values().cloned().collect()
}
