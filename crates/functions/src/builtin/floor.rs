//! `floor`: a number rounded down to an integer.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::deprecation;
use crate::number;

function! {
    /// Returns the largest integer that is not greater than a number.
    ///
    /// ```puppet
    /// floor(1.5)  # 1
    /// floor(-1.5) # -2
    /// ```
    "floor" {
        "(Numeric $val)" as ">> Integer" => floor(val),
        "(String $val)" as ">> Integer" => of_text(call, val),
    }
}

fn floor(value: &Value) -> Result<Value, Issue> {
    match value {
        Value::Float(number) => number::to_integer(number.floor()),
        other => Ok(other.clone()),
    }
}

fn of_text(call: &mut Call<'_, '_>, text: &str) -> Result<Value, Issue> {
    deprecation::warn(
        call,
        "floor_function_numeric_coerce_string",
        "The floor() function's auto conversion of String to Float is deprecated - change to convert input before calling",
    );
    match number::float_from_text(text) {
        Some(number) => number::to_integer(number.floor()),
        None => number::fail("floor(): cannot convert given value to a floating point value."),
    }
}
