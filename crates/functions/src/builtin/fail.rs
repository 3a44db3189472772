//! `fail`: ends the compilation with a message.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use bunraku_pcore::inspect;

use crate::number;

function! {
    /// Ends the compilation with an error; the arguments are its message, with blanks between them.
    ///
    /// ```puppet
    /// fail("Unsupported: ${facts['os']['name']}")
    /// ```
    "fail" {
        "arity -1" as "(Any *$args) >> Any" => fail(*args),
    }
}

fn fail(args: &[Value]) -> Result<Value, Issue> {
    let words: Vec<_> = args.iter().map(inspect::to_s).collect();
    number::fail(words.join(" "))
}
