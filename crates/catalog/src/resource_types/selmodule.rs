//! `selmodule`: SELinux policy modules.

use crate::resource_type::{Attribute, ResourceType, Rule};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "selmodule",
        [
            Attribute::property("ensure").values(["present", "absent"]).computed_default(),
            Attribute::property("syncversion").values(["true", "false"]),
            Attribute::parameter("name"),
            Attribute::parameter("selmoduledir").default_value("/usr/share/selinux/targeted"),
            Attribute::parameter("selmodulepath"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("selinux_core")
    .providers(["semodule"])
    .autorequire("file", Rule::Attribute("selmodulepath".into()))
}
