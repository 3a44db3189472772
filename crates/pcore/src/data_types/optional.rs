//! `Optional`: a type or `undef`.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Optional[contained]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OptionalType {
    /// The type that `undef` is added to.
    pub contained: Option<Type>,
}

impl DataType for OptionalType {
    fn name(&self) -> &str {
        "Optional"
    }

    fn is_instance(&self, value: &Value) -> bool {
        value.is_undef() || self.contained.as_ref().is_some_and(|contained| contained.is_instance(value))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        // Compatibility: without parameter it has no instance but `undef`, yet everything is assignable to it.
        matches!(other, Type::Undef) || self.contained.as_ref().is_none_or(|contained| contained.accepts(other, guard))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Optional")?;
        if let Some(contained) = &self.contained {
            list.data_type_or_text(contained)?;
        }
        list.end()
    }
}
