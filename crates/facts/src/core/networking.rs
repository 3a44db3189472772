//! `networking`: names, interfaces and addresses of the machine.

mod dhcp;
mod hostname;
mod interfaces;

use bunraku_pcore::Value;

use crate::fact::{Fact, Legacy, structure};
use crate::host::Host;
use hostname::Names;

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "networking",
    resolve,
    aliases: &[
        ("domain", "domain"),
        ("fqdn", "fqdn"),
        ("hostname", "hostname"),
        ("ipaddress", "ip"),
        ("ipaddress6", "ip6"),
        ("macaddress", "mac"),
        ("netmask", "netmask"),
        ("netmask6", "netmask6"),
        ("network", "network"),
        ("network6", "network6"),
        ("scope6", "scope6"),
    ],
    legacy: Some(Legacy {
        names: &[
            "dhcp_servers",
            "interfaces",
            "ipaddress_*",
            "ipaddress6_*",
            "macaddress_*",
            "mtu_*",
            "netmask_*",
            "netmask6_*",
            "network_*",
            "network6_*",
            "scope6_*",
        ],
        resolve: legacy,
    }),
}];

/// What the primary interface tells of itself is told of the machine as well.
const OF_PRIMARY: [&str; 10] =
    ["dhcp", "ip", "ip6", "mac", "mtu", "netmask", "netmask6", "network", "network6", "scope6"];

fn resolve(host: &Host<'_>) -> Value {
    let names = Names::find(host);
    let interfaces = interfaces::resolve(host);
    let primary = interfaces::primary(host, &interfaces);
    let of_primary = primary.as_deref().and_then(|name| interfaces.get(name)).cloned().unwrap_or_default();
    let shared = OF_PRIMARY.map(|key| (key, of_primary.get(key).cloned().unwrap_or_default()));
    let own = [
        ("domain", names.domain.into()),
        ("fqdn", names.fqdn.into()),
        ("hostname", names.hostname.into()),
        ("interfaces", interfaces.clone()),
        ("primary", primary.into()),
    ];
    structure(own.into_iter().chain(shared))
}

fn legacy(_: &Host<'_>, networking: &Value) -> Vec<(String, Value)> {
    let Some(Value::Hash(interfaces)) = networking.get("interfaces") else { return Vec::new() };
    let mut names: Vec<&str> = interfaces.keys().filter_map(Value::as_str).collect();
    names.sort_unstable();
    // That there is none for the machine is said, unlike that there is none for an interface.
    let system = ("system".into(), networking.get("dhcp").cloned().unwrap_or_default());
    let servers =
        interfaces.iter().filter_map(|(name, interface)| Some((name.clone(), interface.get("dhcp")?.clone())));
    let servers = Value::hash(std::iter::once(system).chain(servers));
    let mut facts = vec![("interfaces".to_owned(), names.join(",").into()), ("dhcp_servers".to_owned(), servers)];
    let prefixes = [
        ("ipaddress", "ip"),
        ("ipaddress6", "ip6"),
        ("macaddress", "mac"),
        ("mtu", "mtu"),
        ("netmask", "netmask"),
        ("netmask6", "netmask6"),
        ("network", "network"),
        ("network6", "network6"),
        ("scope6", "scope6"),
    ];
    for (name, interface) in interfaces.iter() {
        let parts = prefixes.iter().filter_map(|(prefix, key)| Some((prefix, interface.get(key)?)));
        facts.extend(parts.map(|(prefix, value)| (format!("{prefix}_{name}"), value.clone())));
    }
    facts
}
