//! `ceiling`: a number rounded up to an integer.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::deprecation;
use crate::number;

function! {
    /// Returns the smallest integer that is not less than a number.
    ///
    /// ```puppet
    /// ceiling(1.5)  # 2
    /// ceiling(-1.5) # -1
    /// ```
    "ceiling" {
        "(Numeric $val)" as ">> Integer" => ceiling(val),
        "(String $val)" as ">> Integer" => of_text(call, val),
    }
}

fn ceiling(value: &Value) -> Result<Value, Issue> {
    match value {
        Value::Float(number) => number::to_integer(number.ceil()),
        other => Ok(other.clone()),
    }
}

fn of_text(call: &mut Call<'_, '_>, text: &str) -> Result<Value, Issue> {
    deprecation::warn(
        call,
        "ceiling_function_numeric_coerce_string",
        "The ceiling() function's auto conversion of String to Float is deprecated - change to convert input before calling",
    );
    match number::float_from_text(text) {
        Some(number) => number::to_integer(number.ceil()),
        None => number::fail("ceiling(): cannot convert given value to a floating point value."),
    }
}
