//! `next`: ends the present turn of a lambda with a value.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::unwind::Jump;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::Value;

function! {
    /// Ends the present call of a lambda, function, class or defined type and gives its value.
    ///
    /// ```puppet
    /// [1, 2].map |$x| { next($x * 2) } # [2, 4]
    /// ```
    "next" {
        "(Any $value = undef)" as ">> Any" => jump(call, value),
    }
}

fn jump(call: &mut Call<'_, '_>, value: Option<&Value>) -> Outcome {
    let value = value.cloned().unwrap_or_default();
    Err(Unwind::Next(Box::new(Jump { value, span: call.span })))
}
