//! `type_of`: the data type of a value.

use bunraku_compiler::function;
use bunraku_pcore::{Type, Value};

function! {
    /// Returns the data type of a value, as `type` of the language does.
    ///
    /// ```puppet
    /// type_of('a') # String
    /// ```
    "type_of" of "stdlib" {
        "(Any $value)" as ">> Type" => type_of(value),
    }
}

function! {
    /// Returns the data type of a value, as `type` of the language does.
    ///
    /// ```puppet
    /// type_of('a') # String
    /// ```
    NAMESPACED: "stdlib::type_of" of "stdlib" {
        "(Any $value)" as ">> Type" => type_of(value),
    }
}

fn type_of(value: &Value) -> Type {
    Type::infer_detailed(value)
}
