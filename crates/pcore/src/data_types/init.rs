//! `Init`: what the `new` of a type accepts as a single argument, or as an array of arguments.

use std::fmt;
use std::sync::Arc;

use crate::convert::accepts_type;
use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Init[contained, args]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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
        Type::Init(Arc::new(self.clone())).is_instance(value)
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        match (&self.contained, other) {
            (None, Type::Init(_)) => true,
            (None, other) => Type::rich_data().accepts(other, guard),
            (Some(contained), Type::Init(other)) => {
                other.contained.as_ref().is_some_and(|other| contained.accepts(other, guard))
            }
            (Some(_), other) => guard.open_init(self, other, |guard| accepts_type(self, other, guard)),
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
