//! Arithmetic, and `+`, `-` and `<<` on collections.

use std::sync::Arc;

use bunraku_pcore::data_types::{Binary as Bytes, Uri};
use bunraku_pcore::{Hash, Value, compare, limits};
use bunraku_syntax::ast::{Binary, BinaryOperator, Expr, ExprKind};

use crate::eval::{eval, fail, time};
use crate::frame::Frame;
use crate::issues;
use crate::label;
use crate::number;
use crate::unwind::{Outcome, Unwind};

/// Evaluates `left operator right` for an arithmetic operator.
pub(super) fn arithmetic(expr: &Expr, binary: &Binary, frame: &mut Frame<'_, '_>) -> Outcome {
    let left = eval(&binary.left, frame)?;
    let right = eval(&binary.right, frame)?;
    calculate(expr, binary, left, right, frame)
}

/// The same for the last expression of a lambda, after which its variables are not used any more: a collection that only
/// such a variable holds grows in place, so that building one with `reduce` takes linear time.
pub(super) fn last_arithmetic(expr: &Expr, binary: &Binary, frame: &mut Frame<'_, '_>) -> Outcome {
    let left = eval(&binary.left, frame)?;
    let right = eval(&binary.right, frame)?;
    if let (ExprKind::Variable(name), Value::Array(_) | Value::Hash(_)) = (&binary.left.kind, &left) {
        frame.forget_local(name);
    }
    calculate(expr, binary, left, right, frame)
}

fn calculate(expr: &Expr, binary: &Binary, left: Value, right: Value, frame: &mut Frame<'_, '_>) -> Outcome {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => integers(expr, binary, left, right),
        (Value::Float(left), Value::Float(right)) => floats(binary, left, right),
        (left, right) => general(expr, binary, left, right, frame),
    }
}

fn general(expr: &Expr, binary: &Binary, left: Value, right: Value, frame: &mut Frame<'_, '_>) -> Outcome {
    use BinaryOperator::{LeftShift, Minus, Plus, RightShift};
    match (&left, binary.operator) {
        (Value::Array(_) | Value::Hash(_) | Value::Uri(_) | Value::Binary(_), Plus) => {
            limits::check_size(left.extent().size.saturating_add(right.extent().size))?;
            return Ok(concatenate(left, right)?);
        }
        (Value::Array(_) | Value::Hash(_), Minus) => return Ok(delete(left, &right)),
        (Value::Array(_), LeftShift) => {
            let array = append(left, right);
            limits::check_data(&array)?;
            return Ok(array);
        }
        (Value::Hash(_), LeftShift) => return fail(not_applicable(binary, &left), binary.left.reported()),
        _ => {}
    }
    let left = number::coerce(left, &binary.left, frame)?;
    let right = number::coerce(right, &binary.right, frame)?;
    match (&left, &right) {
        (Value::Integer(left), Value::Integer(right)) => integers(expr, binary, *left, *right),
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => {
            if let (Value::Integer(left), Value::Float(right), LeftShift | RightShift) =
                (&left, &right, binary.operator)
            {
                // Ruby takes the whole part of a width.
                return integers(expr, binary, *left, right.trunc() as i64);
            }
            if binary.operator == BinaryOperator::Modulo {
                let issue = match left {
                    Value::Float(_) => not_applicable(binary, &left),
                    _ => issues::operator_not_applicable_when(binary.operator, &left, &right),
                };
                return fail(issue, binary.left.reported());
            }
            floats(binary, number::as_float(&left), number::as_float(&right))
        }
        (Value::SemVer(_), Value::Timespan(_) | Value::Timestamp(_)) => match (binary.operator, &right) {
            (Plus, _) | (BinaryOperator::Times, Value::Timespan(_)) => time::arithmetic(binary, &right, &left),
            (Minus, Value::Timespan(_)) => fail(not_applicable(binary, &left), binary.left.reported()),
            _ => fail(issues::operator_not_applicable_when(binary.operator, &left, &right), binary.left.reported()),
        },
        (Value::SemVer(_), _) => fail(not_applicable(binary, &left), binary.left.reported()),
        (_, Value::SemVer(_)) if matches!(binary.operator, LeftShift | RightShift) => {
            fail(not_applicable(binary, &left), binary.left.reported())
        }
        (Value::Float(_), Value::SemVer(_)) if binary.operator == BinaryOperator::Modulo => {
            fail(not_applicable(binary, &left), binary.left.reported())
        }
        (Value::Integer(_) | Value::Float(_), Value::SemVer(_)) => {
            Err(issues::runtime("can't convert SemanticPuppet::Version into Float").into())
        }
        _ => time::arithmetic(binary, &left, &right),
    }
}

