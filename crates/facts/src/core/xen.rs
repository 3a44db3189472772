//! `xen`: the guests of a Xen host.

use bunraku_pcore::Value;

use super::r#virtual::virt_what;
use crate::fact::{Fact, Legacy, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] =
    &[Fact { name: "xen", resolve, aliases: &[], legacy: Some(Legacy { names: &["xendomains"], resolve: legacy }) }];

const COMMANDS: [&str; 2] = ["/usr/sbin/xl", "/usr/sbin/xm"];
const TOOLSTACK: &str = "/usr/lib/xen-common/bin/xen-toolstack";

/// Whether this is a host of Xen or one of its guests.
pub(super) fn kind(host: &Host<'_>) -> Option<&'static str> {
    if host.exists("/dev/xen/evtchn") {
        return Some("xen0");
    }
    let is_disk = || host.list("/dev").iter().any(|entry| entry.name == "xvda1" && !entry.is_link);
    (host.exists("/proc/xen") || is_disk()).then_some("xenu")
}

/// Whether this machine rules the others.
pub(super) fn is_privileged(host: &Host<'_>) -> bool {
    host.line("/proc/xen/capabilities").as_deref() == Some("control_d") || kind(host) == Some("xen0")
}

fn resolve(host: &Host<'_>) -> Value {
    let is_host = virt_what(host).map_or_else(|| kind(host) == Some("xen0"), |kind| kind == "xen0");
    if !is_host {
        return Value::Undef;
    }
    let installed: Vec<&str> = COMMANDS.into_iter().filter(|command| host.world.is_file(command)).collect();
    let command = if installed.len() > 1 && host.exists(TOOLSTACK) { Some(&TOOLSTACK) } else { installed.first() };
    let listed = command.and_then(|command| host.command(command, &["list"])).unwrap_or_default();
    let guests = listed.lines().filter(|line| !line.contains("Domain-0") && !line.contains("Name"));
    let guests = guests.filter_map(|line| line.split_whitespace().next()).map(Value::from);
    structure([("domains", Value::array(guests))])
}

fn legacy(_: &Host<'_>, xen: &Value) -> Vec<(String, Value)> {
    let Some(Value::Array(guests)) = xen.get("domains") else { return Vec::new() };
    let names: Vec<&str> = guests.iter().filter_map(Value::as_str).collect();
    vec![("xendomains".to_owned(), names.join(",").into())]
}
