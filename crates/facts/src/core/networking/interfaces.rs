//! `networking.interfaces`, and which of them is the primary one.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use bunraku_environment::world::Interface;
use bunraku_pcore::Value;

use super::dhcp::Leases;
use crate::fact::structure;
use crate::host::Host;
use crate::message::Level;

/// Names of the flags of addresses, from the lowest bit on.
const FLAGS: [&str; 8] =
    ["temporary", "noad", "optimistic", "dadfailed", "homeaddress", "deprecated", "tentative", "permanent"];

/// All interfaces, by name.
pub(super) fn resolve(host: &Host<'_>) -> Value {
    let interfaces = host.machine().map_or(Ok(Vec::new()), |machine| machine.interfaces());
    let interfaces = interfaces.unwrap_or_else(|error| {
        let text = format!("Could not read the interfaces of the network: {error}");
        host.say(Level::Warn, "Facter::Resolvers::Linux::Networking", text);
        Vec::new()
    });
    let (flags, leases, bonds) = (address_flags(host), Leases::read(host), bonds(host));
    structure(interfaces.into_iter().map(|mut interface| {
        if let Some(mac) = bonds.get(&interface.name) {
            interface.mac = Some(mac.clone());
        }
        let dhcp = leases.server(host, &interface.name, interface.index);
        (interface.name.clone(), describe(host, &interface, dhcp, &flags))
    }))
}

fn describe(host: &Host<'_>, interface: &Interface, dhcp: Option<String>, flags: &Flags) -> Value {
    let file = |name: &str| host.line(&format!("/sys/class/net/{}/{name}", interface.name));
    let is_physical = host.exists(&format!("/sys/class/net/{}/device", interface.name));
    let physical = |name: &str| if is_physical { file(name) } else { None };
    let (v4, v6): (Vec<_>, Vec<_>) = interface.addresses.iter().partition(|(address, _)| address.is_ipv4());
    let (first4, first6) = (preferred(&v4), preferred(&v6));
    let binding = |pair: &(IpAddr, IpAddr)| {
        let (address, mask) = *pair;
        structure([
            ("address", address.to_string().into()),
            ("netmask", mask.to_string().into()),
            ("network", network(address, mask).into()),
            ("scope6", scope(address).into()),
            ("flags", flags.get(&(interface.name.clone(), address)).cloned().unwrap_or_default()),
        ])
    };
    let bindings = |pairs: &[(IpAddr, IpAddr)]| match pairs {
        [] => Value::Undef,
        pairs => Value::array(pairs.iter().map(binding)),
    };
    let text =
        |pair: Option<(IpAddr, IpAddr)>, of: fn(IpAddr, IpAddr) -> String| Value::from(pair.map(|it| of(it.0, it.1)));
    let mac = interface.mac.clone().filter(|mac| mac.bytes().any(|digit| digit != b'0' && digit != b':'));
    structure([
        ("bindings", bindings(&v4)),
        ("bindings6", bindings(&v6)),
        ("dhcp", dhcp.into()),
        ("duplex", physical("duplex").into()),
        ("ip", text(first4, |address, _| address.to_string())),
        ("ip6", text(first6, |address, _| address.to_string())),
        ("mac", mac.into()),
        ("mtu", file("mtu").and_then(|mtu| mtu.parse::<i64>().ok()).into()),
        ("netmask", text(first4, |_, mask| mask.to_string())),
        ("netmask6", text(first6, |_, mask| mask.to_string())),
        ("network", text(first4, network)),
        ("network6", text(first6, network)),
        ("operational_state", file("operstate").into()),
        ("physical", is_physical.into()),
        ("scope6", first6.and_then(|(address, _)| scope(address)).into()),
        ("speed", physical("speed").and_then(|speed| speed.parse::<i64>().ok()).into()),
    ])
}

/// The interface of the default route, or the first with an address that others can reach.
pub(super) fn primary(host: &Host<'_>, interfaces: &Value) -> Option<String> {
    let table = host.read("/proc/net/route").unwrap_or_default();
    let default = table.lines().skip(1).find_map(|line| {
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let is_default = columns.get(1) == Some(&"00000000") && columns.get(7) == Some(&"00000000");
        columns.first().filter(|name| is_default && **name != "*").map(|name| (*name).to_owned())
    });
    default.or_else(|| {
        let Value::Hash(interfaces) = interfaces else { return None };
        let is_reached = |interface: &Value| {
            ["ip", "ip6"].iter().filter_map(|key| interface.get(key)?.as_str()?.parse().ok()).any(|ip| !is_local(ip))
        };
        let (name, _) = interfaces.iter().find(|(_, interface)| is_reached(interface))?;
        name.as_str().map(str::to_owned)
    })
}

/// The first address that others can reach, or the first.
fn preferred(pairs: &[(IpAddr, IpAddr)]) -> Option<(IpAddr, IpAddr)> {
    pairs.iter().find(|(address, _)| !is_local(*address)).or(pairs.first()).copied()
}

/// Whether an address says nothing to other machines.
fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unicast_link_local() || address.is_unique_local(),
    }
}

fn network(address: IpAddr, mask: IpAddr) -> String {
    match (address, mask) {
        (IpAddr::V4(address), IpAddr::V4(mask)) => Ipv4Addr::from_bits(address.to_bits() & mask.to_bits()).to_string(),
        (IpAddr::V6(address), IpAddr::V6(mask)) => Ipv6Addr::from_bits(address.to_bits() & mask.to_bits()).to_string(),
        _ => String::new(),
    }
}

/// How far an address of the newer kind reaches.
fn scope(address: IpAddr) -> Option<String> {
    let IpAddr::V6(address) = address else { return None };
    let bits = address.to_bits();
    let compatible = if bits >> 32 == 0 && bits > 1 { "compat," } else { "" };
    let scope = match address {
        _ if address.is_unicast_link_local() => "link",
        _ if bits >> 118 == 0x3fb => "site",
        _ if address.is_loopback() => "host",
        _ => "global",
    };
    Some(format!("{compatible}{scope}"))
}

/// The flags of the addresses of interfaces.
type Flags = BTreeMap<(String, IpAddr), Value>;

fn address_flags(host: &Host<'_>) -> Flags {
    let text = host.read("/proc/net/if_inet6").unwrap_or_default();
    let line = |line: &str| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [bits, _, _, _, flags, name] = columns.as_slice() else { return None };
        let address = Ipv6Addr::from_bits(u128::from_str_radix(bits, 16).ok()?);
        let flags = u32::from_str_radix(flags, 16).ok()?;
        let names =
            FLAGS.iter().enumerate().filter(|(bit, _)| flags & (1 << bit) != 0).map(|(_, name)| Value::from(*name));
        Some((((*name).to_owned(), IpAddr::V6(address)), Value::array(names)))
    };
    text.lines().filter_map(line).collect()
}

/// The own hardware addresses of interfaces that are bound together and show a common one.
fn bonds(host: &Host<'_>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for bond in host.list("/proc/net/bonding") {
        let text = host.read(&format!("/proc/net/bonding/{}", bond.name)).unwrap_or_default();
        let mut current = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("Slave Interface: ") {
                current = Some(name.trim().to_owned());
            } else if let Some(mac) = line.strip_prefix("Permanent HW addr: ") {
                found.extend(current.take().map(|name| (name, mac.trim().to_owned())));
            }
        }
    }
    found
}
