//! `TypeReference`: a name that no loader has resolved.

use std::fmt;

use ecow::EcoString;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `TypeReference['text']`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeReference {
    /// The type as it was written.
    pub text: EcoString,
}

impl DataType for TypeReference {
    fn name(&self) -> &str {
        "TypeReference"
    }

    fn is_instance(&self, _value: &Value) -> bool {
        false
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Reference(other) if self == &**other)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("TypeReference")?;
        list.quoted(&self.text)?;
        list.end()
    }
}
