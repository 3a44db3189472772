//! `round`: a number rounded to the nearest integer.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number;

function! {
    /// Returns the integer that is nearest to a number; half way it is the one that is farther from zero.
    ///
    /// ```puppet
    /// round(2.5)  # 3
    /// round(-2.5) # -3
    /// ```
    "round" {
        "(Numeric $val)" as ">> Integer" => round(val),
    }
}

/// Compatibility: an integer makes the way over a float too, so that large ones lose digits.
fn round(value: &Value) -> Result<Value, Issue> {
    let number = match value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        other => return Ok(other.clone()),
    };
    number::to_integer((if number > 0.0 { number + 0.5 } else { number - 0.5 }).trunc())
}
