//! `Scalar`: single values, including those that JSON cannot hold.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct ScalarType;

impl DataType for ScalarType {
    fn name(&self) -> &str {
        "Scalar"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(
            value,
            Value::String(_)
                | Value::Integer(_)
                | Value::Float(_)
                | Value::Boolean(_)
                | Value::Regexp(_)
                | Value::SemVer(_)
                | Value::SemVerRange(_)
                | Value::Timespan(_)
                | Value::Timestamp(_)
        )
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(
            other,
            Type::Scalar
                | Type::ScalarData
                | Type::Numeric
                | Type::Integer(_)
                | Type::Float(_)
                | Type::String(_)
                | Type::Enum(_)
                | Type::Boolean(_)
                | Type::Pattern(_)
                | Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timespan(_)
                | Type::Timestamp(_)
        )
    }
}
