//! `upcase`: a string in upper case.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::text;

function! {
    /// Writes a string in upper case.
    ///
    /// All strings in an array or hash are changed, keys included. Numbers stay as they are.
    ///
    /// ```puppet
    /// upcase('Hello') # 'HELLO'
    /// ```
    "upcase" where "StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => upcase(arg),
        "(String $arg)" as ">> String" => upcase(arg),
        "(Array[StringData] $arg)" as ">> Array" => upcase(arg),
        "(Hash[StringData, StringData] $arg)" as ">> Hash" => upcase(arg),
    }
}

fn upcase(arg: &Value) -> Value {
    text::map_deep(arg, text::upcase)
}
