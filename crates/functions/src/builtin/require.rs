//! `require`: declares classes that come before the current one.

use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, function};
use bunraku_pcore::Value;

function! {
    /// Includes classes and makes them a requirement of the surrounding class or defined type. Gives references to them.
    ///
    /// ```puppet
    /// require apache
    /// ```
    "require" {
        "(Any +$names)" as ">> Array" => require(call, *names),
    }
}

fn require(call: &mut Call<'_, '_>, names: &[Value]) -> Outcome<Vec<Value>> {
    call.frame.require(names)
}
