//! `then`: goes on with a value unless it is `undef`.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Calls the lambda with the value and returns what it gives; `undef` stays `undef`.
    ///
    /// ```puppet
    /// $data['a'].then |$a| { $a['b'] }.then |$b| { $b['c'] }
    /// ```
    "then" {
        "(Any $arg, Callable[1, 1] &$block)" as ">> Any" => then(call, arg),
    }
}

fn then(call: &mut Call<'_, '_>, value: &Value) -> Outcome {
    if value.is_undef() { Ok(Value::Undef) } else { call.yield_to_block(vec![value.clone()]) }
}
