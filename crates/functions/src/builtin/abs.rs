//! `abs`: the absolute value of a number.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::deprecation;
use crate::number::{self, fail};

function! {
    /// Returns the absolute value of a number.
    ///
    /// ```puppet
    /// abs(-5)   # 5
    /// abs(-1.5) # 1.5
    /// ```
    "abs" {
        "(Numeric $val)" as ">> Numeric" => abs(val),
        "(String $val)" as ">> Numeric" => of_text(call, val),
    }
}

fn abs(number: &Value) -> Result<Value, Issue> {
    match number {
        Value::Integer(number) => number.checked_abs().map(Value::Integer).ok_or_else(|| number::out_of_range("abs")),
        Value::Float(number) => Ok(Value::Float(number.abs())),
        other => Ok(other.clone()),
    }
}

fn of_text(call: &mut Call<'_, '_>, text: &str) -> Result<Value, Issue> {
    deprecation::warn(
        call,
        "abs_function_numeric_coerce_string",
        "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling",
    );
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = match digits.split_once('.') {
        Some((whole, fraction)) if is_digits(whole) && is_digits(fraction) => digits.parse().ok().map(Value::Float),
        None if is_digits(digits) => digits.parse().ok().map(Value::Integer),
        _ => return fail("abs(): Requires float or integer to work with - was given non decimal string"),
    };
    number.ok_or_else(|| number::out_of_range("abs"))
}
