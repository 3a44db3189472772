//! `has_ip_address`: whether the node has an address.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::number::fail;
use crate::stdlib::has_interface_with::{has_interface_with, has_value};

function! {
    /// Returns whether a network card of the node has this address.
    ///
    /// ```puppet
    /// has_ip_address('127.0.0.1')
    /// ```
    "has_ip_address" of "stdlib" {
        "arity -1" as "(Any $address) >> Boolean" => has_ip_address(call, *args),
    }
}

function! {
    /// Returns whether a network card of the node has an address.
    ///
    /// ```puppet
    /// stdlib::has_ip_address('127.0.0.1')
    /// ```
    NAMESPACED: "stdlib::has_ip_address" of "stdlib" {
        "(Stdlib::IP::Address::V4::Nosubnet $ip_address) >> Boolean" => has_address(call, ip_address),
    }
}

fn has_address(call: &mut Call<'_, '_>, address: &str) -> bool {
    has_value(call, "ipaddress", address)
}

fn has_ip_address(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    let [value] = args else {
        return Ok(fail(format!("has_ip_address(): Wrong number of arguments given ({} for 1)", args.len()))?);
    };
    has_interface_with(call, &["ipaddress".into(), value.clone()])
}
