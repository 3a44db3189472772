//! `parseyaml`: data from YAML.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;
use crate::yaml;

function! {
    /// Returns the data of a YAML string, or the default if it cannot be read.
    ///
    /// ```puppet
    /// parseyaml('a: 1', {})
    /// ```
    "parseyaml" of "stdlib" {
        "arity -1" as "(Any $text, Any $default = undef) >> Any" => parseyaml(*args),
    }
}

fn parseyaml(args: &[Value]) -> Result<Value, Issue> {
    if args.is_empty() {
        return fail("Wrong number of arguments. 1 or 2 arguments should be provided.");
    }
    let parsed = legacy_arguments::text(args.first()).and_then(yaml::parse);
    match (parsed, args.get(1)) {
        (Ok(value), default) if !value.is_truthy() => Ok(default.cloned().unwrap_or_default()),
        (Err(_), Some(default)) if default.is_truthy() => Ok(default.clone()),
        (parsed, _) => parsed,
    }
}
