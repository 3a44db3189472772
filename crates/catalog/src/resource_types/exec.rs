//! `exec`: runs commands.

use crate::resource_type::{Attribute, ResourceType, Rule, Shape};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "exec",
        [
            Attribute::property("returns").default_value("0").shape(Shape::All),
            Attribute::parameter("command"),
            Attribute::parameter("path"),
            Attribute::parameter("user"),
            Attribute::parameter("group"),
            Attribute::parameter("cwd"),
            Attribute::parameter("logoutput").values(["true", "false", "on_failure"]).default_value("on_failure"),
            Attribute::parameter("refresh"),
            Attribute::parameter("environment"),
            Attribute::parameter("umask"),
            Attribute::parameter("timeout").default_value("300"),
            Attribute::parameter("tries").default_value("1"),
            Attribute::parameter("try_sleep").default_value("0"),
            Attribute::parameter("refreshonly").values(["true", "false"]),
            Attribute::parameter("creates"),
            Attribute::parameter("unless"),
            Attribute::parameter("onlyif"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .namevars(["command"])
    .not_isomorphic()
    .refreshable()
    .providers(["posix", "shell", "windows"])
    .autorequire("file", Rule::Attribute("cwd".into()))
    .autorequire("file", Rule::Commands("command".into()))
    .autorequire("file", Rule::Commands("onlyif".into()))
    .autorequire("file", Rule::Commands("unless".into()))
    .autorequire("user", Rule::Attribute("user".into()))
}
