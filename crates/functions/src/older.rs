//! Arguments of functions of the older kind, which check them on their own and complain in Ruby's words.

use bunraku_pcore::Value;
use bunraku_pcore::label::host_class;
use bunraku_syntax::Issue;

use crate::number::{fail, leading_integer};

/// The text of an argument that must be one.
pub(crate) fn text(value: Option<&Value>) -> Result<&str, Issue> {
    let class = match value {
        Some(Value::String(text)) => return Ok(text),
        None | Some(Value::Undef) => "nil".into(),
        Some(Value::Boolean(value)) => value.to_string().into(),
        Some(other) => host_class(other),
    };
    fail(format!("no implicit conversion of {class} into String"))
}

/// The integer that Ruby's `to_i` makes of an argument.
pub(crate) fn integer(value: Option<&Value>) -> i64 {
    match value {
        Some(Value::Integer(number)) => *number,
        Some(Value::Float(number)) => *number as i64,
        Some(Value::String(text)) => leading_integer(text),
        _ => 0,
    }
}
