//! `notify`: sends a message to the log of the agent.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "notify",
        [
            Attribute::property("message").computed_default(),
            Attribute::parameter("withpath").values(["true", "false"]).default_value("false"),
            Attribute::parameter("name"),
        ],
    )
}
