//! `get_ext_net_name`: the network that leads out.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the name of the first network that has an external router, or `undef`.
    ///
    /// ```puppet
    /// get_ext_net_name({ 'net04_ext' => { 'L2' => { 'router_ext' => true } } }) # 'net04_ext'
    /// ```
    "get_ext_net_name" of "murano" {
        "(Any *$args)" as "(Any $networks) >> Any" => get_ext_net_name(*args),
    }
}

fn get_ext_net_name(args: &[Value]) -> Result<Value, Issue> {
    let Some(Value::Hash(networks)) = args.first() else {
        return fail("get_ext_net_name(): No network data provided!");
    };
    for (name, network) in networks.iter() {
        if has_external_router(network)? {
            return Ok(name.clone());
        }
    }
    Ok(Value::Undef)
}

fn has_external_router(network: &Value) -> Result<bool, Issue> {
    let layer = match network {
        Value::Hash(network) => network.get_str("L2"),
        Value::Array(_) => return fail("no implicit conversion of String into Integer"),
        other => return Err(legacy_arguments::undefined_method("fetch", other)),
    };
    match layer {
        None => Ok(false),
        Some(Value::Hash(layer)) => Ok(layer.get_str("router_ext").is_some_and(Value::is_truthy)),
        Some(Value::String(layer)) => Ok(layer.contains("router_ext")),
        Some(Value::Array(_) | Value::Integer(_)) => fail("no implicit conversion of String into Integer"),
        Some(other) => Err(legacy_arguments::undefined_method("[]", other)),
    }
}
