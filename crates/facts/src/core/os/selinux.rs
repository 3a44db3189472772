//! `os.selinux`: whether SELinux is used, and how strictly.

use bunraku_pcore::Value;

use crate::fact::structure;
use crate::host::Host;

pub(super) fn resolve(host: &Host<'_>) -> Value {
    let mounts = host.read("/proc/self/mounts").unwrap_or_default();
    let mount = mounts.lines().find(|line| line.contains("selinuxfs")).and_then(|line| line.split_whitespace().nth(1));
    let config = host.read("/etc/selinux/config").filter(|text| !text.is_empty());
    let (Some(mount), Some(config)) = (mount, config) else { return structure([("enabled", false.into())]) };
    let setting = |name: &str| {
        let line = config.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('=')).next_back()?;
        Some(line.trim().to_owned())
    };
    let is_enforced = host.read(&format!("{mount}/enforce")).is_some_and(|text| text.trim() == "1");
    structure([
        ("config_mode", setting("SELINUX").into()),
        ("config_policy", setting("SELINUXTYPE").into()),
        ("current_mode", if is_enforced { "enforcing" } else { "permissive" }.into()),
        ("enabled", true.into()),
        ("enforced", is_enforced.into()),
        ("policy_version", host.line(&format!("{mount}/policyvers")).into()),
    ])
}
