//! `Type`: data types as values.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Type[contained]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeType {
    /// The type that an instance must be assignable to.
    pub contained: Option<Type>,
}

impl DataType for TypeType {
    fn name(&self) -> &str {
        "Type"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::Type(value) = value else { return false };
        self.contained.as_ref().is_none_or(|contained| contained.is_assignable(value))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        let Type::Type(other) = other else { return false };
        match (&self.contained, &other.contained) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(contained), Some(other)) => contained.accepts(other, guard),
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Type")?;
        if let Some(contained) = &self.contained {
            list.data_type(contained)?;
        }
        list.end()
    }
}
