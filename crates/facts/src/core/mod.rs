//! The shelf of core facts, one file for each or for those that are one story.

mod aio_agent_version;
mod augeas;
mod cloud;
mod disks;
mod dmi;
mod facterversion;
mod filesystems;
mod fips_enabled;
mod hypervisors;
mod identity;
mod kernel;
mod load_averages;
mod memory;
mod mountpoints;
mod networking;
mod os;
mod partitions;
mod path;
mod processors;
mod ruby;
mod ssh;
mod system_uptime;
mod timezone;
mod r#virtual;
mod xen;
mod zfs;

use crate::fact::Fact;
use crate::host::Host;

/// All core facts.
pub(crate) fn all() -> impl Iterator<Item = &'static Fact> {
    SHELF.iter().copied().flatten()
}

const SHELF: &[&[Fact]] = &[
    aio_agent_version::FACTS,
    augeas::FACTS,
    cloud::FACTS,
    disks::FACTS,
    dmi::FACTS,
    facterversion::FACTS,
    filesystems::FACTS,
    fips_enabled::FACTS,
    hypervisors::FACTS,
    identity::FACTS,
    kernel::FACTS,
    load_averages::FACTS,
    memory::FACTS,
    mountpoints::FACTS,
    networking::FACTS,
    os::FACTS,
    partitions::FACTS,
    path::FACTS,
    processors::FACTS,
    ruby::FACTS,
    ssh::FACTS,
    system_uptime::FACTS,
    timezone::FACTS,
    r#virtual::FACTS,
    xen::FACTS,
    zfs::FACTS,
];

/// Whether this is the name of a core fact, of a part of one, or a legacy name, so that it is known even without a value.
pub(crate) fn is_known(query: &str) -> bool {
    all().any(|fact| {
        let is_part = |(_, path): &(&str, &str)| {
            query.strip_prefix(fact.name).and_then(|rest| rest.strip_prefix('.')) == Some(*path)
        };
        query == fact.name || fact.has_legacy(query) || fact.aliases.iter().any(is_part)
    })
}

/// The structured fact that a legacy name stands for, as a path; a core fact stands for itself.
pub(crate) fn structured_name(legacy: &str) -> Option<String> {
    if all().any(|fact| fact.name == legacy) {
        return Some(legacy.to_owned());
    }
    let fact = all().find(|fact| fact.has_legacy(legacy))?;
    let path = fact.aliases.iter().find(|(alias, _)| *alias == legacy).map_or("", |(_, path)| path);
    Some(if path.is_empty() { fact.name.to_owned() } else { format!("{}.{path}", fact.name) })
}

/// A command with its arguments.
pub(crate) type Question = (&'static str, &'static [&'static str]);

/// The command that a fact asks in any case, if there is one. Others are asked only after something else was found out.
pub(crate) fn question(host: &Host<'_>, fact: &str) -> Option<Question> {
    match fact {
        "disks" => disks::question(host),
        "os" => Some(os::distro::QUESTION),
        "partitions" => partitions::question(host),
        "processors" => Some(processors::QUESTION),
        _ => None,
    }
}
