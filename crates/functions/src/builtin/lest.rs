//! `lest`: a value in place of `undef`.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Returns the value unless it is `undef`; then it returns what the lambda gives.
    ///
    /// ```puppet
    /// $data['port'].lest || { 8080 }
    /// ```
    "lest" {
        "(Any $arg, Callable[0, 0] &$block)" as ">> Any" => lest(call, arg),
    }
}

fn lest(call: &mut Call<'_, '_>, value: &Value) -> Outcome {
    if value.is_undef() { call.yield_to_block(Vec::new()) } else { Ok(value.clone()) }
}
