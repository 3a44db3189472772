//! `uriescape`: a string for a URI.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::text;

function! {
    /// Escapes everything that may not be in a URI.
    /// Of an array, all strings are changed.
    ///
    /// ```puppet
    /// uriescape('a b') # 'a%20b'
    /// ```
    "uriescape" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $value, Any *$rest) >> Variant[String, Array]" => uriescape(*args),
    }
}

fn uriescape(args: &[Value]) -> Result<Value, Issue> {
    match args.first() {
        None => fail("uriescape(): Wrong number of arguments given (0 for 1)"),
        Some(Value::String(text)) => Ok(text::uri_escape(text).into()),
        Some(Value::Array(elements)) => Ok(Value::array(elements.iter().map(|element| match element {
            Value::String(text) => text::uri_escape(text).into(),
            other => other.clone(),
        }))),
        Some(_) => fail("uriescape(): Requires either array or string to work with"),
    }
}
