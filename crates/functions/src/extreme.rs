//! What `max` and `min` have in common: the first value that is before all others in an order.

use std::cmp::Ordering;

use bunraku_compiler::Outcome;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::{fail, leading_float};
use bunraku_pcore::inspect;

use crate::{deprecation, order};

/// Which end of the order is wanted.
#[derive(Clone, Copy)]
pub(crate) enum Extreme {
    Max,
    Min,
}

impl Extreme {
    fn name(self) -> &'static str {
        match self {
            Extreme::Max => "max",
            Extreme::Min => "min",
        }
    }

    fn wanted(self) -> Ordering {
        match self {
            Extreme::Max => Ordering::Greater,
            Extreme::Min => Ordering::Less,
        }
    }

    /// Of values that can be compared with each other.
    pub(crate) fn of_comparable(self, values: &[Value]) -> Outcome {
        self.checked(values, |one, other| Ok(order::try_compare(one, other)?))
    }

    /// Of texts; two that look like numbers are compared as such.
    pub(crate) fn of_texts(self, call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
        self.checked(values, |one, other| match numbers(one, other) {
            Some(ordering) => {
                self.warn(call, "String", "Numeric");
                Ok(ordering)
            }
            None => Ok(order::try_compare(one, other)?),
        })
    }

    /// Of any values, compared as text.
    pub(crate) fn of_any(self, call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
        self.checked(values, |one, other| match numbers(one, other) {
            Some(ordering) => {
                self.warn(call, "String", "Numeric");
                Ok(ordering)
            }
            None => {
                self.warn(call, "Any", "String");
                Ok(inspect::to_s(one).as_bytes().cmp(inspect::to_s(other).as_bytes()))
            }
        })
    }

    /// In the order of the lambda.
    pub(crate) fn by_block(self, call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
        self.of(values, |one, other| {
            let answer = call.yield_to_block(vec![one.clone(), other.clone()])?;
            Ok(order::from_answer(&answer, one, other)?)
        })
    }

    fn checked(self, values: &[Value], compare: impl FnMut(&Value, &Value) -> Outcome<Ordering>) -> Outcome {
        if values.is_empty() {
            let missing: Result<Value, Issue> =
                fail(format!("{}(): Wrong number of arguments need at least one", self.name()));
            return Ok(missing?);
        }
        self.of(values, compare)
    }

    fn of(self, values: &[Value], mut compare: impl FnMut(&Value, &Value) -> Outcome<Ordering>) -> Outcome {
        let mut values = values.iter();
        let mut found = values.next();
        for value in values {
            if let Some(so_far) = found
                && compare(value, so_far)? == self.wanted()
            {
                found = Some(value);
            }
        }
        Ok(found.cloned().unwrap_or_default())
    }

    fn warn(self, call: &mut Call<'_, '_>, from: &str, to: &str) {
        let name = self.name();
        deprecation::warn(
            call,
            &format!(
                "The {name}() function's auto conversion of {from} to {to} is deprecated - change to convert input \
                 before calling, or use lambda"
            ),
        );
    }
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
