//! `Numeric`: integers and floats.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct NumericType;

impl DataType for NumericType {
    fn name(&self) -> &str {
        "Numeric"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Integer(_) | Value::Float(_))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Numeric | Type::Integer(_) | Type::Float(_))
    }
}
