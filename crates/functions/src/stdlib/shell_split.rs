//! `shell_split`: a line for a Bourne shell as words.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::shell;

function! {
    /// Splits a text into words as a Bourne shell does it.
    ///
    /// ```puppet
    /// shell_split('a \\'b c\\'') # ['a', 'b c']
    /// ```
    "shell_split" of "stdlib" {
        "arity -1" => shell_split(*args),
    }
}

fn shell_split(args: &[Value]) -> Result<Value, Issue> {
    match args {
        [line] => Ok(Value::array(shell::split(&inspect::to_s(line))?.into_iter().map(Value::from))),
        _ => fail(format!("shell_split(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}
