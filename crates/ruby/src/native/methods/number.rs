//! Methods of integers and floats.

use std::cmp::Ordering;

use super::super::compare;
use super::super::interpret::Interpreter;
use super::super::method::Method;
use super::super::tree::Block;
use super::super::value::{Outcome, Stop, Value};
use super::enumerable::MOST_ITEMS;

impl<'t> Interpreter<'t, '_, '_> {
    pub(super) fn integer_method(
        &mut self,
        number: i64,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        let integer = |value: Option<i64>| value.map(Value::Integer).ok_or(Stop::Unsupported);
        match (method, args) {
            (Method::Add, [Value::Integer(other)]) => integer(number.checked_add(*other)),
            (Method::Subtract, [Value::Integer(other)]) => integer(number.checked_sub(*other)),
            (Method::Multiply, [Value::Integer(other)]) => integer(number.checked_mul(*other)),
            (Method::Divide | Method::Div, [Value::Integer(other)]) => integer(divide(number, *other)),
            (Method::Modulo, [Value::Integer(other)]) => integer(modulo(number, *other)),
            (Method::Power, [Value::Integer(other)]) => {
                integer(u32::try_from(*other).ok().and_then(|other| number.checked_pow(other)))
            }
            (Method::Divmod, [Value::Integer(other)]) => {
                let (quotient, remainder) = (integer(divide(number, *other))?, integer(modulo(number, *other))?);
                Ok(Value::pair(quotient, remainder))
            }
            (Method::Fdiv, [Value::Integer(other)]) => Ok(Value::Float(number as f64 / *other as f64)),
            (Method::ShiftLeft, [Value::Integer(other @ 0..=62)]) => integer(number.checked_mul(1 << other)),
            (Method::And, [Value::Integer(other)]) => Ok(Value::Integer(number & other)),
            (Method::Or, [Value::Integer(other)]) => Ok(Value::Integer(number | other)),
            (Method::Negate, []) => integer(number.checked_neg()),
            (Method::Abs, []) => integer(number.checked_abs()),
            (Method::Succ | Method::Next, []) => integer(number.checked_add(1)),
            (Method::Pred, []) => integer(number.checked_sub(1)),
            (
                Method::ToI
                | Method::ToInt
                | Method::Floor
                | Method::Ceil
                | Method::Round
                | Method::Truncate
                | Method::Ord
                | Method::Plus,
                [],
            ) => Ok(Value::Integer(number)),
            (Method::ToF, []) => Ok(Value::Float(number as f64)),
            (Method::ToS, [Value::Integer(base)]) => radix(number, *base).map(Value::string),
            (Method::ZeroP, []) => Ok(Value::Boolean(number == 0)),
            (Method::PositiveP, []) => Ok(Value::Boolean(number > 0)),
            (Method::NegativeP, []) => Ok(Value::Boolean(number < 0)),
            (Method::EvenP, []) => Ok(Value::Boolean(number % 2 == 0)),
            (Method::OddP, []) => Ok(Value::Boolean(number % 2 != 0)),
            (Method::IntegerP, []) => Ok(Value::Boolean(true)),
            (Method::Times, []) => self.count(0, number.saturating_sub(1), number, block),
            (Method::Upto, [Value::Integer(end)]) => self.count(number, *end, number, block),
            (Method::Downto, [Value::Integer(end)]) => {
                let Some(block) = block else { return Err(Stop::Unsupported) };
                let mut next = number;
                while next >= *end {
                    self.give(block, Value::Integer(next))?;
                    next = next.checked_sub(1).ok_or(Stop::Unsupported)?;
                }
                Ok(Value::Integer(number))
            }
            _ => numeric_method(&Value::Integer(number), method, args),
        }
    }

    /// Counts up for a block; `result` is what the method gives. Without a block the numbers are gone through.
    fn count(&mut self, start: i64, end: i64, result: i64, block: Option<&'t Block>) -> Outcome {
        let Some(block) = block else {
            if end.saturating_sub(start) > MOST_ITEMS as i64 {
                return Err(Stop::Unsupported);
            }
            let numbers = Value::array((start..=end).map(Value::Integer).collect());
            return self.enumerable_method(&numbers, Method::Each, &[], None);
        };
        for number in start..=end {
            self.give(block, Value::Integer(number))?;
        }
        Ok(Value::Integer(result))
    }

