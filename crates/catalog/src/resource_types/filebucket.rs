//! `filebucket`: where old contents of files are kept.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "filebucket",
        [
            Attribute::parameter("name"),
            Attribute::parameter("server"),
            Attribute::parameter("port"),
            Attribute::parameter("path").computed_default(),
        ],
    )
}
