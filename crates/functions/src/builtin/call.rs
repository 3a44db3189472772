//! `call`: calls a function by name, or makes a deferred call now.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::Value;

use crate::deferred;

function! {
    /// Calls the function with the given name, or makes the call that a `Deferred` stands for.
    ///
    /// ```puppet
    /// call('upcase', 'a')                   # 'A'
    /// call(Deferred('upcase', ['a']))       # 'A'
    /// ```
    "call" {
        "(String $function_name, Any *$arguments, Callable &$block = undef)" as ">> Any" => by_name(call, function_name, *arguments),
        "(Deferred $deferred)" as ">> Any" => now(call, deferred),
    }
}

fn by_name(call: &mut Call<'_, '_>, name: &str, arguments: &[Value]) -> Outcome {
    let block = call.block;
    match deferred::by_name(call, name, arguments.to_vec(), block) {
        // Compatibility: what would end the caller only ends the call.
        Err(Unwind::Next(jump) | Unwind::Return(jump)) => Ok(jump.value),
        outcome => outcome,
    }
}

fn now(call: &mut Call<'_, '_>, value: &Value) -> Outcome {
    deferred::resolve(call, value)
}
