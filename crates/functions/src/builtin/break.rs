//! `break`: ends the innermost iteration.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Unwind};

function! {
    /// Ends the innermost iteration; what it has collected so far is its result.
    ///
    /// ```puppet
    /// [1, 2, 3].map |$x| { if $x == 3 { break() } $x } # [1, 2]
    /// ```
    "break" {
        "()" as ">> Any" => end_iteration(call),
    }
}

fn end_iteration(call: &mut Call<'_, '_>) -> Outcome {
    Err(Unwind::Break(call.span))
}
