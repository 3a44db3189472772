//! `split`: a text as an array of its parts.

use std::sync::Arc;

use bunraku_compiler::function;
use bunraku_pcore::{Regexp, Type, Value};
use bunraku_syntax::Issue;

use crate::substitute;

function! {
    /// Splits a text where a pattern matches: a `Regexp`, a `Regexp` type, or text that is read as one.
    ///
    /// Empty parts at the end are left out, groups of the pattern are among the parts. A `Sensitive` text gives a
    /// `Sensitive` array.
    ///
    /// ```puppet
    /// split('a1b2c', /\d/)    # ['a', 'b', 'c']
    /// split('v1.v2', '\\.')   # ['v1', 'v2']
    /// ```
    "split" {
        "(String $str, String $pattern)" => split(str, pattern),
        "(String $str, Regexp $pattern)" => split(str, pattern),
        "(String $str, Type[Regexp] $pattern)" => split(str, pattern),
        "hidden (Sensitive[String] $sensitive, Variant[String, Regexp, Type[Regexp]] $pattern)"
            => split_secret(sensitive, pattern),
    }
}

fn split(text: &str, pattern: &Value) -> Result<Value, Issue> {
    let parts = substitute::split(text, &*regexp(pattern)?)?;
    Ok(Value::array(parts.into_iter().map(Value::from)))
}

fn split_secret(secret: &Value, pattern: &Value) -> Result<Value, Issue> {
    match secret {
        Value::Sensitive(text) => Ok(Value::Sensitive(Arc::new(split(text.as_str().unwrap_or_default(), pattern)?))),
        _ => Ok(Value::Undef),
    }
}

/// The regular expression that a pattern stands for.
pub(crate) fn regexp(pattern: &Value) -> Result<Arc<Regexp>, Issue> {
    match pattern {
        Value::Regexp(regexp) => Ok(regexp.clone()),
        Value::Type(Type::Regexp(data_type)) => match &data_type.pattern {
            Some(regexp) => Ok(regexp.clone()),
            None => Ok(Arc::new(Regexp::new("")?)),
        },
        other => Ok(Arc::new(Regexp::new(other.as_str().unwrap_or_default())?)),
    }
}
