//! `component`: stands for a class or defined type on the agent; never declared in code.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new("component", [Attribute::parameter("name")]).refreshable()
}
