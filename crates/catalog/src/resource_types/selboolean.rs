//! `selboolean`: SELinux booleans.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "selboolean",
        [
            Attribute::property("value").values(["on", "off", "true", "false"]),
            Attribute::parameter("name"),
            Attribute::parameter("persistent").values(["true", "false"]).default_value("false"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("selinux_core")
    .providers(["getsetsebool"])
}
