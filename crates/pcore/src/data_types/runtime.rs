//! `Runtime`: a type of the platform the language runs on, known by name only.

use std::fmt;

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

impl DataType for RuntimeType {
    fn name(&self) -> &str {
        "Runtime"
    }

    fn is_instance(&self, _value: &Value) -> bool {
        false
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        let Type::Runtime(other) = other else { return false };
        (self.runtime.is_none() || self.runtime == other.runtime)
            && (self.type_name.is_none() || self.type_name == other.type_name)
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
