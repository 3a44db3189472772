//! `swapcase`: a string with its case turned around.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::text;

function! {
    /// Writes capital letters small and lowercase letters as capitals.
    /// Of an array, all strings are changed.
    ///
    /// ```puppet
    /// swapcase('aBcD') # 'AbCd'
    /// ```
    "swapcase" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $value, Any *$rest) >> Variant[String, Array]" => swapcase(*args),
    }
}

fn swapcase(args: &[Value]) -> Result<Value, Issue> {
    match args.first() {
        None => fail("swapcase(): Wrong number of arguments given (0 for 1)"),
        Some(Value::String(text)) => Ok(text::swapcase(text).into()),
        Some(Value::Array(elements)) => Ok(Value::array(elements.iter().map(|element| match element {
            Value::String(text) => text::swapcase(text).into(),
            other => other.clone(),
        }))),
        Some(_) => fail("swapcase(): Requires either array or string to work with"),
    }
}
