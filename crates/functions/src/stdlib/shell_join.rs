//! `shell_join`: words as a line for a Bourne shell.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::shell;

function! {
    /// Escapes the elements of an array for a Bourne shell and joins them with blanks.
    ///
    /// ```puppet
    /// shell_join(['a b', 'c']) # 'a\\ b c'
    /// ```
    "shell_join" of "stdlib" {
        "arity -1" as "(Array $words) >> String" => shell_join(*args),
    }
}

fn shell_join(args: &[Value]) -> Result<String, Issue> {
    match args {
        [Value::Array(words)] => {
            let words: Vec<String> = words.iter().map(|word| shell::escape(&inspect::to_s(word))).collect();
            Ok(words.join(" "))
        }
        [other] => fail(format!("First argument is not an Array: {}", inspect::inspect(other))),
        _ => fail(format!("shell_join(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}
