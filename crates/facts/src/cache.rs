//! Facts that are kept for some time, so that what takes long is not done each time.

use std::time::Duration;

use bunraku_pcore::serialize::parse_json;
use bunraku_pcore::{Hash, Value};

use crate::format;
use crate::host::Host;

/// Where the vendor's packages and those of distributions keep facts.
const VENDOR: &str = "/opt/puppetlabs/facter/cache/cached_facts";
const DISTRIBUTION: &str = "/var/cache/facter/cached_facts";

/// What marks the form of a file.
const VERSION: &str = "cache_format_version";

/// The file in which the facts of a group are kept. A name is no path.
pub(crate) fn file(host: &Host<'_>, group: &str) -> Option<String> {
    let directory = if host.world.is_dir("/opt/puppetlabs/facter") { VENDOR } else { DISTRIBUTION };
    (!group.contains('/') && !group.is_empty()).then(|| format!("{directory}/{group}"))
}

/// The kept facts of a group, unless they are too old.
pub(crate) fn read(host: &Host<'_>, group: &str, time: Duration) -> Option<Hash> {
    let file = file(host, group)?;
    let changed = host.world.stamp(&file)?.modified?;
    // A file from the future is as good as one of now.
    let age = host.world.now().duration_since(changed).unwrap_or(Duration::ZERO);
    if age >= time {
        return None;
    }
    match parse_json(&host.read(&file)?).ok()? {
        Value::Hash(hash) => {
            let facts = hash.iter().filter(|(name, _)| name.as_str() != Some(VERSION));
            Some(facts.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        _ => None,
    }
}

/// The content of a file that keeps facts.
pub(crate) fn content(facts: &Hash) -> String {
    let entries = facts.iter().map(|(name, value)| (name.clone(), value.clone()));
    format::json(&Value::hash(entries.chain([(VERSION.into(), 1.into())])))
}
