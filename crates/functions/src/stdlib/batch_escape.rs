//! `batch_escape`: a string for a Windows batch file.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};

function! {
    /// Puts a string into double quotes, with what has a meaning in a batch file escaped.
    ///
    /// ```puppet
    /// batch_escape('a "b"')
    /// ```
    "batch_escape" of "stdlib" {
        "(Any $string)" as ">> String" => batch_escape(string),
    }
}

function! {
    /// Puts a string into double quotes, with what has a meaning in a batch file escaped.
    ///
    /// ```puppet
    /// batch_escape('a "b"')
    /// ```
    NAMESPACED: "stdlib::batch_escape" of "stdlib" {
        "(Any $string)" as ">> String" => batch_escape(string),
    }
}

fn batch_escape(value: &Value) -> String {
    let mut escaped = String::from("\"");
    for letter in inspect::to_s(value).chars() {
        match letter {
            '"' => escaped.push_str("\"\""),
            '$' | '\\' => escaped.extend(['\\', letter]),
            other => escaped.push(other),
        }
    }
    escaped.push('"');
    escaped
}
