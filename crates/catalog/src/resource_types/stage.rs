//! `stage`: run stages, to which classes are assigned.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new("stage", [Attribute::parameter("name")])
}
