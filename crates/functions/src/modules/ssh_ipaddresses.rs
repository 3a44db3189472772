//! `ipaddresses`: the addresses of the node.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};

use crate::legacy_arguments;

function! {
    /// Returns the addresses of all network cards but the loopback.
    ///
    /// ```puppet
    /// ipaddresses()
    /// ```
    "ipaddresses" of "ssh" {
        "arity -1" as "() >> Array" => ipaddresses(call),
    }
}

fn ipaddresses(call: &mut Call<'_, '_>) -> Outcome {
    let interfaces = match call.frame.look_up("interfaces")? {
        Value::Undef => return Ok(false.into()),
        Value::String(interfaces) => interfaces,
        Value::Array(interfaces) if !interfaces.contains(&",".into()) => {
            inspect::to_s(&Value::Array(interfaces)).as_ref().into()
        }
        other => return Err(legacy_arguments::undefined_method("count", &other).into()),
    };
    let mut addresses = Vec::new();
    let mut names: Vec<&str> = interfaces.trim_end_matches(',').split(',').collect();
    names.retain(|name| !name.contains("lo"));
    for name in names {
        for kind in ["ipaddress", "ipaddress6"] {
            let address = call.frame.look_up(&format!("{kind}_{name}"))?;
            addresses.extend(address.is_truthy().then_some(address));
        }
    }
    Ok(addresses.into())
}
