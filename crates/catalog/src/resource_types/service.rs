//! `service`: running services.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "service",
        [
            Attribute::property("ensure")
                .values(["stopped", "running"])
                .alias("false", "stopped")
                .alias("true", "running"),
            Attribute::property("enable")
                .values(["true", "false", "manual", "mask", "delayed"])
                .features(["enableable"]),
            Attribute::property("logonaccount").features(["manages_logon_credentials"]),
            Attribute::property("flags").features(["flaggable"]),
            Attribute::parameter("logonpassword").features(["manages_logon_credentials"]).computed_default(),
            Attribute::parameter("binary"),
            Attribute::parameter("hasstatus").values(["true", "false"]).default_value("true"),
            Attribute::parameter("name"),
            Attribute::parameter("path").computed_default(),
            Attribute::parameter("pattern").computed_default(),
            Attribute::parameter("restart"),
            Attribute::parameter("start"),
            Attribute::parameter("status"),
            Attribute::parameter("stop"),
            Attribute::parameter("control").computed_default(),
            Attribute::parameter("hasrestart").values(["true", "false"]),
            Attribute::parameter("manifest"),
            Attribute::parameter("timeout").features(["configurable_timeout"]).computed_default(),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .refreshable()
    .features([
        "configurable_timeout",
        "controllable",
        "delayed_startable",
        "enableable",
        "flaggable",
        "manages_logon_credentials",
        "manual_startable",
        "maskable",
        "refreshable",
    ])
    .providers([
        "base",
        "bsd",
        "daemontools",
        "debian",
        "freebsd",
        "gentoo",
        "init",
        "launchd",
        "openbsd",
        "openrc",
        "openwrt",
        "rcng",
        "redhat",
        "runit",
        "service",
        "smf",
        "src",
        "systemd",
        "upstart",
        "windows",
    ])
}
