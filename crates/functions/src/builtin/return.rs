//! `return`: ends the present function with a value.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::unwind::Jump;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::Value;

function! {
    /// Ends the present function, class or defined type and gives its value.
    ///
    /// ```puppet
    /// function first($list) { $list.each |$x| { return($x) } }
    /// ```
    "return" {
        "(Any $value = undef)" as ">> Any" => jump(call, value),
    }
}

fn jump(call: &mut Call<'_, '_>, value: Option<&Value>) -> Outcome {
    let value = value.cloned().unwrap_or_default();
    Err(Unwind::Return(Box::new(Jump { value, span: call.span })))
}
