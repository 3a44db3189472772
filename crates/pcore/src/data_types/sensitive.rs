//! `Sensitive`: a value that must not be shown.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Sensitive[contained]`; the contained type is always a generalized one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SensitiveType {
    /// The type of the hidden value.
    pub contained: Type,
}

impl DataType for SensitiveType {
    fn name(&self) -> &str {
        "Sensitive"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Sensitive(hidden) if self.contained.is_instance(hidden))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        matches!(other, Type::Sensitive(other) if self.contained.accepts(&other.contained, guard))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Sensitive")?;
        if self.contained != Type::Any {
            list.data_type(&self.contained)?;
        }
        list.end()
    }
}
