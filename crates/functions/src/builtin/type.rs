//! `type`: the data type of a value.

use bunraku_compiler::function;
use bunraku_pcore::{Type, Value};

function! {
    /// Returns the data type of a value: `detailed` with a type for each element, `reduced` with one type for all
    /// elements, or `generalized` without regard to content and size.
    ///
    /// ```puppet
    /// type([1, 2])                  # Tuple[Integer[1, 1], Integer[2, 2]]
    /// type([1, 2], 'reduced')       # Array[Integer[1, 2], 2, 2]
    /// type([1, 2], 'generalized')   # Array[Integer]
    /// ```
    "type" {
        "(Any $value, Enum[detailed] $inference_method = undef)" as ">> Type" => detailed(value),
        "(Any $value, Enum[reduced] $inference_method)" as ">> Type" => reduced(value),
        "(Any $value, Enum[generalized] $inference_method)" as ">> Type" => generalized(value),
    }
}

fn detailed(value: &Value) -> Type {
    Type::infer_detailed(value)
}

fn reduced(value: &Value) -> Type {
    Type::infer(value)
}

fn generalized(value: &Value) -> Type {
    Type::infer_generalized(value)
}
