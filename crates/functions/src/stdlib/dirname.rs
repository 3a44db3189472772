//! `dirname`: a path without its last part.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::path;

function! {
    /// Returns the directory of a path.
    ///
    /// ```puppet
    /// dirname('/path/to/a.txt') # '/path/to'
    /// ```
    "dirname" of "stdlib" {
        "arity -1" as "(String $path) >> String" => dirname(*args),
    }
}

fn dirname(args: &[Value]) -> Result<String, Issue> {
    match args {
        [] => fail("dirname(): No arguments given"),
        [_, _, ..] => fail(format!("dirname(): Too many arguments given ({})", args.len())),
        [Value::String(name)] if name.is_empty() => fail("dirname(): Requires a non-empty string as argument"),
        [Value::String(name)] => Ok(path::dirname(name).to_owned()),
        _ => fail("dirname(): Requires string as argument"),
    }
}
