//! `system_uptime`: how long the machine runs, or the container.

use bunraku_pcore::Value;

use super::r#virtual::container;
use crate::fact::{Fact, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "system_uptime",
    resolve,
    aliases: &[("uptime", "uptime"), ("uptime_days", "days"), ("uptime_hours", "hours"), ("uptime_seconds", "seconds")],
    legacy: None,
}];

fn resolve(host: &Host<'_>) -> Value {
    let is_docker = container(host).is_some_and(|(name, _)| name == "docker");
    let seconds = if is_docker { age_of_first_process(host) } else { since_start(host).map(|seconds| seconds as i64) };
    let Some(seconds) = seconds else { return structure([("uptime", "unknown".into())]) };
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3600);
    let uptime = match hours / 24 {
        0 => format!("{hours}:{minutes:02} hours"),
        1 => "1 day".to_owned(),
        days => format!("{days} days"),
    };
    structure([
        ("days", (hours / 24).into()),
        ("hours", hours.into()),
        ("seconds", seconds.into()),
        ("uptime", uptime.into()),
    ])
}

fn since_start(host: &Host<'_>) -> Option<f64> {
    host.read("/proc/uptime")?.split_whitespace().next()?.parse().ok()
}

/// How long the first process of a container runs: the kernel counts hundredths of seconds since its own start.
fn age_of_first_process(host: &Host<'_>) -> Option<i64> {
    let status = host.read("/proc/1/stat")?;
    // The name of the process, in parentheses, may have blanks.
    let start: f64 = status.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    Some((since_start(host)? - start / 100.0).max(0.0) as i64)
}
