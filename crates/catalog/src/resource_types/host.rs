//! `host`: entries of `/etc/hosts`.

use crate::resource_type::{Attribute, ResourceType, Shape};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "host",
        [
            Attribute::property("ensure").values(["present", "absent"]).computed_default(),
            Attribute::property("ip"),
            Attribute::property("host_aliases").shape(Shape::List),
            Attribute::property("comment"),
            Attribute::property("target").computed_default(),
            Attribute::parameter("name"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("host_core")
    .providers(["parsed"])
}
