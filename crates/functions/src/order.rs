//! Ruby's order of values and its sort, both of which can fail.

use bunraku_syntax::deep;
use std::cmp::Ordering;

use bunraku_compiler::Outcome;
use bunraku_pcore::Value;
use bunraku_pcore::issues::{Issue, runtime_error};
use bunraku_pcore::label::host_class;

use bunraku_pcore::inspect;

use crate::legacy_arguments;

/// Ruby's `<=>`: nothing if the two cannot be compared.
pub(crate) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    deep(|| match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        (Value::Array(left), Value::Array(right)) => {
            for (left, right) in left.iter().zip(right.iter()) {
                match compare(left, right)? {
                    Ordering::Equal => {}
                    different => return Some(different),
                }
            }
            Some(left.len().cmp(&right.len()))
        }
        (Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_), _) => {
            bunraku_pcore::compare::compare(left, right).ok()
        }
        _ => (left == right).then_some(Ordering::Equal),
    })
}

/// Like [`compare`], with Ruby's words for two values that cannot be compared.
pub(crate) fn try_compare(left: &Value, right: &Value) -> Result<Ordering, Issue> {
    compare(left, right).ok_or_else(|| not_comparable(left, right))
}

/// Ruby's words for two values that cannot be compared.
pub(crate) fn not_comparable(left: &Value, right: &Value) -> Issue {
    let shown = match right {
        Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
            inspect::inspect(right)
        }
        other => host_class(other).into_owned(),
    };
    runtime_error(format!("comparison of {} with {shown} failed", host_class(left)))
}

/// The order that a lambda's answer stands for: negative, zero or positive.
pub(crate) fn from_answer(answer: &Value, left: &Value, right: &Value) -> Result<Ordering, Issue> {
    match answer {
        Value::Integer(number) => Ok(number.cmp(&0)),
        Value::Float(number) => number.partial_cmp(&0.0).ok_or_else(|| not_comparable(left, right)),
        Value::Undef => Err(not_comparable(left, right)),
        Value::String(_) => Err(not_comparable(answer, &Value::Integer(0))),
        Value::Timespan(_) | Value::Timestamp(_) => {
            bunraku_pcore::compare::compare(answer, &Value::Integer(0)).map_err(runtime_error)
        }
        other => Err(legacy_arguments::undefined_method(">", other)),
    }
}

/// Sorts by halves, as the reference does: so the same pairs are compared, in the same order.
pub(crate) fn sort(
    values: &[Value],
    compare: &mut impl FnMut(&Value, &Value) -> Outcome<Ordering>,
) -> Outcome<Vec<Value>> {
    if values.len() < 2 {
        return Ok(values.to_vec());
    }
    let (left, right) = values.split_at(values.len() / 2);
    let left = sort(left, compare)?;
    let right = sort(right, compare)?;
    let mut merged = Vec::with_capacity(values.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        let is_after = compare(one, other)?.is_gt();
        merged.extend(if is_after { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}
