//! `networking.hostname`, `domain` and `fqdn`.

use crate::host::Host;

/// How the machine is called.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) hostname: Option<String>,
    pub(super) domain: Option<String>,
    pub(super) fqdn: Option<String>,
}

impl Names {
    /// The name of the kernel, with the domain of the first of those who know one: the name itself, the table of hosts,
    /// the resolver.
    pub(super) fn find(host: &Host<'_>) -> Names {
        let name = host.uname().host.as_str();
        if name.is_empty() {
            return Names::default();
        }
        let (hostname, domain) = name.split_once('.').map_or((name, None), |(name, domain)| (name, Some(domain)));
        let full = if domain.is_none() { canonical(host, hostname) } else { None };
        let known = |full: &String| Some(full.strip_prefix(hostname)?.strip_prefix('.')?.to_owned());
        let domain = domain.map(str::to_owned).or_else(|| full.as_ref().and_then(known));
        let domain = domain.filter(|domain| !domain.is_empty()).or_else(|| of_resolver(host));
        let joined = domain.as_ref().map_or_else(|| hostname.to_owned(), |domain| format!("{hostname}.{domain}"));
        Names { hostname: Some(hostname.to_owned()), domain, fqdn: Some(full.unwrap_or(joined)) }
    }
}

/// The first name of the line of `/etc/hosts` that has this one; without such a line, what the name service says.
fn canonical(host: &Host<'_>, name: &str) -> Option<String> {
    let hosts = host.read("/etc/hosts").unwrap_or_default();
    let in_line = |line: &str| {
        let names: Vec<String> = line.split('#').next()?.split_whitespace().skip(1).map(str::to_owned).collect();
        names.iter().any(|known| known == name).then(|| names.first().cloned()).flatten()
    };
    let found = hosts.lines().find_map(in_line).or_else(|| {
        // Who has no name server needs no process to know that it does not answer.
        let servers = host.read("/etc/resolv.conf")?;
        servers.lines().find(|line| line.starts_with("nameserver"))?;
        let said = host.command("getent", &["hosts", name])?;
        said.split_whitespace().nth(1).map(str::to_owned)
    });
    found.filter(|found| found != name)
}

/// The domain of the resolver, or the first one it searches.
fn of_resolver(host: &Host<'_>) -> Option<String> {
    let text = host.read("/etc/resolv.conf")?;
    let word = |name: &str| {
        text.lines().find_map(|line| {
            let rest = line.strip_prefix(name)?;
            let word = rest.starts_with(char::is_whitespace).then(|| rest.split_whitespace().next())??;
            (word.len() > 1 && !word.starts_with('.')).then(|| word.to_owned())
        })
    };
    word("domain").or_else(|| word("search"))
}
