//! `pry`: a debugger of Ruby.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Starts a debugger of Ruby. There is no Ruby in this program, so it always fails.
    ///
    /// ```puppet
    /// pry()
    /// ```
    "pry" of "stdlib" {
        "arity -1" as "(Any *$args) >> Any" => pry(),
    }
}

fn pry() -> Result<Value, Issue> {
    fail("pry(): Requires the 'pry' rubygem to use, but it was not found")
}
