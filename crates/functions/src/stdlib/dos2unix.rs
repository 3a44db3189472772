//! `dos2unix`: line ends of Unix.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Replaces line ends of DOS by those of Unix.
    ///
    /// ```puppet
    /// dos2unix("a\r\nb") # "a\nb"
    /// ```
    "dos2unix" of "stdlib" {
        "arity 1" as "(String $text) >> String" => dos2unix(*args),
    }
}

fn dos2unix(args: &[Value]) -> Result<String, Issue> {
    match args.first() {
        Some(Value::String(text)) => Ok(text.as_str().replace("\r\n", "\n")),
        _ => fail("dos2unix(): Requires string as argument"),
    }
}
