//! `Runtime`: a type of the platform the language runs on, known by name only.

use std::fmt;
use std::sync::Arc;

use ecow::EcoString;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Runtime[runtime, name]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuntimeType {
    /// The platform, such as `ruby`.
    pub runtime: Option<EcoString>,
    /// The name of the type there.
    pub type_name: Option<EcoString>,
}

impl RuntimeType {
    /// The type of symbols.
    pub(crate) fn symbol() -> Type {
        Type::Runtime(Arc::new(RuntimeType { runtime: Some("ruby".into()), type_name: Some("Symbol".into()) }))
    }

    /// Whether this is a class of Ruby that inherits from or includes the one of that name, as far as values of the language
    /// can have such classes.
    fn has_ancestor(&self, name: &str) -> bool {
        let is_ruby = self.runtime.as_deref() == Some("ruby");
        match self.type_name.as_deref() {
            Some("Symbol") => is_ruby && ["Comparable", "Object", "Kernel", "BasicObject"].contains(&name),
            Some(iterator) if ITERATORS.contains(&iterator) => {
                is_ruby && ["Puppet::Pops::Types::Iterable", "Object", "Kernel", "BasicObject"].contains(&name)
            }
            _ => false,
        }
    }

    /// Whether this is a class of the reference whose instances can be iterated over.
    pub(super) fn is_iterable(&self) -> bool {
        self.has_ancestor("Puppet::Pops::Types::Iterable")
    }
}

/// The reference's own classes for what can be iterated over.
const ITERATORS: [&str; 7] = [
    "Puppet::Pops::Types::Iterator",
    "Puppet::Pops::Types::HashIterator",
    "Puppet::Pops::Types::StepIterator",
    "Puppet::Pops::Types::IntegerRangeIterator",
    "Puppet::Pops::Types::Iterable::TreeIterator",
    "Puppet::Pops::Types::Iterable::DepthFirstTreeIterator",
    "Puppet::Pops::Types::Iterable::BreadthFirstTreeIterator",
];

impl DataType for RuntimeType {
    fn name(&self) -> &str {
        "Runtime"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Symbol(_)) && self.is_assignable(&RuntimeType::symbol(), &mut Guard::default())
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        let Type::Runtime(other) = other else { return false };
        (self.runtime.is_none() || self.runtime == other.runtime)
            && (self.type_name.is_none()
                || self.type_name == other.type_name
                || self.type_name.as_deref().is_some_and(|name| other.has_ancestor(name)))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Runtime")?;
        if self.runtime.is_some() || self.type_name.is_some() {
            // The platform is a symbol in the reference, and has no quotes.
            list.item(self.runtime.as_deref().unwrap_or("undef"))?;
            match &self.type_name {
                Some(name) => list.quoted(name)?,
                None => list.item("undef")?,
            }
        }
        list.end()
    }
}
