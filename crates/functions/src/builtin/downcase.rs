//! `downcase`: a string in lower case.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::text;

function! {
    /// Writes a string in lower case.
    ///
    /// All strings in an array or hash are changed, keys included. Numbers stay as they are.
    ///
    /// ```puppet
    /// downcase('Hello') # 'hello'
    /// ```
    "downcase" where "StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => downcase(arg),
        "(String $arg)" as ">> String" => downcase(arg),
        "(Array[StringData] $arg)" as ">> Array" => downcase(arg),
        "(Hash[StringData, StringData] $arg)" as ">> Hash" => downcase(arg),
    }
}

fn downcase(arg: &Value) -> Value {
    text::map_deep(arg, text::downcase)
}
