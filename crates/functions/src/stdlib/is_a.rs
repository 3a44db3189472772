//! `is_a`: whether a value is of a type.

use bunraku_compiler::function;
use bunraku_pcore::{Type, Value};

function! {
    /// Returns whether a value is of a data type, as `=~` does.
    ///
    /// ```puppet
    /// is_a('a', String) # true
    /// ```
    "is_a" of "stdlib" {
        "(Any $value, Type $type)" as ">> Boolean" => is_a(value, r#type),
    }
}

fn is_a(value: &Value, data_type: &Type) -> bool {
    data_type.is_instance(value)
}
