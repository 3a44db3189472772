//! What `max` and `min` have in common: the first value that is at one end of an order.

use std::cmp::Ordering;

use bunraku_compiler::Outcome;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::{fail, leading_float};
use crate::{deprecation, order};

/// Of values that can be compared with each other.
pub(crate) fn of_comparable(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    of_some(call, values, |_, one, other| Ok(order::try_compare(one, other)?))
}

/// Of strings; two that look like numbers are compared as such.
pub(crate) fn of_texts(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    of_some(call, values, |call, one, other| match numbers(one, other) {
        Some(ordering) => {
            warn(call, "String", "Numeric");
            Ok(ordering)
        }
        None => Ok(order::try_compare(one, other)?),
    })
}

/// Of any values, compared as strings.
pub(crate) fn of_any(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    of_some(call, values, |call, one, other| match numbers(one, other) {
        Some(ordering) => {
            warn(call, "String", "Numeric");
            Ok(ordering)
        }
        None => {
            warn(call, "Any", "String");
            Ok(inspect::to_s(one).as_bytes().cmp(inspect::to_s(other).as_bytes()))
        }
    })
}

/// Of the values in an array that can be compared with each other.
pub(crate) fn of_comparable_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { by_block(call, values) } else { of_comparable(call, values) }
}

/// Of the strings in an array.
pub(crate) fn of_texts_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { by_block(call, values) } else { of_texts(call, values) }
}

/// Of whatever is in an array.
pub(crate) fn of_any_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { by_block(call, values) } else { of_any(call, values) }
}

/// In the order of the lambda.
pub(crate) fn by_block(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    of(call, values, |call, one, other| {
        let answer = call.yield_to_block(vec![one.clone(), other.clone()])?;
        Ok(order::from_answer(&answer, one, other)?)
    })
}

/// How two values compare.
type Compare = fn(&mut Call<'_, '_>, &Value, &Value) -> Outcome<Ordering>;

/// Of at least one value.
fn of_some(call: &mut Call<'_, '_>, values: &[Value], compare: Compare) -> Outcome {
    if values.is_empty() {
        let missing: Result<Value, Issue> =
            fail(format!("{}(): Wrong number of arguments need at least one", call.name));
        return Ok(missing?);
    }
    of(call, values, compare)
}

fn of(call: &mut Call<'_, '_>, values: &[Value], compare: Compare) -> Outcome {
    let wanted = if call.name == "max" { Ordering::Greater } else { Ordering::Less };
    let mut values = values.iter();
    let mut found = values.next();
    for value in values {
        if let Some(so_far) = found
            && compare(call, value, so_far)? == wanted
        {
            found = Some(value);
        }
    }
    Ok(found.cloned().unwrap_or_default())
}

fn warn(call: &mut Call<'_, '_>, from: &str, to: &str) {
    let name = call.name;
    deprecation::warn(
        call,
        &format!("{name}_function_coerce_{from}_to_{to}"),
        &format!(
            "The {name}() function's auto conversion of {from} to {to} is deprecated - change to convert input \
             before calling, or use lambda"
        ),
    );
}

/// The order of two values that both look like numbers.
fn numbers(one: &Value, other: &Value) -> Option<Ordering> {
    let number = |value: &Value| match value {
        Value::Integer(number) => Some(*number as f64),
        Value::String(text) => looks_numeric(text).then(|| leading_float(text)),
        other => Some(inspect::to_s(other)).filter(|text| looks_numeric(text)).map(|text| leading_float(&text)),
    };
    number(one)?.partial_cmp(&number(other)?)
}

/// Digits, perhaps with a sign, and perhaps with one of `.`, `_` or `e` and more digits behind.
fn looks_numeric(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = text.strip_prefix('-').unwrap_or(text);
    is_digits(digits)
        || digits.split_once(['.', '_', 'e', 'E']).is_some_and(|(whole, rest)| is_digits(whole) && is_digits(rest))
}
