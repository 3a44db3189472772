//! The functions `validate_network_vlan_ranges` and so on of the module neutron, which fail if numbers of networks are
//! wrong.

use bunraku_compiler::function;
use bunraku_pcore::label::in_conversion;
use bunraku_pcore::{Regexp, Value, inspect};
use bunraku_syntax::Issue;
use num_bigint::BigUint;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Fails unless ranges of VLANs are such as `physnet1:1:4094`; returns them as an array.
    ///
    /// ```puppet
    /// validate_network_vlan_ranges('physnet1:100:200')
    /// ```
    NETWORK_VLAN_RANGES: "validate_network_vlan_ranges" of "neutron" {
        "(Any *$args)" as "(Any $ranges = undef) >> Any" => network_vlan_ranges(*args),
    }
}

function! {
    /// Fails unless ranges of tunnels are such as `1:1000`; returns them as an array.
    ///
    /// ```puppet
    /// validate_tunnel_id_ranges('1:1000')
    /// ```
    TUNNEL_ID_RANGES: "validate_tunnel_id_ranges" of "neutron" {
        "(Any *$args)" as "(Any $ranges = undef) >> Any" => tunnel_id_ranges(*args),
    }
}

function! {
    /// Fails unless ranges of VXLANs are such as `1:1000`; returns them as an array.
    ///
    /// ```puppet
    /// validate_vni_ranges('1:1000')
    /// ```
    VNI_RANGES: "validate_vni_ranges" of "neutron" {
        "(Any *$args)" as "(Any $ranges = undef) >> Any" => vni_ranges(*args),
    }
}

function! {
    /// Fails unless a port is that of VXLAN or a private one.
    ///
    /// ```puppet
    /// validate_vxlan_udp_port(4789)
    /// ```
    VXLAN_UDP_PORT: "validate_vxlan_udp_port" of "neutron" {
        "(Any *$args)" as "(Any $port) >> Any" => vxlan_udp_port(*args),
    }
}

/// The ports that nobody owns.
const PRIVATE_PORTS: std::ops::RangeInclusive<i64> = 49152..=65535;
/// The port of VXLAN.
const VXLAN_PORT: i64 = 4789;
/// The pattern of two numbers.
const RANGE: &str = r"^(\d+):(\d+)$";

fn network_vlan_ranges(args: &[Value]) -> Result<Value, Issue> {
    let invalid = "network vlan ranges are invalid.";
    let is_name = Regexp::new(r"^([^:]+)?(:\d+)?$")?;
    check(args, r"^(?:.+:)?(\d+):(\d+)$", |range, text| match range {
        Some((first, last)) if first.max(last) > &BigUint::from(4094_u32) => fail("vlan id are invalid."),
        Some((first, last)) if last < first => fail(invalid),
        None if !is_name.is_match(text)? => fail(invalid),
        _ => Ok(()),
    })
}

fn tunnel_id_ranges(args: &[Value]) -> Result<Value, Issue> {
    check(args, RANGE, |range, _| match range {
        Some((first, last)) if last > &(first + 1_000_000_u32) => fail("tunnel id ranges are to large."),
        Some((first, last)) if last >= first => Ok(()),
        _ => fail("tunnel id ranges are invalid."),
    })
}

fn vni_ranges(args: &[Value]) -> Result<Value, Issue> {
    check(args, RANGE, |range, _| match range {
        Some((first, last)) if first <= last && last <= &BigUint::from(0xff_ffff_u32) => Ok(()),
        _ => fail("vni ranges are invalid."),
    })
}

/// Checks each range, which is given as its two numbers if it matches the pattern, and as its text.
fn check(
    args: &[Value],
    pattern: &str,
    check: impl Fn(Option<(&BigUint, &BigUint)>, &str) -> Result<(), Issue>,
) -> Result<Value, Issue> {
    let pattern = Regexp::new(pattern)?;
    let ranges = match args.first() {
        Some(Value::Array(ranges)) => ranges.to_vec(),
        other => vec![other.cloned().unwrap_or_default()],
    };
    for range in ranges.iter().filter(|range| !range.is_undef()) {
        let text = legacy_arguments::name(range).map_or_else(|| legacy_arguments::text(Some(range)), Ok)?;
        let numbers = match pattern.captures(text)? {
            Some(captures) => Some((numeral(captures.get(1))?, numeral(captures.get(2))?)),
            None => None,
        };
        check(numbers.as_ref().map(|(first, last)| (first, last)), text)?;
    }
    Ok(ranges.into())
}

/// The number that digits tell; those that begin with zero are octal.
fn numeral(digits: Option<&str>) -> Result<BigUint, Issue> {
    let digits = digits.unwrap_or_default();
    let base = if digits.len() > 1 && digits.starts_with('0') { 8 } else { 10 };
    match BigUint::parse_bytes(digits.as_bytes(), base) {
        Some(number) => Ok(number),
        None => fail(format!("invalid value for Integer(): {}", inspect::inspect_text(digits))),
    }
}

fn vxlan_udp_port(args: &[Value]) -> Result<(), Issue> {
    let port = args.first().unwrap_or(&Value::Undef);
    match (legacy_arguments::strict_integer(port), port) {
        (Some(port), _) if port == VXLAN_PORT || PRIVATE_PORTS.contains(&port) => Ok(()),
        (Some(_), _) => fail("vxlan udp port is invalid."),
        (None, Value::String(text)) => fail(format!("invalid value for Integer(): {}", inspect::inspect_text(text))),
        (None, other) => fail(format!("can't convert {} into Integer", in_conversion(other))),
    }
}
