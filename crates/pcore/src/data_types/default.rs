//! `Default`: the type of the keyword `default`.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct DefaultType;

impl DataType for DefaultType {
    fn name(&self) -> &str {
        "Default"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Default)
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Default)
    }
}
