//! `keys`: the keys of a hash.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};

function! {
    /// Returns the keys of a hash as an array.
    ///
    /// ```puppet
    /// keys({'a' => 1, 'b' => 2}) # ['a', 'b']
    /// ```
    "keys" {
        "(Hash $hsh)" as ">> Array" => keys(hsh),
    }
}

fn keys(hash: &Hash) -> Vec<Value> {
    hash.keys().cloned().collect()
}
