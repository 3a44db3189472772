//! The language's own equality and order: text without regard to ASCII case, numbers by value.

use std::cmp::Ordering;

use bunraku_syntax::deep;

use crate::number::Number;
use crate::value::Value;

/// `==` of the language.
pub fn equals(left: &Value, right: &Value) -> bool {
    match (left, right) {
        // A reference that a resource holds never equals one that is written.
        (Value::Type(left), Value::Type(right)) => left.is_held() == right.is_held() && left.equals(right),
        _ => equals_within(left, right),
    }
}

/// `==` of values in collections, where types must have the same form.
fn equals_within(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::String(left), Value::String(right)) => left.eq_ignore_ascii_case(right),
        (Value::Integer(left), Value::Float(right)) => *left as f64 == *right,
        (Value::Float(left), Value::Integer(right)) => *left == *right as f64,
        (Value::Float(left), Value::Float(right)) => left == right,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && deep(|| left.iter().zip(right.iter()).all(|(left, right)| equals_within(left, right)))
        }
        (Value::Hash(left), Value::Hash(right)) => {
            left.len() == right.len()
                && deep(|| {
                    left.iter().all(|(key, value)| equals_within(right.get(key).unwrap_or(&Value::Undef), value))
                })
        }
        (Value::Type(left), Value::Type(right)) => left.is_held() == right.is_held() && left == right,
        // A time equals its number of seconds.
        (Value::Timespan(_) | Value::Timestamp(_), Value::Integer(_) | Value::Float(_)) => {
            compare_with_seconds(left, right) == Ok(Ordering::Equal)
        }
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            compare_with_seconds(right, left) == Ok(Ordering::Equal)
        }
        _ => left == right,
    }
}

/// Ruby's `==`, by which the reference looks for values: it regards the case of letters, takes `1` and `1.0` as equal, and
/// a time and its number of seconds.
pub fn ruby_equals(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && deep(|| left.iter().zip(right.iter()).all(|(left, right)| ruby_equals(left, right)))
        }
        (Value::Hash(left), Value::Hash(right)) => {
            left.len() == right.len()
                && deep(|| {
                    left.iter().all(|(key, value)| right.get(key).is_some_and(|other| ruby_equals(value, other)))
                })
        }
        (
            Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_),
            Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_),
        ) => equals(left, right),
        _ => left == right,
    }
}

/// The order of two values, or why there is none.
pub fn compare(left: &Value, right: &Value) -> Result<Ordering, &'static str> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Ok(compare_text(left, right)),
        (Value::String(_), _) => Err("A String is not comparable to a non String"),
        (Value::Integer(left), Value::Integer(right)) => Ok(left.cmp(right)),
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => compare_numbers(left, right),
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            compare_with_seconds(right, left).map(Ordering::reverse)
        }
        (Value::Integer(_) | Value::Float(_), _) => Err("A Numeric is not comparable to non Numeric"),
        (Value::Timespan(left), Value::Timespan(right)) => Ok(left.cmp(right)),
        (Value::Timespan(_), Value::Integer(_) | Value::Float(_)) => compare_with_seconds(left, right),
        (Value::Timespan(_), _) => Err("Timespans are only comparable to Timespans, Integers, and Floats"),
        (Value::Timestamp(left), Value::Timestamp(right)) => Ok(left.cmp(right)),
        (Value::Timestamp(_), Value::Integer(_) | Value::Float(_)) => compare_with_seconds(left, right),
        (Value::Timestamp(_), _) => Err("Timestamps are only comparable to Timestamps, Integers, and Floats"),
        (Value::SemVer(left), Value::SemVer(right)) => Ok(left.compare(right)),
        (Value::SemVer(_), _) => Err("Versions not comparable to non Versions"),
        (Value::Default, Value::Default) => Ok(Ordering::Equal),
        (Value::Symbol(left), Value::Symbol(right)) => Ok(left.cmp(right)),
        (Value::Default | Value::Symbol(_), _) => Err("Symbol not comparable to non Symbol"),
        _ => Err("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"),
    }
}

const NOT_A_NUMBER: &str = "comparison with NaN";

fn compare_numbers(left: &Value, right: &Value) -> Result<Ordering, &'static str> {
    let number = |value| Number::of(value).map_or(f64::NAN, Number::to_f64);
    number(left).partial_cmp(&number(right)).ok_or(NOT_A_NUMBER)
}

/// A time compared with a number of seconds.
fn compare_with_seconds(time: &Value, seconds: &Value) -> Result<Ordering, &'static str> {
    let ordering = match (time, Number::of(seconds)) {
        (Value::Timespan(timespan), Some(seconds)) => timespan.compare_seconds(seconds),
        (Value::Timestamp(timestamp), Some(seconds)) => timestamp.compare_seconds(seconds),
        _ => None,
    };
    ordering.ok_or(NOT_A_NUMBER)
}

/// The order of texts without regard to ASCII case.
fn compare_text(left: &str, right: &str) -> Ordering {
    left.bytes()
        .zip(right.bytes())
        .map(|(left, right)| left.to_ascii_lowercase().cmp(&right.to_ascii_lowercase()))
        .find(|ordering| ordering.is_ne())
        .unwrap_or_else(|| left.len().cmp(&right.len()))
}
