//! `stdlib::crc32`: the CRC32 sum of a value.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};

use crate::digest;
use crate::legacy_arguments;

function! {
    /// Returns the CRC32 sum of a string, number, boolean or `Binary` as hexadecimal digits. A `Sensitive` may hide it.
    ///
    /// ```puppet
    /// stdlib::crc32('my string')
    /// ```
    "stdlib::crc32" of "stdlib" {
        "(Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data)" as ">> Variant[String, Sensitive[String]]" => crc32(my_data),
    }
}

fn crc32(value: &Value) -> String {
    // A Binary counts as its text in Base64.
    format!("{:x}", digest::crc32(inspect::to_s(legacy_arguments::unwrapped(value)).as_bytes()))
}
