//! `with`: calls a lambda with values, which gives them names for a while.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Calls the lambda with the arguments and returns its value.
    ///
    /// ```puppet
    /// with(1, 2) |$a, $b| { $a + $b } # 3
    /// ```
    "with" {
        "(Any *$arg, Callable &$block)" as ">> Any" => with(call, *arg),
    }
}

fn with(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    call.yield_to_block(values.to_vec())
}
