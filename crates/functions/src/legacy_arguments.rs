//! Arguments of 3.x functions, which check them on their own and complain in Ruby's words.

use bunraku_pcore::issues::runtime_error;
use bunraku_pcore::label::{host_class, in_conversion};
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::{fail, leading_integer};

/// The text of an argument that must be one.
pub(crate) fn text(value: Option<&Value>) -> Result<&str, Issue> {
    match value {
        Some(Value::String(text)) => Ok(text),
        other => {
            let class = in_conversion(other.unwrap_or(&Value::Undef));
            fail(format!("no implicit conversion of {class} into String"))
        }
    }
}

/// The text of an argument that is one, or a name, which is what `default` is there.
pub(crate) fn name(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Default => Some("default"),
        _ => None,
    }
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

/// The integer that Ruby's `to_i` makes of a value that has that method.
pub(crate) fn to_i(value: &Value) -> Result<i64, Issue> {
    match value {
        Value::Undef | Value::Integer(_) | Value::Float(_) | Value::String(_) => Ok(integer(Some(value))),
        other => Err(undefined_method("to_i", other)),
    }
}

/// The integer that Ruby's `Integer()` makes of a value.
pub(crate) fn strict_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::Float(number) => Some(*number as i64),
        Value::String(text) => integer_from_text(text),
        _ => None,
    }
}

/// Ruby's `Integer(string)`: the whole string is a number, perhaps with a prefix that tells its base.
pub(crate) fn integer_from_text(text: &str) -> Option<i64> {
    let text = text.trim_matches(|letter: char| letter.is_ascii_whitespace() || letter == '\u{b}');
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (base, digits) = match lower.get(..2) {
        Some("0x") => (16, lower.get(2..)?),
        Some("0b") => (2, lower.get(2..)?),
        Some("0o") => (8, lower.get(2..)?),
        Some("0d") => (10, lower.get(2..)?),
        Some(_) if lower.starts_with('0') => (8, lower.get(1..)?),
        _ => (10, lower.as_str()),
    };
    let is_well_formed = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    let number = i64::from_str_radix(&digits.replace('_', ""), base).ok().filter(|_| is_well_formed)?;
    Some(if is_negative { -number } else { number })
}

/// How many elements `Array(value)` has.
pub(crate) fn size(value: &Value) -> usize {
    match value {
        Value::Undef => 0,
        Value::Array(elements) => elements.len(),
        Value::Hash(hash) => hash.len(),
        _ => 1,
    }
}

/// Ruby's `Array(value)`.
pub(crate) fn list(value: &Value) -> Vec<Value> {
    match value {
        Value::Undef => Vec::new(),
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => hash.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect(),
        other => vec![other.clone()],
    }
}

/// Whether some line of a string is nothing but digits, as the pattern `^\d+$` asks.
pub(crate) fn is_digits(text: &str) -> bool {
    text.split('\n').any(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Ruby's words for a method that a value does not have.
pub(crate) fn undefined_method(name: &str, value: &Value) -> Issue {
    let (shown, class) = (inspect::inspect(value), host_class(value));
    let receiver = if shown.starts_with('#') { shown } else { format!("{shown}:{class}") };
    runtime_error(format!("undefined method `{name}' for {receiver}"))
}

/// The value itself, or what a `Sensitive` hides.
pub(crate) fn unwrapped(value: &Value) -> &Value {
    match value {
        Value::Sensitive(secret) => secret,
        other => other,
    }
}
