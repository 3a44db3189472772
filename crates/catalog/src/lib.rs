//! What a catalog is: resources, edges, tags, and its wire form.

pub mod catalog;
pub mod diff;
pub mod edge;
pub mod graph;
pub mod issues;
pub mod reference;
pub mod resource;
pub mod resource_type;
pub mod resource_types;
pub mod secret;
pub mod setting_type;
pub mod summary;
pub mod tag;
pub mod title;
pub mod wire;

pub use catalog::{Catalog, Version};
pub use edge::Edge;
pub use reference::Reference;
pub use resource::{Kind, Parameters, Resource};
pub use resource_type::ResourceType;
pub use tag::Tags;
