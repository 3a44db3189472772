//! `augeas`: edits configuration files through the Augeas library.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "augeas",
        [
            Attribute::property("returns").default_value("0"),
            Attribute::parameter("name"),
            Attribute::parameter("context").default_value(""),
            Attribute::parameter("onlyif").default_value(""),
            Attribute::parameter("changes"),
            Attribute::parameter("root").default_value("/"),
            Attribute::parameter("load_path").default_value(""),
            Attribute::parameter("force").default_value("false"),
            Attribute::parameter("type_check").values(["true", "false"]).default_value("false"),
            Attribute::parameter("lens"),
            Attribute::parameter("incl"),
            Attribute::parameter("show_diff").boolean().default_value("true"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("augeas_core")
    .features(["execute_changes", "need_to_run?", "parse_commands"])
    .providers(["augeas"])
}
