//! `mount`: mounted file systems and entries of the file system table.

use crate::resource_type::{Attribute, ResourceType, Rule};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "mount",
        [
            Attribute::property("ensure")
                .values(["defined", "unmounted", "absent", "mounted"])
                .alias("present", "defined"),
            Attribute::property("device"),
            Attribute::property("blockdevice").computed_default(),
            Attribute::property("fstype"),
            Attribute::property("options"),
            Attribute::property("pass").computed_default(),
            Attribute::property("atboot").boolean().values(["true", "false"]),
            Attribute::property("dump").patterns(["(0|1)"]).computed_default(),
            Attribute::property("target").computed_default(),
            Attribute::parameter("name"),
            Attribute::parameter("remounts").values(["true", "false"]).computed_default(),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("mount_core")
    .refreshable()
    .refreshes_itself()
    .features(["refreshable"])
    .providers(["parsed"])
    .autorequire("mount", Rule::Parents("name".into()))
    .autobefore("file", Rule::Children("name".into()))
}
