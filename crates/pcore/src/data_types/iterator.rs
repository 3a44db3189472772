//! `Iterator`: a lazy sequence.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Iterator[element]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IteratorType {
    /// The type of the elements.
    pub element: Option<Type>,
}

impl DataType for IteratorType {
    fn name(&self) -> &str {
        "Iterator"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::Iterator(iterator) = value else { return false };
        self.element.as_ref().is_none_or(|element| element.is_assignable(&iterator.element_type))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        let Type::Iterator(other) = other else { return false };
        match (&self.element, &other.element) {
            (None, _) => true,
            (Some(element), Some(other)) => element.accepts(other, guard),
            (Some(element), None) => element.accepts(&Type::Any, guard),
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Iterator")?;
        if let Some(element) = &self.element {
            list.data_type(element)?;
        }
        list.end()
    }
}
