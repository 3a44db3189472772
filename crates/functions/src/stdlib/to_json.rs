//! `to_json`: a value as JSON.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::json;
use crate::stdlib::rewrap_sensitive_data::rewrap;
use bunraku_compiler::Outcome;

function! {
    /// Returns a value as JSON.
    ///
    /// ```puppet
    /// to_json({'a' => 1}) # '{"a":1}'
    /// ```
    "to_json" of "stdlib" {
        "(Any $data)" as ">> Variant[String, Sensitive[String]]" => to_json(data),
    }
}

function! {
    /// Returns a value as JSON.
    ///
    /// ```puppet
    /// to_json({'a' => 1}) # '{"a":1}'
    /// ```
    NAMESPACED: "stdlib::to_json" of "stdlib" {
        "(Any $data)" as ">> Variant[String, Sensitive[String]]" => rewrapped(data),
    }
}

fn to_json(value: &Value) -> Result<String, Issue> {
    json::generate(value)
}

/// Secrets in the data make the string a secret.
fn rewrapped(value: &Value) -> Outcome {
    rewrap(value, |value| Ok(to_json(&value)?.into()))
}
