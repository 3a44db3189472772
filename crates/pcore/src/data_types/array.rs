//! `Array`: a list with one type for all elements.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Array[element, from, to]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayType {
    /// The type of every element.
    pub element: Type,
    /// How many elements there may be.
    pub size: Option<IntegerType>,
}

impl ArrayType {
    /// The type of arrays with the given elements and size; the elements of an array without any do not matter.
    pub fn new(element: Type, size: Option<IntegerType>) -> ArrayType {
        let element = if size.is_some_and(|size| size.is_zero()) { Type::Unit } else { element };
        ArrayType { element, size: size.map(IntegerType::to_size) }
    }

    /// Whether this is plain `Array`.
    pub fn is_default(&self) -> bool {
        self.size.is_none() && self.element == Type::Any
    }
}

impl DataType for ArrayType {
    fn name(&self) -> &str {
        "Array"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::Array(elements) = value else { return false };
        self.size.is_none_or(|size| size.contains_size(elements.len()))
            && (self.element == Type::Any || elements.iter().all(|element| self.element.is_instance(element)))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        let size = self.size.unwrap_or(IntegerType::SIZE);
        match other {
            Type::Array(other) => {
                size.covers(&other.size.unwrap_or(IntegerType::SIZE)) && self.element.accepts(&other.element, guard)
            }
            Type::Tuple(other) => {
                size.covers(&other.size.unwrap_or(IntegerType::size(other.types.len())))
                    && other.types.iter().all(|element| self.element.accepts(element, guard))
            }
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Array")?;
        if self.size.is_some_and(|size| size.is_zero()) {
            list.item("0, 0")?;
        } else if !self.is_default() {
            list.data_type(&self.element)?;
            list.range(self.size.as_ref())?;
        }
        list.end()
    }
}
