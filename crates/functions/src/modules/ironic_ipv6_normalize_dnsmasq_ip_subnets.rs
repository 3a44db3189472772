//! `ipv6_normalize_dnsmasq_ip_subnets`: subnets as dnsmasq wants them.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns subnets with masks of version 6 as lengths, and without gateways of version 6.
    ///
    /// ```puppet
    /// ipv6_normalize_dnsmasq_ip_subnets([{ 'netmask' => 'ffff:ffff::' }]) # [{ 'netmask' => 32 }]
    /// ```
    "ipv6_normalize_dnsmasq_ip_subnets" of "ironic" {
        "(Any $args)" as ">> Any" => ipv6_normalize_dnsmasq_ip_subnets(args),
    }
}

fn ipv6_normalize_dnsmasq_ip_subnets(subnets: &Value) -> Result<Value, Issue> {
    let subnets = match subnets {
        Value::Array(_) | Value::Hash(_) => legacy_arguments::list(subnets),
        other => return Err(legacy_arguments::undefined_method("each", other)),
    };
    Ok(subnets.iter().map(normalized).collect::<Result<Vec<_>, Issue>>()?.into())
}

fn normalized(subnet: &Value) -> Result<Value, Issue> {
    let subnet = match subnet {
        Value::Hash(subnet) => subnet,
        Value::Undef => return Err(legacy_arguments::undefined_method("[]", subnet)),
        // Ruby finds no part of a string that is an address.
        Value::String(_) => return Ok(subnet.clone()),
        _ => return fail("no implicit conversion of String into Integer"),
    };
    let address = |key| subnet.get_str(key).and_then(Value::as_str).and_then(|text| IpAddress::parse(text).ok());
    let mut normalized = Hash::clone(subnet);
    if let Some(mask) = address("netmask").filter(IpAddress::is_v6) {
        normalized.insert("netmask".into(), i64::from(mask.number().count_ones()).into());
    }
    if address("gateway").is_some_and(|gateway| gateway.is_v6()) {
        normalized.remove(&"gateway".into());
    }
    Ok(normalized.into())
}