pub(super) fn not_applicable(binary: &Binary, left: &Value) -> bunraku_syntax::Issue {
    issues::operator_not_applicable(binary.operator.as_str(), left)
}

fn integers(expr: &Expr, binary: &Binary, left: i64, right: i64) -> Outcome {
    use BinaryOperator::{Divide, LeftShift, Minus, Modulo, Plus, RightShift, Times};
    let result = match binary.operator {
        Plus => left.checked_add(right),
        Minus => left.checked_sub(right),
        Times => left.checked_mul(right),
        Divide | Modulo if right == 0 => return fail(issues::div_by_zero(), binary.right.reported()),
        Divide => floor_divide(left, right),
        // Ruby rounds a quotient towards minus infinity, so the remainder has the sign of the divisor.
        Modulo => Some(left.wrapping_rem(right))
            .map(|rest| if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest }),
        LeftShift => return shift(expr, left, i128::from(right)),
        RightShift => return shift(expr, left, -i128::from(right)),
        _ => return fail(not_applicable(binary, &Value::Integer(left)), binary.left.reported()),
    };
    match result {
        Some(result) => Ok(Value::Integer(result)),
        None => fail(overflow(expr, binary.operator, left, right), expr.reported()),
    }
}

#[cold]
fn overflow(expr: &Expr, operator: BinaryOperator, left: i64, right: i64) -> bunraku_syntax::Issue {
    let (left, right) = (i128::from(left), i128::from(right));
    let result = match operator {
        BinaryOperator::Plus => left + right,
        BinaryOperator::Minus => left - right,
        BinaryOperator::Times => left * right,
        _ => left / right,
    };
    issues::numeric_overflow(&label::a_an_capitalized(&label::expression(expr)), &number::signed_hexadecimal(result))
}

fn floor_divide(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    Some(if left.wrapping_rem(right) != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient })
}

/// Shifts to the left by `by` bits, or to the right if it is negative.
fn shift(expr: &Expr, value: i64, by: i128) -> Outcome {
    if by <= 0 {
        let by = u32::try_from(-by).unwrap_or(63).min(63);
        return Ok(Value::Integer(value >> by));
    }
    if value == 0 {
        return Ok(Value::Integer(0));
    }
    let label = label::a_an_capitalized(&label::expression(expr));
    let Ok(by) = u32::try_from(by) else {
        return Err(Unwind::from(issues::runtime("shift width too big")));
    };
    let shifted = if by < 64 { i128::from(value).checked_shl(by) } else { None };
    match shifted.map(|wide| (wide, i64::try_from(wide))) {
        Some((_, Ok(result))) => Ok(Value::Integer(result)),
        Some((wide, Err(_))) => {
            fail(issues::numeric_overflow(&label, &number::signed_hexadecimal(wide)), expr.reported())
        }
        None => fail(issues::numeric_overflow(&label, &number::shifted_hexadecimal(value, by)), expr.reported()),
    }
}

fn floats(binary: &Binary, left: f64, right: f64) -> Outcome {
    use BinaryOperator::{Divide, Minus, Plus, Times};
    let result = match binary.operator {
        Plus => left + right,
        Minus => left - right,
        Times => left * right,
        Divide => left / right,
        _ => return fail(not_applicable(binary, &Value::Float(left)), binary.left.reported()),
    };
    if result.is_infinite() {
        return fail(issues::result_is_infinity(binary.operator.as_str()), binary.left.reported());
    }
    Ok(Value::Float(result))
}

/// The elements of what is added to an array: an array's own, a hash's pairs, or the value itself.
fn elements(value: Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => Arc::unwrap_or_clone(elements).into_vec(),
        Value::Hash(hash) => pairs(&hash),
        other => vec![other],
    }
}

