//! `to_python`: a value as Python code.

use bunraku_compiler::function;
use bunraku_pcore::serialize::to_data;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::{Issue, deep};

function! {
    /// Returns a value as an expression of Python. Rich values are shown as data.
    ///
    /// ```puppet
    /// to_python({'a' => [1, undef]})
    /// ```
    "to_python" of "stdlib" {
        "(Any $object)" as ">> String" => to_python(object),
    }
}

function! {
    /// Returns a value as an expression of Python. Rich values are shown as data.
    ///
    /// ```puppet
    /// to_python({'a' => [1, undef]})
    /// ```
    NAMESPACED: "stdlib::to_python" of "stdlib" {
        "(Any $object)" as ">> String" => to_python(object),
    }
}

fn to_python(value: &Value) -> Result<String, Issue> {
    Ok(text(&*to_data(value)?))
}

fn text(value: &Value) -> String {
    deep(|| match value {
        Value::Boolean(true) => "True".into(),
        Value::Boolean(false) => "False".into(),
        Value::Undef => "None".into(),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(text).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Hash(hash) => {
            let entries: Vec<String> =
                hash.iter().map(|(key, value)| format!("{}: {}", text(key), text(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => inspect::inspect(other),
    })
}
