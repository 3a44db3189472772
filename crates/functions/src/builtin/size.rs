//! `size`: another name for `length`.

use bunraku_compiler::function;

use crate::builtin::length::length;

function! {
    /// Returns the number of elements of a collection, of characters of a string, or of bytes of a `Binary`.
    ///
    /// ```puppet
    /// size({'a' => 1}) # 1
    /// ```
    "size" {
        "(Variant[Collection, String, Binary] $arg)" as ">> Integer" => length(arg),
    }
}
