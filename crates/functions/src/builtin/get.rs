//! `get`: a value deep inside of data, by a text of keys.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::navigate;

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
        "(Any $value, String $dotted_string, Any $default_value = undef, Callable[1, 1] &$block = undef)"
            => get(call, value, dotted_string, default_value),
    }
}

/// The value behind a text of keys.
pub(crate) fn get(call: &mut Call<'_, '_>, value: &Value, navigation: &str, default: Option<&Value>) -> Outcome {
    let default = || default.cloned().unwrap_or_default();
    if value.is_undef() {
        return Ok(default());
    }
    if navigation.is_empty() {
        return Ok(value.clone());
    }
    match navigate::dig(value, &navigate::split(navigation)?) {
        Ok(Value::Undef) => Ok(default()),
        Ok(found) => Ok(found),
        Err(wrong) => Err(Issue::from(wrong).into()),
    }
}
