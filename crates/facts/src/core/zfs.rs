//! `zfs_version`, `zpool_version` and kin: what the tools of ZFS know.

use bunraku_pcore::Value;

use crate::fact::Fact;
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[
    Fact::new("zfs_featurenumbers", |host| joined(&numbers(host, "zfs"))),
    Fact::new("zfs_version", |host| numbers(host, "zfs").pop().into()),
    Fact::new("zpool_featureflags", |host| match numbers(host, "zpool").is_empty() {
        true => Value::Undef,
        false => flags(host).join(",").into(),
    }),
    Fact::new("zpool_featurenumbers", |host| joined(&numbers(host, "zpool"))),
    Fact::new("zpool_version", |host| {
        let numbers = numbers(host, "zpool");
        if !numbers.is_empty() && !flags(host).is_empty() { "5000".into() } else { numbers.last().cloned().into() }
    }),
];

fn joined(numbers: &[String]) -> Value {
    if numbers.is_empty() { Value::Undef } else { numbers.join(",").into() }
}

/// The numbers of versions that lines begin with.
fn numbers(host: &Host<'_>, program: &str) -> Vec<String> {
    let said = host.command(program, &["upgrade", "-v"]).unwrap_or_default();
    let number = |line: &str| {
        let digits: String = line.trim_start().chars().take_while(char::is_ascii_digit).collect();
        (line.starts_with(char::is_whitespace) && !digits.is_empty()).then_some(digits)
    };
    said.lines().filter_map(number).collect()
}

/// The names of features, each on a line of its own.
fn flags(host: &Host<'_>) -> Vec<String> {
    let said = host.command("zpool", &["upgrade", "-v"]).unwrap_or_default();
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let lines = said.lines().map(|line| line.trim_end().trim_end_matches("(read-only compatible)").trim_end());
    lines.filter(|name| is_name(name)).map(str::to_owned).collect()
}
