//! `apache::bool2httpd`: a boolean as Apache writes it.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};

use crate::stdlib::deprecation::forward;

function! {
    /// Returns `On` or `Off` for what is true or false; any other value becomes a string.
    ///
    /// ```puppet
    /// apache::bool2httpd(true) # 'On'
    /// ```
    "apache::bool2httpd" of "apache" {
        "(Any $arg)" as ">> String" => bool2httpd(arg),
    }
}

function! {
    /// Returns `On` or `Off` for what is true or false. Deprecated: use `apache::bool2httpd`.
    ///
    /// ```puppet
    /// bool2httpd(true) # 'On'
    /// ```
    FLAT: "bool2httpd" of "apache" {
        "(Any *$args)" as "(Any $value) >> String" => flat(call, *args),
    }
}

fn bool2httpd(value: &Value) -> String {
    let has = |word: &str| value.as_str().is_some_and(|text| text.to_ascii_lowercase().contains(word));
    match value {
        Value::Undef | Value::Boolean(false) => "Off".to_owned(),
        _ if has("false") => "Off".to_owned(),
        Value::Boolean(true) => "On".to_owned(),
        _ if has("true") => "On".to_owned(),
        other => inspect::to_s(other).into_owned(),
    }
}

fn flat(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    forward(call, "apache::bool2httpd", "function", args)
}
