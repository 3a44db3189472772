//! `CatalogEntry`: what the references to classes and resources have in common.

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::value::Value;

pub(crate) struct CatalogEntryType;

impl DataType for CatalogEntryType {
    fn name(&self) -> &str {
        "CatalogEntry"
    }

    // A reference such as `File['x']` is a type, not an instance of one.
    fn is_instance(&self, _value: &Value) -> bool {
        false
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::CatalogEntry | Type::Class(_) | Type::Resource(_))
    }
}