/// The entries of a hash as arrays of key and value.
pub(crate) fn pairs(hash: &Hash) -> Vec<Value> {
    hash.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
}

fn append(left: Value, right: Value) -> Value {
    match left {
        Value::Array(mut array) => {
            Arc::make_mut(&mut array).push(right);
            Value::Array(array)
        }
        other => other,
    }
}

/// `left + right` where the left side is a collection, a URI or a Binary.
fn concatenate(left: Value, right: Value) -> Result<Value, bunraku_syntax::Issue> {
    match left {
        Value::Array(mut array) => {
            Arc::make_mut(&mut array).extend(elements(right));
            Ok(Value::Array(array))
        }
        Value::Hash(mut hash) => {
            let other = match right {
                Value::Hash(other) => other,
                Value::Array(array) => Arc::new(hash_of(&array)?),
                _ => return Err(issues::runtime("Can only append Array or Hash to a Hash")),
            };
            let entries = Arc::unwrap_or_clone(other);
            Arc::make_mut(&mut hash).extend(entries);
            Ok(Value::Hash(hash))
        }
        Value::Uri(uri) => match right {
            Value::String(text) => Ok(Value::Uri(Arc::new(uri.merge(&Uri::parse(&text)?)?))),
            Value::Uri(other) => Ok(Value::Uri(Arc::new(uri.merge(&other)?))),
            _ => Err(issues::runtime("An URI can only be merged with an URI or String")),
        },
        Value::Binary(left) => match right {
            Value::Binary(right) => Ok(Value::Binary(Arc::new(Bytes::new([left.bytes(), right.bytes()].concat())))),
            _ => Err(issues::runtime("Can only append Binary to a Binary")),
        },
        other => concatenate(Value::array([other]), right),
    }
}

/// A hash made of an array of pairs, or of an array in which keys and values alternate.
fn hash_of(array: &[Value]) -> Result<Hash, bunraku_syntax::Issue> {
    let is_pairs = !array.is_empty() && array.iter().all(|element| matches!(element, Value::Array(_)));
    if !is_pairs {
        if !array.len().is_multiple_of(2) {
            return Err(issues::runtime("odd number of arguments for Hash"));
        }
        return Ok(array
            .chunks_exact(2)
            .filter_map(|pair| match pair {
                [key, value] => Some((key.clone(), value.clone())),
                _ => None,
            })
            .collect());
    }
    let mut hash = Hash::with_capacity(array.len());
    for element in array {
        let Value::Array(pair) = element else { continue };
        match pair.as_slice() {
            [key] => hash.insert(key.clone(), Value::Undef),
            [key, value] => hash.insert(key.clone(), value.clone()),
            other => {
                let size = other.len();
                return Err(issues::runtime(format!("invalid number of elements ({size} for 1..2)")));
            }
        };
    }
    Ok(hash)
}

/// `left - right` where the left side is a collection.
fn delete(left: Value, right: &Value) -> Value {
    match left {
        Value::Array(mut array) => {
            // Most elements equal no other kind of value, so they need not be compared with each.
            let is_plain = |value: &Value| matches!(value, Value::String(_) | Value::Integer(_) | Value::Boolean(_));
            let (plain, others): (Vec<Value>, Vec<Value>) = elements(right.clone()).into_iter().partition(is_plain);
            let known: Hash = plain.iter().map(|value| (value.clone(), Value::Undef)).collect();
            let equals = |element: &Value, others: &[Value]| others.iter().any(|it| compare::ruby_equals(element, it));
            Arc::make_mut(&mut array).retain(|element| {
                let is_known = if is_plain(element) { known.get(element).is_some() } else { equals(element, &plain) };
                !is_known && !equals(element, &others)
            });
            Value::Array(array)
        }
        Value::Hash(mut hash) => {
            let map = Arc::make_mut(&mut hash);
            match right {
                Value::Array(keys) => keys.iter().for_each(|key| drop(map.remove(key))),
                Value::Hash(other) => other.keys().for_each(|key| drop(map.remove(key))),
                key => drop(map.remove(key)),
            }
            Value::Hash(hash)
        }
        other => other,
    }
}
