//! `parsepson`: data from JSON text.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::json;
use crate::number::fail;

function! {
    /// Returns the data of a JSON text, or the default if it cannot be read.
    ///
    /// ```puppet
    /// parsepson('{"a": 1}')
    /// ```
    "parsepson" of "stdlib" {
        "(String[1] $pson_string, Any $default = undef)" => parsepson(call, pson_string),
    }
}

fn parsepson(call: &mut Call<'_, '_>, text: &str) -> Result<Value, Issue> {
    // Only objects and arrays are documents there.
    let parsed = if text.trim_start().starts_with(['{', '[']) {
        json::parse(text)
    } else {
        fail(format!("source '{text}' not in PSON!"))
    };
    match (parsed, call.args.get(1)) {
        (Err(_), Some(default)) => Ok(default.clone()),
        (parsed, _) => parsed,
    }
}
