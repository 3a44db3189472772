//! `Unit`: the type that is assignable to and from everything. It has no name in the language; it stands where a type
//! does not matter, as for the elements of an empty array.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct UnitType;

impl DataType for UnitType {
    fn name(&self) -> &str {
        "Unit"
    }

    fn is_instance(&self, _value: &Value) -> bool {
        true
    }

    fn is_assignable(&self, _other: &Type, _guard: &mut Guard) -> bool {
        true
    }
}
