//! `Undef`: the type of `undef`.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct UndefType;

impl DataType for UndefType {
    fn name(&self) -> &str {
        "Undef"
    }

    fn is_instance(&self, value: &Value) -> bool {
        value.is_undef()
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Undef)
    }
}
