//! What a server tells about itself in `$server_facts`, read from the machine as far as it can be without other programs.

use std::net::{Ipv4Addr, Ipv6Addr};

use bunraku_environment::world::host_name;
use bunraku_environment::{Target, World};
use bunraku_pcore::Hash;

/// The server facts of this machine, but for `environment`, which is the node's. What the machine does not tell, such as
/// an address where there is no network, is left out.
pub fn server_facts(world: &dyn World, target: Target) -> Hash {
    let implementation = match target {
        Target::Puppet8 => None,
        Target::OpenVox8 | Target::OpenVox9 => Some("openvox".to_owned()),
    };
    let facts = [
        ("serverimplementation", implementation),
        ("serverversion", Some(target.version().to_owned())),
        ("servername", host_name(world)),
        ("serverip", address(world).map(|address| address.to_string())),
        ("serverip6", address6(world).map(|address| address.to_string())),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name.into(), value?.into()))).collect()
}

/// A route of the kernel's table, which has addresses in hexadecimal digits with the last byte first.
struct Route<'r> {
    interface: &'r str,
    network: u32,
    mask: u32,
}

fn routes(table: &str) -> Vec<Route<'_>> {
    let hexadecimal = |text: Option<&&str>| u32::from_str_radix(text?, 16).ok().map(u32::swap_bytes);
    let route = |line| {
        let columns: Vec<&str> = str::split_whitespace(line).collect();
        let (network, mask) = (hexadecimal(columns.get(1))?, hexadecimal(columns.get(7))?);
        Some(Route { interface: columns.first()?, network, mask })
    };
    table.lines().filter_map(route).collect()
}

/// The address by which this machine reaches others: that of the interface of the default route.
fn address(world: &dyn World) -> Option<Ipv4Addr> {
    let table = world.read_text("/proc/net/route").ok()?;
    let routes = routes(&table);
    let interface = routes.iter().find(|route| route.mask == 0)?.interface;
    let addresses = world.read_text("/proc/net/fib_trie").ok()?;
    let mut lines = addresses.lines().peekable();
    while let Some(line) = lines.next() {
        let address: Option<Ipv4Addr> = line.trim().strip_prefix("|-- ").and_then(|text| text.parse().ok());
        let is_own = lines.peek().is_some_and(|next| next.trim() == "/32 host LOCAL");
        let is_reached = |address: &Ipv4Addr| {
            let bits = u32::from(*address);
            let on_interface = routes.iter().filter(|route| route.interface == interface && route.mask != 0);
            on_interface.clone().any(|route| bits & route.mask == route.network)
        };
        if is_own && let Some(address) = address.filter(is_reached) {
            return Some(address);
        }
    }
    None
}

/// An address of the newer kind that is valid beyond this machine and its neighbours, of the interface of the default
/// route if there is one.
fn address6(world: &dyn World) -> Option<Ipv6Addr> {
    /// The scope of addresses that are valid everywhere.
    const GLOBAL: &str = "00";
    let table = world.read_text("/proc/net/route").unwrap_or_default();
    let interface = routes(&table).iter().find(|route| route.mask == 0).map(|route| route.interface.to_owned());
    let addresses = world.read_text("/proc/net/if_inet6").ok()?;
    addresses.lines().find_map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [bits, _, _, scope, _, name] = columns.as_slice() else { return None };
        let is_meant = *scope == GLOBAL && interface.as_deref().is_none_or(|interface| interface == *name);
        if is_meant { u128::from_str_radix(bits, 16).ok().map(Ipv6Addr::from) } else { None }
    })
}

#[cfg(test)]
mod tests {
    use bunraku_environment::Memory;
    use bunraku_pcore::Value;

    use super::*;

    const ROUTES: &str = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n\
        eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n\
        eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n";
    const ADDRESSES: &str = "Main:\n  |-- 127.0.0.1\n     /32 host LOCAL\n  |-- 192.0.2.0\n     /24 link UNICAST\n  \
        |-- 192.0.2.2\n     /32 host LOCAL\n";
    const ADDRESSES6: &str = "00000000000000000000000000000001 01 80 10 80 lo\n\
        fe8000000000000000fc00fffe000001 04 40 20 80 eth0\n\
        fd000000000000000000000000000002 04 40 00 82 eth0\n";

    fn check(files: &[(&str, &str)], target: Target, expected: &str) {
        let world: Memory = files.iter().copied().collect();
        let facts = Value::from(server_facts(&world, target)).to_string();
        assert_eq!(facts, expected.replace("VERSION", target.version()));
    }

    #[test]
    fn a_machine_tells_its_name_and_addresses() {
        let files = [
            ("/etc/hostname", "puppet\n"),
            ("/etc/resolv.conf", "nameserver 192.0.2.1\nsearch example.com example.org\n"),
            ("/proc/net/route", ROUTES),
            ("/proc/net/fib_trie", ADDRESSES),
            ("/proc/net/if_inet6", ADDRESSES6),
        ];
        check(
            &files,
            Target::OpenVox8,
            "{serverimplementation => openvox, serverversion => VERSION, servername => puppet.example.com, \
             serverip => 192.0.2.2, serverip6 => fd00::2}",
        );
        check(&[], Target::OpenVox8, "{serverimplementation => openvox, serverversion => VERSION}");
        check(
            &[("/etc/hostname", "puppet.example.net")],
            Target::Puppet8,
            "{serverversion => VERSION, servername => puppet.example.net}",
        );
    }
}
