//! `base64`: a string in base 64 and back.

use std::sync::Arc;

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::data_types::Binary;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Encodes or decodes a string. The third argument is `default`, `strict` (no line ends) or `urlsafe`.
    ///
    /// ```puppet
    /// base64('encode', 'hello', 'strict') # 'aGVsbG8='
    /// base64('decode', 'aGVsbG8=')        # 'hello'
    /// ```
    "base64" of "stdlib" {
        "arity -1" as "(String $action, String $text, String $method = undef) >> Variant[String, Binary]" => base64(call, *args),
    }
}

fn base64(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    if args.len() < 2 {
        return fail(format!("base64(): Wrong number of arguments ({}; must be >= 2)", args.len()));
    }
    let action = args.first().and_then(Value::as_str).unwrap_or_default();
    if !["encode", "decode"].contains(&action) {
        return fail("base64(): the first argument must be one of 'encode' or 'decode'");
    }
    let Some(text) = args.get(1).and_then(Value::as_str) else {
        return fail("base64(): the second argument must be a string to base64");
    };
    let method = args.get(2).map_or(Some("default"), Value::as_str).unwrap_or_default();
    let encoded = Binary::new(text.as_bytes());
    let bytes = match (action, method) {
        ("encode", "default") => return Ok(encoded.to_base64_lines().into()),
        ("encode", "strict") => return Ok(encoded.to_string().into()),
        ("encode", "urlsafe") => return Ok(encoded.to_base64_url_safe().into()),
        (_, "default") => Binary::from_base64(text),
        (_, "strict") => Binary::from_base64_strict(text).map_err(invalid)?,
        (_, "urlsafe") => Binary::from_base64_url_safe(text).map_err(invalid)?,
        _ => return fail("base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'"),
    };
    // Compatibility: what is decoded has no encoding; what is no string is what a catalog has for it.
    Ok(match std::str::from_utf8(bytes.bytes()) {
        Ok(text) => call.frame.compilation.build.byte_text(text),
        Err(_) => Value::Binary(Arc::new(bytes)),
    })
}

fn invalid(_: Issue) -> Issue {
    bunraku_pcore::issues::runtime_error("invalid base64")
}
