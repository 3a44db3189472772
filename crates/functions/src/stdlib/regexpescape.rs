//! `regexpescape`: a string for a regular expression.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_pcore::regexp::escape;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Escapes everything that has a meaning in a regular expression.
    /// Of an array, all strings are changed.
    ///
    /// ```puppet
    /// regexpescape('a.b') # 'a\\.b'
    /// ```
    "regexpescape" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $value, Any *$rest) >> Variant[String, Array]" => regexpescape(*args),
    }
}

fn regexpescape(args: &[Value]) -> Result<Value, Issue> {
    match args.first() {
        None => fail("regexpescape(): Wrong number of arguments given (0 for 1)"),
        Some(Value::String(text)) => Ok(escape(text).into()),
        Some(Value::Array(elements)) => Ok(Value::array(elements.iter().map(|element| match element {
            Value::String(text) => escape(text).into(),
            other => other.clone(),
        }))),
        Some(_) => fail("regexpescape(): Requires either array or string to work with"),
    }
}
