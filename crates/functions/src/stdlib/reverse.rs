//! `reverse`: an array or string from its end.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the elements of an array, or the characters of a string, from the last to the first.
    ///
    /// ```puppet
    /// reverse([1, 2]) # [2, 1]
    /// ```
    "reverse" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $value) >> Variant[String, Array]" => reverse(*args),
    }
}

fn reverse(args: &[Value]) -> Result<Value, Issue> {
    match args.first() {
        None => fail("reverse(): Wrong number of arguments given (0 for 1)"),
        Some(Value::Array(elements)) => Ok(Value::array(elements.iter().rev().cloned())),
        Some(Value::String(text)) => Ok(text.chars().rev().collect::<String>().into()),
        Some(_) => fail("reverse(): Requires either array or string to work with"),
    }
}
