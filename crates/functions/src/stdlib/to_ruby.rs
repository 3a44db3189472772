//! `to_ruby`: a value as Ruby code.

use bunraku_compiler::function;
use bunraku_pcore::serialize::to_data;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::{Issue, deep};

function! {
    /// Returns a value as an expression of Ruby. Rich values are shown as data.
    ///
    /// ```puppet
    /// to_ruby({'a' => [1, undef]})
    /// ```
    "to_ruby" of "stdlib" {
        "(Any $object)" as ">> String" => to_ruby(object),
    }
}

function! {
    /// Returns a value as an expression of Ruby. Rich values are shown as data.
    ///
    /// ```puppet
    /// to_ruby({'a' => [1, undef]})
    /// ```
    NAMESPACED: "stdlib::to_ruby" of "stdlib" {
        "(Any $object)" as ">> String" => to_ruby(object),
    }
}

fn to_ruby(value: &Value) -> Result<String, Issue> {
    Ok(text(&*to_data(value)?))
}

fn text(value: &Value) -> String {
    deep(|| match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(text).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Hash(hash) => {
            let entries: Vec<String> =
                hash.iter().map(|(key, value)| format!("{} => {}", text(key), text(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => inspect::inspect(other),
    })
}
