//! `has_ip_network`: whether the node is in a network.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::number::fail;
use crate::stdlib::has_interface_with::{has_interface_with, has_value};

function! {
    /// Returns whether a network card of the node has an address in this network.
    ///
    /// ```puppet
    /// has_ip_network('127.0.0.0')
    /// ```
    "has_ip_network" of "stdlib" {
        "arity -1" as "(Any $network) >> Boolean" => has_ip_network(call, *args),
    }
}

function! {
    /// Returns whether a network card of the node has a network.
    ///
    /// ```puppet
    /// stdlib::has_ip_network('127.0.0.0')
    /// ```
    NAMESPACED: "stdlib::has_ip_network" of "stdlib" {
        "(Stdlib::IP::Address::V4::Nosubnet $ip_network) >> Boolean" => has_network(call, ip_network),
    }
}

fn has_network(call: &mut Call<'_, '_>, network: &str) -> bool {
    has_value(call, "network", network)
}

fn has_ip_network(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    let [value] = args else {
        return Ok(fail(format!("has_ip_network(): Wrong number of arguments given ({} for 1)", args.len()))?);
    };
    has_interface_with(call, &["network".into(), value.clone()])
}
