//! `try_get_value`: a value deep inside of data.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::stdlib::dig44::dig44;

function! {
    /// Returns the value behind keys with a separator (`/`) between them, or the default. `dig` of the language has taken its
    /// place.
    ///
    /// ```puppet
    /// try_get_value({'a' => [1, 2]}, 'a/1', 0) # 2
    /// ```
    "try_get_value" of "stdlib" {
        "arity -2" as "(Any $data, Any $path = undef, Any $default = undef, Any $separator = undef) >> Any" => try_get_value(call, *args),
    }
}

fn try_get_value(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    call.frame.log(
        Level::Warning,
        "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead.".into(),
        None,
    );
    let data = args.first().cloned().unwrap_or_default();
    let path = match args.get(1).filter(|path| path.is_truthy()) {
        None => "",
        Some(Value::String(path)) => path,
        Some(_) if !matches!(data, Value::Hash(_) | Value::Array(_)) => "",
        Some(other) => return Err(legacy_arguments::undefined_method("split", other)),
    };
    let default = args.get(2).filter(|default| default.is_truthy());
    if !matches!(data, Value::Hash(_) | Value::Array(_)) || path.is_empty() {
        return Ok(default.cloned().unwrap_or(data));
    }
    call.frame.log(
        Level::Warning,
        "dig() DEPRECATED: This function has been replaced in Puppet 4.5.0, please use dig44() for backwards \
         compatibility or use the new version."
            .into(),
        None,
    );
    let separator = args.get(3).and_then(Value::as_str).unwrap_or("/");
    let keys = path.split(separator).map(|key| match key.parse() {
        Ok(index) if legacy_arguments::is_digits(key) => Value::Integer(index),
        _ => Value::from(key),
    });
    dig44(&[data, Value::array(keys), args.get(2).cloned().unwrap_or_default()])
}
