//! `anchor` of the stdlib module: a fixed point in the order of a class.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new("anchor", [Attribute::parameter("name")]).module("stdlib").refreshable()
}
