//! `has_interface_with`: whether the node has a network card.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::compare::ruby_equals;
use bunraku_pcore::{Value, inspect};

use crate::number::fail;
use crate::text;

function! {
    /// Returns whether the node has a network card of a name, or one with a value such as an address.
    ///
    /// ```puppet
    /// has_interface_with('lo')
    /// has_interface_with('macaddress', 'x:x:x:x:x:x')
    /// ```
    "has_interface_with" of "stdlib" {
        "arity -1" as "(Any $kind, Any $value = undef) >> Boolean" => has_interface_with(call, *args),
    }
}

function! {
    /// Returns whether the node has a network card of a name, or one with a value such as an address.
    ///
    /// ```puppet
    /// has_interface_with('lo')
    /// has_interface_with('macaddress', 'x:x:x:x:x:x')
    /// ```
    NAMESPACED: "stdlib::has_interface_with" of "stdlib" {
        "(String[1] $interface) >> Boolean" => is_interface(call, interface),
        "(Enum['macaddress', 'netmask', 'ipaddress', 'network', 'ip', 'mac'] $kind, String[1] $value) >> Boolean" => has_value(call, kind, value),
    }
}

/// Whether a network card has a name, or a value of a kind.
pub(crate) fn has_interface_with(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    let (first, value) = match args {
        [name] => (name, None),
        [kind, value] => (kind, Some(value)),
        _ => {
            let count = args.len();
            fail(format!("has_interface_with(): Wrong number of arguments given ({count} for 1 or 2)"))?
        }
    };
    let interfaces = match call.frame.variable("interfaces")? {
        Some(Value::String(interfaces)) => interfaces,
        Some(_) => return Ok(false),
        None if call.frame.compilation.settings.strict_variables => fail("Undefined variable 'interfaces'; ")?,
        None => return Ok(false),
    };
    let mut interfaces = interfaces.split(',');
    let Some(value) = value else { return Ok(interfaces.any(|interface| first.as_str() == Some(interface))) };
    let kind = inspect::to_s(first);
    if call.frame.variable(&kind)?.is_some_and(|found| ruby_equals(&found, value)) {
        return Ok(true);
    }
    for interface in interfaces {
        let name = format!("{kind}_{}", text::downcase(interface));
        if call.frame.variable(&name)?.is_some_and(|found| ruby_equals(&found, value)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn interfaces(call: &Call<'_, '_>) -> Value {
    let networking = call.frame.compilation.node.facts.get_str("networking");
    networking.and_then(|networking| networking.get("interfaces")).cloned().unwrap_or_default()
}

fn is_interface(call: &mut Call<'_, '_>, name: &str) -> bool {
    interfaces(call).get(name).is_some()
}

/// Whether a network card has a value of a kind.
pub(crate) fn has_value(call: &mut Call<'_, '_>, kind: &str, value: &str) -> bool {
    let kind = match kind {
        "macaddress" => "mac",
        "ipaddress" => "ip",
        other => other,
    };
    match interfaces(call) {
        Value::Hash(interfaces) => {
            interfaces.values().any(|interface| interface.get(kind).and_then(Value::as_str) == Some(value))
        }
        _ => false,
    }
}
