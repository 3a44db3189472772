//! The name of this machine, as far as its files tell it: no process is started and no server is asked.

use super::World;

/// The name with its domain, which is in the name itself, in the table of hosts, or in the configuration of the resolver.
pub fn host_name(world: &dyn World) -> Option<String> {
    let name = world.read_text("/proc/sys/kernel/hostname").or_else(|_| world.read_text("/etc/hostname")).ok()?;
    let name = name.trim();
    if name.is_empty() || name.contains('.') {
        return (!name.is_empty()).then(|| name.to_owned());
    }
    let hosts = world.read_text("/etc/hosts").unwrap_or_default();
    let known = hosts.lines().find_map(|line| {
        let names: Vec<&str> = line.split('#').next()?.split_whitespace().skip(1).collect();
        names.contains(&name).then(|| names.first().copied()).flatten()
    });
    if let Some(full) = known.filter(|full| full.contains('.')) {
        return Some(full.to_owned());
    }
    let resolver = world.read_text("/etc/resolv.conf").unwrap_or_default();
    let word = |wanted: &str| {
        let mut lines = resolver.lines().map(str::split_whitespace);
        lines.find_map(|mut words| if words.next()? == wanted { words.next() } else { None })
    };
    match word("domain").or_else(|| word("search")).filter(|domain| domain.len() > 1) {
        Some(domain) => Some(format!("{name}.{domain}")),
        None => Some(name.to_owned()),
    }
}
