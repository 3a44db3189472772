//! `Class`: a reference to a class of the catalog.

use std::fmt;

use ecow::EcoString;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Class[name]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassType {
    /// The name of the class, in lower case; `None` for all classes.
    pub class_name: Option<EcoString>,
}

impl DataType for ClassType {
    fn name(&self) -> &str {
        "Class"
    }

    fn is_instance(&self, _value: &Value) -> bool {
        false
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Class(other) if self.class_name.is_none() || self.class_name == other.class_name)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Class")?;
        if let Some(name) = &self.class_name {
            list.item(name)?;
        }
        list.end()
    }
}
