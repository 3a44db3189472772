//! `include`: declares classes.

use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, function};
use bunraku_pcore::Value;

function! {
    /// Declares classes and evaluates those that are not evaluated yet. Gives references to them.
    ///
    /// ```puppet
    /// include apache, apache::mod::ssl
    /// ```
    "include" {
        "(Any +$names)" as ">> Array" => include(call, *names),
    }
}

fn include(call: &mut Call<'_, '_>, names: &[Value]) -> Outcome<Vec<Value>> {
    call.frame.include(names)
}
