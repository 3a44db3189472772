//! `NotUndef`: a type without `undef`.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `NotUndef[contained]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NotUndefType {
    /// The type that `undef` is taken from; `None` for `Any`.
    pub contained: Option<Type>,
}

impl DataType for NotUndefType {
    fn name(&self) -> &str {
        "NotUndef"
    }

    fn is_instance(&self, value: &Value) -> bool {
        !value.is_undef() && self.contained.as_ref().is_none_or(|contained| contained.is_instance(value))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        !other.accepts(&Type::Undef, guard)
            && self.contained.as_ref().is_none_or(|contained| contained.accepts(other, guard))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("NotUndef")?;
        if let Some(contained) = &self.contained {
            list.data_type_or_text(contained)?;
        }
        list.end()
    }
}
