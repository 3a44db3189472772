//! `upcase`: text in upper case.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::text;

function! {
    /// Writes a text in upper case.
    ///
    /// All texts in an array or hash are changed, keys included. Numbers stay as they are.
    ///
    /// ```puppet
    /// upcase('Hello') # 'HELLO'
    /// ```
    "upcase" where "StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]" {
        "(Numeric $arg)" => upcase(arg),
        "(String $arg)" => upcase(arg),
        "(Array[StringData] $arg)" => upcase(arg),
        "(Hash[StringData, StringData] $arg)" => upcase(arg),
    }
}

fn upcase(arg: &Value) -> Value {
    text::map_deep(arg, text::upcase)
}
