//! `Binary` as a data type: all binary data.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct BinaryType;

impl DataType for BinaryType {
    fn name(&self) -> &str {
        "Binary"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Binary(_))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Binary)
    }
}
