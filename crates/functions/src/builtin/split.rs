//! `split`: a string as an array of its parts.

use std::sync::Arc;

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Regexp, Type, Value};
use bunraku_syntax::Issue;

use crate::substitute;

function! {
    /// Splits a string where a pattern matches: a `Regexp`, a `Regexp` type, or a string that is read as one.
    ///
    /// Empty parts at the end are left out, groups of the pattern are among the parts. A `Sensitive` string gives a
    /// `Sensitive` array.
    ///
    /// ```puppet
    /// split('a1b2c', /\d/)    # ['a', 'b', 'c']
    /// split('v1.v2', '\\.')   # ['v1', 'v2']
    /// ```
    "split" {
        "(String $str, String $pattern)" as ">> Array[String]" => split(call, str, pattern),
        "(String $str, Regexp $pattern)" as ">> Array[String]" => split(call, str, pattern),
        "(String $str, Type[Regexp] $pattern)" as ">> Array[String]" => split(call, str, pattern),
        "(Sensitive[String] $sensitive, String $pattern)" as ">> Sensitive[Array[String]]" => split_secret(call, sensitive, pattern),
        "(Sensitive[String] $sensitive, Regexp $pattern)" as ">> Sensitive[Array[String]]" => split_secret(call, sensitive, pattern),
        "(Sensitive[String] $sensitive, Type[Regexp] $pattern)" as ">> Sensitive[Array[String]]" => split_secret(call, sensitive, pattern),
    }
}

fn split(call: &mut Call<'_, '_>, text: &str, pattern: &Value) -> Result<Value, Issue> {
    let parts = substitute::split(text, &*regexp(call, pattern)?)?;
    Ok(Value::array(parts.into_iter().map(Value::from)))
}

fn split_secret(call: &mut Call<'_, '_>, secret: &Value, pattern: &Value) -> Result<Value, Issue> {
    match secret {
        Value::Sensitive(text) => {
            let parts = split(call, text.as_str().unwrap_or_default(), pattern)?;
            Ok(Value::Sensitive(Arc::new(parts)))
        }
        _ => Ok(Value::Undef),
    }
}

/// The regular expression that a pattern stands for.
pub(crate) fn regexp(call: &mut Call<'_, '_>, pattern: &Value) -> Result<Arc<Regexp>, Issue> {
    match pattern {
        Value::Regexp(regexp) => Ok(regexp.clone()),
        Value::Type(Type::Regexp(data_type)) => match &data_type.pattern {
            Some(regexp) => Ok(regexp.clone()),
            None => call.frame.compilation.regexp(""),
        },
        other => call.frame.compilation.regexp(other.as_str().unwrap_or_default()),
    }
}
