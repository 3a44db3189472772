//! `getvar_emptystring`: a variable that may have no value.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};

use crate::number::fail;

function! {
    /// Returns the value of a variable, or an empty string if it has none.
    ///
    /// ```puppet
    /// getvar_emptystring('redis_server_version')
    /// ```
    "getvar_emptystring" of "redis" {
        "arity -1" as "(Any $name, Any $default = undef) >> Any" => getvar_emptystring(call, *args),
    }
}

fn getvar_emptystring(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    let [name] = args else {
        let count = args.len();
        return Ok(fail(format!("getvar_emptystring(): wrong number of arguments ({count}; must be 1)"))?);
    };
    let found = call.frame.look_up(&inspect::to_s(name))?;
    Ok(if found.is_undef() { "".into() } else { found })
}
