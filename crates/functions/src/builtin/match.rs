//! `match`: what a pattern finds in a string.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Regexp, Type, Value};
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::number::fail;

function! {
    /// Returns an array of the matched string and its groups, or `undef` if nothing matches.
    ///
    /// The pattern is a `Regexp`, a string that is read as one, a `Regexp` or `Pattern` type, or an array of these, of which
    /// the first that matches counts. For an array of strings an array of such results is returned.
    ///
    /// ```puppet
    /// match('abc123', /([a-z]+)([0-9]+)/) # ['abc123', 'abc', '123']
    /// ```
    "match" {
        "(String $string, Variant[Any, Type] $pattern)" as ">> Optional[Array[Optional[String]]]" => find(call, string, pattern),
        "(Array[String] $string, Variant[Any, Type] $pattern)" as ">> Array" => find_each(call, string, pattern),
    }
}

fn find_each(call: &mut Call<'_, '_>, texts: &[Value], pattern: &Value) -> Result<Vec<Value>, Issue> {
    texts.iter().map(|text| Ok(find(call, text.as_str().unwrap_or_default(), pattern)?.into())).collect()
}

fn find(call: &mut Call<'_, '_>, text: &str, pattern: &Value) -> Result<Option<Value>, Issue> {
    match pattern {
        Value::String(source) => captures(text, &*call.frame.compilation.regexp(source)?),
        Value::Regexp(regexp) => captures(text, regexp),
        Value::Array(patterns) => first(flatten(patterns).iter().map(|pattern| find(call, text, pattern))),
        Value::Type(data_type) => by_type(text, data_type),
        other => not_a_pattern(&host_class(other)),
    }
}

fn by_type(text: &str, data_type: &Type) -> Result<Option<Value>, Issue> {
    match data_type.resolved() {
        Type::Regexp(regexp) => match &regexp.pattern {
            Some(pattern) => captures(text, pattern),
            None => fail("Given Regexp Type has no regular expression"),
        },
        Type::Pattern(pattern) => first(pattern.patterns.iter().map(|pattern| captures(text, pattern))),
        Type::Variant(variant) => first(variant.types.iter().map(|data_type| by_type(text, data_type))),
        other => not_a_pattern(&host_class(&Value::Type(other.clone()))),
    }
}

fn not_a_pattern<T>(class: &str) -> Result<T, Issue> {
    fail(format!(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got {class}"
    ))
}

/// The first result that is a match.
fn first(results: impl Iterator<Item = Result<Option<Value>, Issue>>) -> Result<Option<Value>, Issue> {
    for result in results {
        if let Some(found) = result? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn captures(text: &str, pattern: &Regexp) -> Result<Option<Value>, Issue> {
    let captures = pattern.captures(text)?;
    Ok(captures.map(|captures| Value::array(captures.iter().map(Value::from))))
}
