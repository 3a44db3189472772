//! Arithmetic with points and spans of time.

use std::sync::Arc;

use bunraku_pcore::Value;
use bunraku_pcore::data_types::Timespan;
use bunraku_pcore::number::Number;
use bunraku_syntax::ast::{Binary, BinaryOperator};

use crate::eval::fail;
use crate::eval::operator::not_applicable;
use crate::issues;
use crate::label;
use crate::unwind::Outcome;

/// Evaluates `left operator right` where at least one side is a Timespan or Timestamp and the other may be a number.
pub(super) fn arithmetic(binary: &Binary, left: &Value, right: &Value) -> Outcome {
    use BinaryOperator::{Minus, Modulo, Plus, Times};
    match (left, binary.operator, right) {
        (Value::Float(_), Modulo, _) => fail(not_applicable(binary, left), binary.left.reported()),
        (_, Modulo, Value::Float(_)) => {
            fail(issues::operator_not_applicable_when(binary.operator, left, right), binary.left.reported())
        }
        (Value::Timespan(_) | Value::Timestamp(_), _, _) => calculate(binary, left, right),
        // A number before a time: the two change places, or the number is so many seconds.
        (_, Plus, _) | (_, Times, Value::Timespan(_)) => calculate(binary, right, left),
        (_, Minus, Value::Timespan(_)) => {
            let seconds = Number::of(left).unwrap_or(Number::Integer(0));
            calculate(binary, &Value::Timespan(Arc::new(Timespan::from_seconds(seconds)?)), right)
        }
        _ => fail(issues::operator_not_applicable_when(binary.operator, left, right), binary.left.reported()),
    }
}

fn calculate(binary: &Binary, left: &Value, right: &Value) -> Outcome {
    use BinaryOperator::{Divide, Minus, Modulo, Plus, Times};
    let number = Number::of(right);
    let result = match (left, binary.operator, right, number) {
        (Value::Timespan(left), Plus, Value::Timespan(right), _) => timespan(left.plus(**right)?),
        (Value::Timespan(left), Plus, Value::Timestamp(right), _) => timestamp(right.plus(**left)?),
        (Value::Timespan(left), Plus, _, Some(number)) => timespan(left.plus(Timespan::from_seconds(number)?)?),
        (Value::Timespan(left), Minus, Value::Timespan(right), _) => timespan(left.minus(**right)?),
        (Value::Timespan(left), Minus, _, Some(number)) => timespan(left.minus(Timespan::from_seconds(number)?)?),
        (Value::Timespan(left), Times, _, Some(number)) => timespan(left.multiply(number)?),
        (Value::Timespan(left), Divide, Value::Timespan(right), _) => match left.ratio(**right) {
            ratio if ratio.is_infinite() => return fail(issues::result_is_infinity("/"), binary.left.reported()),
            ratio => Value::Float(ratio),
        },
        (Value::Timespan(_), Divide | Modulo, _, Some(Number::Integer(0))) => {
            return fail(issues::div_by_zero(), binary.right.reported());
        }
        (Value::Timespan(_), Divide, _, Some(Number::Float(0.0))) => {
            return fail(issues::div_by_zero(), binary.right.reported());
        }
        (Value::Timespan(left), Divide, _, Some(number)) => timespan(left.divide(number)?),
        (Value::Timespan(left), Modulo, _, Some(number)) => left.modulo(number)?.into(),
        (Value::Timestamp(left), Plus, Value::Timespan(right), _) => timestamp(left.plus(**right)?),
        (Value::Timestamp(left), Plus, _, Some(number)) => timestamp(left.plus(Timespan::from_seconds(number)?)?),
        (Value::Timestamp(left), Minus, Value::Timestamp(right), _) => timespan(left.since(**right)?),
        (Value::Timestamp(left), Minus, Value::Timespan(right), _) => timestamp(left.minus(**right)?),
        (Value::Timestamp(left), Minus, _, Some(number)) => timestamp(left.minus(Timespan::from_seconds(number)?)?),
        _ => return refuse(binary, left, right),
    };
    Ok(result)
}

fn timespan(value: Timespan) -> Value {
    Value::Timespan(Arc::new(value))
}

fn timestamp(value: bunraku_pcore::data_types::Timestamp) -> Value {
    Value::Timestamp(Arc::new(value))
}

/// What is said of two operands that do not go together.
fn refuse(binary: &Binary, left: &Value, right: &Value) -> Outcome {
    use BinaryOperator::{Divide, Minus, Modulo, Plus, Times};
    let class = label::host_class(right);
    let class = class.rsplit("::").next().unwrap_or_default();
    let (sentence_start, within) = (label::a_an_capitalized(class), label::a_an(class));
    let message = match (left, binary.operator) {
        (Value::Timespan(_), Plus) => format!("{sentence_start} cannot be added to a Timespan"),
        (Value::Timespan(_), Minus) => format!("{sentence_start} cannot be subtracted from a Timespan"),
        (Value::Timespan(_), Times) => format!("A Timestamp cannot be multiplied by {within}"),
        (Value::Timespan(_), Divide) => format!("A Timespan cannot be divided by {within}"),
        (Value::Timespan(_), Modulo) => format!("Can not do modulus on a Timespan using a {within}"),
        (Value::Timestamp(_), Plus) => format!("{sentence_start} cannot be added to a Timestamp"),
        (Value::Timestamp(_), Minus) => format!("{sentence_start} cannot be subtracted from a Timestamp"),
        _ => return fail(not_applicable(binary, left), binary.left.reported()),
    };
    Err(issues::runtime(message).into())
}
