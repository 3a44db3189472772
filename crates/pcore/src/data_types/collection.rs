//! `Collection`: an array or a hash with a size in a range.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Collection[from, to]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CollectionType {
    /// How many elements or entries there may be.
    pub size: Option<IntegerType>,
}

impl DataType for CollectionType {
    fn name(&self) -> &str {
        "Collection"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let size = match value {
            Value::Array(elements) => elements.len(),
            Value::Hash(hash) => hash.len(),
            _ => return false,
        };
        self.size.is_none_or(|allowed| allowed.contains_size(size))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        let size = match other {
            Type::Collection(other) => other.size.unwrap_or(IntegerType::SIZE),
            Type::Array(other) => other.size.unwrap_or(IntegerType::SIZE),
            Type::Hash(other) => other.size.unwrap_or(IntegerType::SIZE),
            Type::Tuple(other) => other.size.unwrap_or(IntegerType::size(other.types.len())),
            // Compatibility: optional members count as if they were always there.
            Type::Struct(other) => IntegerType::size(other.members.len()),
            _ => return false,
        };
        self.size.unwrap_or(IntegerType::SIZE).covers(&size)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Collection")?;
        list.range(self.size.as_ref())?;
        list.end()
    }
}
