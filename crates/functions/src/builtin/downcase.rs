//! `downcase`: text in lower case.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::text;

function! {
    /// Writes a text in lower case.
    ///
    /// All texts in an array or hash are changed, keys included. Numbers stay as they are.
    ///
    /// ```puppet
    /// downcase('Hello') # 'hello'
    /// ```
    "downcase" where "StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]" {
        "(Numeric $arg)" => downcase(arg),
        "(String $arg)" => downcase(arg),
        "(Array[StringData] $arg)" => downcase(arg),
        "(Hash[StringData, StringData] $arg)" => downcase(arg),
    }
}

fn downcase(arg: &Value) -> Value {
    text::map_deep(arg, text::downcase)
}
