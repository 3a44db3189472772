//! `whit`: stands for a container in the relationship graph; never declared in code.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new("whit", [Attribute::parameter("name")]).refreshable()
}
