//! `to_json`: a value as JSON.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::json;

function! {
    /// Returns a value as JSON text.
    ///
    /// ```puppet
    /// to_json({'a' => 1}) # '{"a":1}'
    /// ```
    "to_json" of "stdlib" {
        "(Any $data)" => to_json(data),
    }
}

fn to_json(value: &Value) -> Result<String, Issue> {
    json::generate(value)
}
