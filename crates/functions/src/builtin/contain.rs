//! `contain`: declares classes inside the current one.

use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, function};
use bunraku_pcore::Value;

function! {
    /// Includes classes and makes the surrounding class or defined type contain them, so that relationships with it are
    /// relationships with them too. Gives references to them.
    ///
    /// ```puppet
    /// contain apache::install
    /// ```
    "contain" {
        "(Any +$names)" as ">> Array" => contain(call, *names),
    }
}

fn contain(call: &mut Call<'_, '_>, names: &[Value]) -> Outcome<Vec<Value>> {
    call.frame.contain(names)
}
