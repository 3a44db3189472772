//! `get`: a value deep inside of data, by a string of keys.

use std::sync::Arc;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::object::Object;
use bunraku_syntax::Issue;

use crate::navigate::{self, WrongWay};

function! {
    /// Returns the value behind keys and indexes with dots between them, or the default value if there is none.
    ///
    /// A key with a dot in it stands in quotes. A lambda gets an `Error` if the way leads through something that is no
    /// collection, and its value is returned.
    ///
    /// ```puppet
    /// get({'a' => [1, {'b' => 2}]}, 'a.1.b')  # 2
    /// get({'a.b' => 1}, '"a.b"')              # 1
    /// ```
    "get" {
        "(Any $value, String $dotted_string, Any $default_value = undef, Callable[1, 1] &$block = undef)" as ">> Any" => get(call, value, dotted_string, default_value),
    }
}

/// The value behind a string of keys.
pub(crate) fn get(call: &mut Call<'_, '_>, value: &Value, navigation: &str, default: Option<&Value>) -> Outcome {
    let default = || default.cloned().unwrap_or_default();
    if value.is_undef() {
        return Ok(default());
    }
    if navigation.is_empty() {
        return Ok(value.clone());
    }
    let keys = navigate::split(navigation)?;
    if !matches!(value, Value::Array(_) | Value::Hash(_)) {
        // `dig` says why it does not take it.
        return call.function("dig", [vec![value.clone()], keys].concat(), None);
    }
    match navigate::dig(value, &keys) {
        Ok(Value::Undef) => Ok(default()),
        Ok(found) => Ok(found),
        Err(wrong) if call.block.is_some() => call.yield_to_block(vec![error_value(wrong)]),
        Err(wrong) => Err(Issue::from(wrong).into()),
    }
}

/// What a lambda gets to see of a wrong way.
fn error_value(wrong: WrongWay) -> Value {
    let (name, data_type) = wrong.found;
    let details = [("walked_path", wrong.walked_path), (name, Value::from(data_type))];
    let details = Value::hash(details.map(|(name, value)| (Value::from(name), value)));
    Value::Object(Arc::new(Object::error(&wrong.message, "SLICE_ERROR", details, wrong.issue_code)))
}
