//! `Tuple`: a list with a type for each element; the last type may be repeated.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Tuple[types, from, to]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TupleType {
    /// The types by position; the last one is also that of all further elements.
    pub types: Vec<Type>,
    /// How many elements there may be, if not exactly one for each type.
    pub size: Option<IntegerType>,
}

impl TupleType {
    /// The type of arrays with the given types by position.
    pub fn new(types: Vec<Type>, size: Option<IntegerType>) -> TupleType {
        TupleType { types, size: size.map(IntegerType::to_size) }
    }

    /// How many elements there may be.
    pub fn size_range(&self) -> IntegerType {
        self.size.unwrap_or(if self.types.is_empty() { IntegerType::SIZE } else { IntegerType::size(self.types.len()) })
    }

    /// The type at a position.
    pub fn type_at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }

    /// Whether the values are the elements of an instance.
    pub fn contains(&self, elements: &[Value]) -> bool {
        let sized = match &self.size {
            Some(size) => size.contains_size(elements.len()),
            None => self.types.is_empty() || self.types.len() == elements.len(),
        };
        sized
            && (elements.iter().enumerate())
                .all(|(index, element)| self.type_at(index).is_none_or(|expected| expected.is_instance(element)))
    }

    /// Whether another tuple is assignable.
    pub(crate) fn accepts(&self, other: &TupleType, guard: &mut Guard) -> bool {
        let size = self.size_range();
        if self == other {
            return true;
        }
        if !size.covers(&other.size_range()) {
            return false;
        }
        if !self.types.is_empty() && other.types.is_empty() {
            return size.from == Some(0);
        }
        (other.types.iter().enumerate())
            .all(|(index, element)| self.type_at(index).is_none_or(|expected| expected.accepts(element, guard)))
    }
}

impl DataType for TupleType {
    fn name(&self) -> &str {
        "Tuple"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Array(elements) if self.contains(elements))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        match other {
            Type::Tuple(other) => self.accepts(other, guard),
            Type::Array(other) => {
                let size = other.size.unwrap_or(IntegerType::SIZE);
                let most = size.to.map_or(usize::MAX, |to| usize::try_from(to).unwrap_or(0));
                self.size_range().covers(&size)
                    && self.types.iter().take(most).all(|expected| expected.accepts(&other.element, guard))
            }
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Tuple")?;
        for element in &self.types {
            list.data_type(element)?;
        }
        if !self.types.is_empty() {
            list.range(self.size.as_ref())?;
        }
        list.end()
    }
}
