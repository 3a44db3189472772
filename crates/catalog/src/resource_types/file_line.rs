//! `file_line` of the stdlib module: one line of a file.

use crate::resource_type::{Attribute, ResourceType, Rule};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "file_line",
        [
            Attribute::property("ensure").values(["present", "absent"]).default_value("present"),
            Attribute::property("line"),
            Attribute::parameter("name"),
            Attribute::parameter("match"),
            Attribute::parameter("match_for_absence").values(["true", "false"]).default_value("false"),
            Attribute::parameter("multiple").values(["true", "false"]),
            Attribute::parameter("after"),
            Attribute::parameter("path"),
            Attribute::parameter("replace").values(["true", "false"]).default_value("true"),
            Attribute::parameter("replace_all_matches_not_matching_line")
                .values(["true", "false"])
                .default_value("false"),
            Attribute::parameter("encoding").default_value("UTF-8"),
            Attribute::parameter("append_on_no_match").values(["true", "false"]).default_value("true"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("stdlib")
    .providers(["ruby"])
    .autorequire("file", Rule::Attribute("path".into()))
}
