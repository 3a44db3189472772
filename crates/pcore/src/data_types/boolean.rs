//! `Boolean`: both truth values, or only one of them.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Boolean`, `Boolean[true]` or `Boolean[false]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BooleanType {
    /// The only value, if there is only one.
    pub value: Option<bool>,
}

impl DataType for BooleanType {
    fn name(&self) -> &str {
        "Boolean"
    }

    fn is_instance(&self, value: &Value) -> bool {
        match value {
            Value::Boolean(value) => self.value.is_none_or(|only| only == *value),
            _ => false,
        }
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        match other {
            Type::Boolean(other) => self.value.is_none() || self.value == other.value,
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Boolean")?;
        if let Some(value) = self.value {
            list.item(value)?;
        }
        list.end()
    }
}
