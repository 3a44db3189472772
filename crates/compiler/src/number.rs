//! Numbers where arithmetic wants them.

use bunraku_pcore::number::Number;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::ast::Expr;

use crate::eval::fail;
use crate::frame::Frame;
use crate::issues;
use crate::unwind::Outcome;

/// The value as something to calculate with. A string is read as a number, which `strict` may complain about.
pub(crate) fn coerce(value: Value, expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    let text = match value {
        // In the reference times and versions are numbers, which operators refuse in their own words.
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) => {
            return Ok(value);
        }
        Value::String(text) => text,
        other => return fail(issues::not_numeric(inspect::to_s(&other)), expr.reported()),
    };
    let Some(number) = Number::parse(&text).map(Value::from) else {
        return fail(issues::not_numeric(&text), expr.reported());
    };
    frame.strictly(issues::numeric_coercion(&text, &number), expr.reported())?;
    Ok(number)
}

/// A number as a float.
pub(crate) fn as_float(value: &Value) -> f64 {
    match value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        _ => f64::NAN,
    }
}

/// `+0x8000000000000000`: how messages show an integer that does not fit.
pub(crate) fn signed_hexadecimal(value: i128) -> String {
    let sign = if value < 0 { '-' } else { '+' };
    format!("{sign}{:#x}", value.unsigned_abs())
}

/// The same for `value` shifted to the left by at least 64 bits, without calculating it.
pub(crate) fn shifted_hexadecimal(value: i64, by: u32) -> String {
    let sign = if value < 0 { '-' } else { '+' };
    // Only whole digits are appended; a longer tail than anyone reads is cut.
    let head = u128::from(value.unsigned_abs()) << (by % 4);
    let zeros = "0".repeat((by / 4).min(256) as usize);
    format!("{sign}{head:#x}{zeros}")
}

/// Whether a variable's name is a number.
pub(crate) fn is_numeric_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}