    pub(super) fn float_method(&mut self, number: f64, method: Method, args: &[Value]) -> Outcome {
        match (method, args) {
            (Method::Negate, []) => Ok(Value::Float(-number)),
            (Method::Abs, []) => Ok(Value::Float(number.abs())),
            (Method::ToF | Method::Plus, []) => Ok(Value::Float(number)),
            (Method::ToI | Method::ToInt | Method::Truncate, []) => whole(number.trunc()),
            (Method::Floor, []) => whole(number.floor()),
            (Method::Ceil, []) => whole(number.ceil()),
            (Method::Round, []) => whole(number.round()),
            (Method::Round, [Value::Integer(digits)]) => round(number, *digits),
            (Method::ZeroP, []) => Ok(Value::Boolean(number == 0.0)),
            (Method::PositiveP, []) => Ok(Value::Boolean(number > 0.0)),
            (Method::NegativeP, []) => Ok(Value::Boolean(number < 0.0)),
            (Method::IntegerP, []) => Ok(Value::Boolean(false)),
            _ => numeric_method(&Value::Float(number), method, args),
        }
    }
}

/// What integers and floats do with each other.
fn numeric_method(number: &Value, method: Method, args: &[Value]) -> Outcome {
    let [other @ (Value::Integer(_) | Value::Float(_))] = args else {
        return match (method, args) {
            (Method::BetweenP, [low, high]) => {
                let above = compare::order(number, low)? != Ordering::Less;
                Ok(Value::Boolean(above && compare::order(number, high)? != Ordering::Greater))
            }
            (Method::Clamp, [low, high]) => match (compare::order(number, low)?, compare::order(number, high)?) {
                (Ordering::Less, _) => Ok(low.clone()),
                (_, Ordering::Greater) => Ok(high.clone()),
                _ => Ok(number.clone()),
            },
            _ => Err(Stop::Unsupported),
        };
    };
    let order = compare::compare(number, other)?;
    Ok(match method {
        Method::Compare => order.map_or(Value::Nil, |order| Value::Integer(order as i64)),
        Method::Less => Value::Boolean(order == Some(Ordering::Less)),
        Method::LessOrEqual => Value::Boolean(matches!(order, Some(Ordering::Less | Ordering::Equal))),
        Method::Greater => Value::Boolean(order == Some(Ordering::Greater)),
        Method::GreaterOrEqual => Value::Boolean(matches!(order, Some(Ordering::Greater | Ordering::Equal))),
        _ => {
            let (left, right) = (float(number), float(other));
            Value::Float(match method {
                Method::Add => left + right,
                Method::Subtract => left - right,
                Method::Multiply => left * right,
                Method::Divide => left / right,
                _ => return Err(Stop::Unsupported),
            })
        }
    })
}

fn float(number: &Value) -> f64 {
    match number {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        _ => f64::NAN,
    }
}

/// Division that rounds down.
fn divide(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    let is_below = left % right != 0 && (left < 0) != (right < 0);
    Some(if is_below { quotient - 1 } else { quotient })
}

/// The remainder with the sign of the divisor.
fn modulo(left: i64, right: i64) -> Option<i64> {
    let remainder = left.checked_rem(right)?;
    Some(if remainder != 0 && (remainder < 0) != (right < 0) { remainder + right } else { remainder })
}

/// A float without a fraction as an integer.
fn whole(number: f64) -> Outcome {
    if number.abs() < 9.0e18 { Ok(Value::Integer(number as i64)) } else { Err(Stop::Unsupported) }
}

/// A float rounded to some digits, away from zero in the middle, as Ruby computes it.
fn round(number: f64, digits: i64) -> Outcome {
    if !(1..=9).contains(&digits) || number.abs() > 1.0e5 || number == 0.0 {
        return Err(Stop::Unsupported);
    }
    let scale = 10_f64.powi(i32::try_from(digits).map_err(|_| Stop::Unsupported)?);
    let mut rounded = (number * scale).round();
    if number > 0.0 && (rounded + 0.5) / scale <= number {
        rounded += 1.0;
    } else if number < 0.0 && (rounded - 0.5) / scale >= number {
        rounded -= 1.0;
    }
    // A number so close to the middle that the scaled one is rounded wrongly is left to Ruby.
    let error = (number * scale - (number * scale).trunc()).abs() - 0.5;
    if error.abs() < 1.0e-6 { Err(Stop::Unsupported) } else { Ok(Value::Float(rounded / scale)) }
}

fn radix(number: i64, base: i64) -> Outcome<String> {
    let magnitude = number.unsigned_abs();
    let digits = match base {
        2 => format!("{magnitude:b}"),
        8 => format!("{magnitude:o}"),
        10 => format!("{magnitude}"),
        16 => format!("{magnitude:x}"),
        _ => return Err(Stop::Unsupported),
    };
    Ok(if number < 0 { format!("-{digits}") } else { digits })
}
