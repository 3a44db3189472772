//! `yumrepo`: package repositories of yum and dnf.

use crate::resource_type::{Attribute, ResourceType};

/// The keys of a repository's section, all of them free text or a number.
const KEYS: [&str; 41] = [
    "descr",
    "mirrorlist",
    "baseurl",
    "enabled",
    "gpgcheck",
    "payload_gpgcheck",
    "repo_gpgcheck",
    "gpgkey",
    "mirrorlist_expire",
    "include",
    "exclude",
    "gpgcakey",
    "includepkgs",
    "enablegroups",
    "failovermethod",
    "keepalive",
    "retries",
    "http_caching",
    "timeout",
    "metadata_expire",
    "protect",
    "priority",
    "minrate",
    "throttle",
    "bandwidth",
    "cost",
    "proxy",
    "proxy_username",
    "proxy_password",
    "s3_enabled",
    "sslcacert",
    "sslverify",
    "sslclientcert",
    "sslclientkey",
    "metalink",
    "skip_if_unavailable",
    "assumeyes",
    "deltarpm_percentage",
    "deltarpm_metadata_percentage",
    "username",
    "password",
];

pub(super) fn resource_type() -> ResourceType {
    let mut attributes = vec![Attribute::property("ensure").values(["present", "absent"]).computed_default()];
    attributes.extend(KEYS.map(Attribute::property));
    attributes.extend([
        Attribute::property("module_hotfixes"),
        Attribute::parameter("name"),
        Attribute::parameter("target"),
        Attribute::parameter("provider").computed_default(),
    ]);
    ResourceType::new("yumrepo", attributes).module("yumrepo_core").providers(["inifile"])
}
