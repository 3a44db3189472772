//! `filesystems`: the kinds of file systems of the kernel that need a device.

use bunraku_pcore::Value;

use crate::fact::Fact;
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact::new("filesystems", resolve)];

fn resolve(host: &Host<'_>) -> Value {
    let Some(text) = host.read("/proc/filesystems") else { return Value::Undef };
    let mut names: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("nodev"))
        .map(str::trim)
        .filter(|name| !name.is_empty() && *name != "fuseblk")
        .collect();
    names.sort_unstable();
    Value::from(names.join(","))
}
