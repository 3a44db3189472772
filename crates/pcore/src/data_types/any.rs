//! `Any`: every value.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct AnyType;

impl DataType for AnyType {
    fn name(&self) -> &str {
        "Any"
    }

    fn is_instance(&self, _value: &Value) -> bool {
        true
    }

    fn is_assignable(&self, _other: &Type, _guard: &mut Guard) -> bool {
        true
    }
}
