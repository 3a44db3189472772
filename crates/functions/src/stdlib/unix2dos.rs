//! `unix2dos`: line ends of DOS.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Replaces line ends of Unix by those of DOS.
    ///
    /// ```puppet
    /// unix2dos("a\nb") # "a\r\nb"
    /// ```
    "unix2dos" of "stdlib" {
        "arity 1" as "(String $text) >> String" => unix2dos(*args),
    }
}

fn unix2dos(args: &[Value]) -> Result<String, Issue> {
    let Some(Value::String(text)) = args.first() else { return fail("unix2dos(): Requires string as argument") };
    let mut lines = text.split('\n').peekable();
    let mut result = String::with_capacity(text.len() + 16);
    while let Some(line) = lines.next() {
        if lines.peek().is_some() {
            result.push_str(line.trim_end_matches('\r'));
            result.push_str("\r\n");
        } else {
            result.push_str(line);
        }
    }
    Ok(result)
}
