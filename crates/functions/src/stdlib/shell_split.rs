//! `shell_split`: a line for a Bourne shell as words.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::shell;

function! {
    /// Splits a string into words as a Bourne shell does it.
    ///
    /// ```puppet
    /// shell_split('a \\'b c\\'') # ['a', 'b c']
    /// ```
    "shell_split" of "stdlib" {
        "arity -1" as "(Any $value) >> Array" => shell_split(call, *args),
    }
}

fn shell_split(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    match args {
        [line] => {
            // Compatibility: words are put together from nothing, which has no encoding.
            let build = &mut call.frame.compilation.build;
            Ok(Value::array(shell::split(&inspect::to_s(line))?.iter().map(|word| build.byte_text(word))))
        }
        _ => fail(format!("shell_split(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}
