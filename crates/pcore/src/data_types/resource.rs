//! `Resource`: a reference to a resource of the catalog, or to all resources of a kind.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ecow::EcoString;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Resource[type_name, title]`, or `File['title']`.
#[derive(Clone, Debug, Default)]
pub struct ResourceType {
    /// The kind of resource with capitals, such as `Apache::Vhost`; `None` for all kinds.
    pub type_name: Option<EcoString>,
    /// The title; `None` for all resources of the kind.
    pub title: Option<EcoString>,
    /// The attribute that the title stands for, if this is a reference as resources and 3.x functions
    /// hold it: as text its title has no quotes, and it is not equal to the type that it was made of.
    pub namevar: Option<EcoString>,
}

impl ResourceType {
    /// A reference; a type name without capitals gets them.
    pub fn new(type_name: Option<EcoString>, title: Option<EcoString>) -> ResourceType {
        ResourceType { type_name: type_name.map(|name| capitalize_segments(&name)), title, namevar: None }
    }

    /// The reference as resources hold it in their parameters.
    pub fn held(
        type_name: impl Into<EcoString>,
        title: impl Into<EcoString>,
        namevar: impl Into<EcoString>,
    ) -> ResourceType {
        let plain = ResourceType::new(Some(type_name.into()), Some(title.into()));
        ResourceType { namevar: Some(namevar.into()), ..plain }
    }

    /// Whether this is a reference as resources hold it.
    pub fn is_held(&self) -> bool {
        self.namevar.is_some()
    }

    fn has_same_type_name(&self, other: &ResourceType) -> bool {
        match (&self.type_name, &other.type_name) {
            (Some(name), Some(other)) => name.eq_ignore_ascii_case(other),
            (None, None) => true,
            _ => false,
        }
    }
}

/// `apache::vhost` as `Apache::Vhost`; a name that starts with a capital is left as it is.
pub fn capitalize_segments(name: &str) -> EcoString {
    if name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return name.into();
    }
    if name.is_ascii() {
        return capitalize_ascii_segments(name);
    }
    let mut capitalized = EcoString::with_capacity(name.len());
    for (index, segment) in name.split("::").enumerate() {
        if index > 0 {
            capitalized.push_str("::");
        }
        let mut letters = segment.chars();
        capitalized.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        capitalized.extend(letters.flat_map(char::to_lowercase));
    }
    capitalized
}

/// The same where letters have one byte each, so that they can be changed where they are.
fn capitalize_ascii_segments(name: &str) -> EcoString {
    let mut capitalized = EcoString::from(name);
    let text = capitalized.make_mut();
    text.make_ascii_lowercase();
    let mut start = 0;
    while let Some(first) = text.get_mut(start..=start) {
        first.make_ascii_uppercase();
        let separator = name.as_bytes().get(start..).and_then(|rest| rest.windows(2).position(|pair| pair == b"::"));
        match separator {
            Some(position) => start += position + 2,
            None => break,
        }
    }
    capitalized
}

impl Type {
    /// Whether this is a reference as resources and 3.x functions hold it.
    pub fn is_held(&self) -> bool {
        matches!(self, Type::Resource(resource) if resource.is_held())
    }
}

impl From<ResourceType> for Type {
    fn from(resource: ResourceType) -> Type {
        Type::Resource(Arc::new(resource))
    }
}

impl PartialEq for ResourceType {
    fn eq(&self, other: &ResourceType) -> bool {
        self.has_same_type_name(other) && self.title == other.title && self.is_held() == other.is_held()
    }
}

impl Eq for ResourceType {}

impl Hash for ResourceType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(name) = &self.type_name {
            name.bytes().for_each(|byte| byte.to_ascii_lowercase().hash(state));
        }
        self.title.hash(state);
    }
}

impl DataType for ResourceType {
    fn name(&self) -> &str {
        "Resource"
    }

    fn is_instance(&self, _value: &Value) -> bool {
        false
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        let Type::Resource(other) = other else { return false };
        self.type_name.is_none()
            || (self.has_same_type_name(other) && (self.title.is_none() || self.title == other.title))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let Some(type_name) = &self.type_name else { return writer.text("Resource") };
        let mut list = writer.list(type_name)?;
        if let Some(title) = &self.title {
            list.quoted(title)?;
        }
        list.end()
    }
}
