//! `parsejson`: data from JSON.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::json;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the data of a JSON string, or the default if it cannot be read.
    ///
    /// ```puppet
    /// parsejson('{"a": 1}', {})
    /// ```
    "parsejson" of "stdlib" {
        "arity -1" as "(Any $text, Any $default = undef) >> Any" => parsejson(*args),
    }
}

fn parsejson(args: &[Value]) -> Result<Value, Issue> {
    if args.is_empty() {
        return fail("Wrong number of arguments. 1 or 2 arguments should be provided.");
    }
    let parsed = legacy_arguments::text(args.first()).and_then(json::parse);
    match (parsed, args.get(1)) {
        (Ok(value), default) if !value.is_truthy() => Ok(default.cloned().unwrap_or_default()),
        (Err(_), Some(default)) if default.is_truthy() => Ok(default.clone()),
        (parsed, _) => parsed,
    }
}
