//! `unwrap`: the value inside of a `Sensitive`.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Returns the value that a `Sensitive` hides, or calls the lambda with it. Any other value is returned as it is.
    ///
    /// ```puppet
    /// Sensitive('secret').unwrap |$password| { $password.length } # 6
    /// ```
    "unwrap" {
        "(Sensitive $arg, Callable &$block = undef)" as ">> Any" => unwrap(call, arg),
        "(Any $arg, Callable &$block = undef)" as ">> Any" => unwrap(call, arg),
    }
}

fn unwrap(call: &mut Call<'_, '_>, value: &Value) -> Outcome {
    let value = match value {
        Value::Sensitive(secret) => Value::clone(secret),
        other => other.clone(),
    };
    if call.block.is_some() { call.yield_to_block(vec![value]) } else { Ok(value) }
}
