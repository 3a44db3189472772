//! `mailalias`: entries of the mail alias file.

use crate::resource_type::{Attribute, ResourceType, Shape};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "mailalias",
        [
            Attribute::property("ensure").values(["present", "absent"]).computed_default(),
            Attribute::property("recipient").shape(Shape::All),
            Attribute::property("file"),
            Attribute::property("target").computed_default(),
            Attribute::parameter("name"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("mailalias_core")
    .providers(["aliases"])
}
