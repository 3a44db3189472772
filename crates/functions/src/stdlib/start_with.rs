//! `stdlib::start_with`: whether a text starts with another.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::legacy_arguments;

function! {
    /// Returns whether a text starts with another one, or with one of several.
    ///
    /// ```puppet
    /// stdlib::start_with('foobar', ['foo', 'bar']) # true
    /// ```
    "stdlib::start_with" of "stdlib" {
        "(String $test_string, Variant[String[1], Array[String[1], 1]] $prefixes) >> Boolean" => start_with(test_string, prefixes),
    }
}

fn start_with(text: &str, prefixes: &Value) -> bool {
    legacy_arguments::list(prefixes).iter().filter_map(Value::as_str).any(|prefix| text.starts_with(prefix))
}
