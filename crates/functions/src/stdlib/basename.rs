//! `basename`: the last part of a path.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::path;

function! {
    /// Returns the last part of a path, without the given ending if it has it.
    ///
    /// ```puppet
    /// basename('/path/to/a.txt')         # 'a.txt'
    /// basename('/path/to/a.txt', '.txt') # 'a'
    /// ```
    "basename" of "stdlib" {
        "arity -1" as "(String $path, String $ending = undef) >> String" => basename(*args),
    }
}

fn basename(args: &[Value]) -> Result<String, Issue> {
    match args {
        [] => fail("basename(): No arguments given"),
        [_, _, _, ..] => fail(format!("basename(): Too many arguments given ({})", args.len())),
        [Value::String(name)] => Ok(path::basename(name, "").to_owned()),
        [Value::String(name), Value::String(suffix)] => Ok(path::basename(name, suffix).to_owned()),
        [Value::String(_), _] => fail("basename(): Requires string as second argument"),
        _ => fail("basename(): Requires string as first argument"),
    }
}
