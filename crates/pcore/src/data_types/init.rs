//! `Init`: what the `new` of a type accepts as a single argument.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Init[contained, args]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InitType {
    /// The type whose `new` is meant; `None` for any.
    pub contained: Option<Type>,
    /// Further arguments for `new`.
    pub args: Vec<Value>,
}

impl DataType for InitType {
    fn name(&self) -> &str {
        "Init"
    }

    fn is_instance(&self, value: &Value) -> bool {
        match &self.contained {
            None => Type::rich_data().is_instance(value),
            Some(contained) => contained.is_instance(value),
        }
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        match (&self.contained, other) {
            (None, Type::Init(_)) => true,
            (Some(contained), Type::Init(other)) => {
                other.contained.as_ref().is_some_and(|other| contained.accepts(other, guard))
            }
            (None, other) => Type::rich_data().accepts(other, guard),
            (Some(contained), other) => contained.accepts(other, guard),
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Init")?;
        if let Some(contained) = &self.contained {
            list.data_type(contained)?;
            for argument in &self.args {
                list.value(argument)?;
            }
        }
        list.end()
    }
}
