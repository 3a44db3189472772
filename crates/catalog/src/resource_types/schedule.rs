//! `schedule`: times at which resources may be applied.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "schedule",
        [
            Attribute::parameter("name"),
            Attribute::parameter("range"),
            Attribute::parameter("periodmatch").values(["number", "distance"]).default_value("distance"),
            Attribute::parameter("period").values(["hourly", "daily", "weekly", "monthly", "never"]),
            Attribute::parameter("repeat").default_value("1"),
            Attribute::parameter("weekday"),
        ],
    )
}
