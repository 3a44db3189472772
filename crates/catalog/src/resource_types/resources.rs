//! `resources`: settings for all resources of one type, such as purging.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "resources",
        [
            Attribute::parameter("name"),
            Attribute::parameter("purge").boolean().default_value("false"),
            Attribute::parameter("unless_system_user")
                .values(["true", "false"])
                .patterns(["^\\d+$"])
                .computed_default(),
            Attribute::parameter("unless_uid"),
        ],
    )
}
