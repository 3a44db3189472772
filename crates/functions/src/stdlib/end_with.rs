//! `stdlib::end_with`: whether a text ends with another.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::legacy_arguments;

function! {
    /// Returns whether a text ends with another one, or with one of several.
    ///
    /// ```puppet
    /// stdlib::end_with('foobar', ['foo', 'bar']) # true
    /// ```
    "stdlib::end_with" of "stdlib" {
        "(String $test_string, Variant[String[1], Array[String[1], 1]] $suffixes) >> Boolean" => end_with(test_string, suffixes),
    }
}

fn end_with(text: &str, suffixes: &Value) -> bool {
    legacy_arguments::list(suffixes).iter().filter_map(Value::as_str).any(|suffix| text.ends_with(suffix))
}
