//! `cron`: jobs that run at certain times.

use crate::resource_type::{Attribute, ResourceType, Rule};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "cron",
        [
            Attribute::property("ensure").values(["present", "absent"]).computed_default(),
            Attribute::property("command"),
            Attribute::property("special"),
            Attribute::property("minute"),
            Attribute::property("hour"),
            Attribute::property("weekday"),
            Attribute::property("month"),
            Attribute::property("monthday"),
            Attribute::property("environment"),
            Attribute::property("user").computed_default(),
            Attribute::property("target").computed_default(),
            Attribute::parameter("name"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("cron_core")
    .providers(["crontab"])
    .autorequire("user", Rule::Attribute("user".into()))
}
