//! `ScalarData`: the scalars that JSON can hold.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct ScalarDataType;

impl DataType for ScalarDataType {
    fn name(&self) -> &str {
        "ScalarData"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(
            other,
            Type::ScalarData
                | Type::Numeric
                | Type::Integer(_)
                | Type::Float(_)
                | Type::String(_)
                | Type::Enum(_)
                | Type::Boolean(_)
                | Type::Pattern(_)
        )
    }
}
