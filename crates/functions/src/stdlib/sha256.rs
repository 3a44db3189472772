//! `stdlib::sha256`: the SHA-256 sum of a value.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};

use crate::digest;
use crate::legacy_arguments;

function! {
    /// Returns the SHA-256 sum of a string, number, boolean or `Binary` as hexadecimal digits. A `Sensitive` may hide it.
    ///
    /// ```puppet
    /// stdlib::sha256('my string')
    /// ```
    "stdlib::sha256" of "stdlib" {
        "(Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data)" as ">> Variant[String, Sensitive[String]]" => sha256(my_data),
    }
}

fn sha256(value: &Value) -> String {
    // A Binary counts as its text in Base64.
    digest::sha256(inspect::to_s(legacy_arguments::unwrapped(value)).as_bytes())
}
