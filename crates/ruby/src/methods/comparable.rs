//! `Comparable`: what follows from `<=>`.

use std::cmp::Ordering;

use crate::interpreter::code::Args;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("<", 1, 1, |vm, this, args| Ok(Value::Bool(vm.ordered(this, args.at(0))?.is_lt()))),
    Row("<=", 1, 1, |vm, this, args| Ok(Value::Bool(vm.ordered(this, args.at(0))?.is_le()))),
    Row(">", 1, 1, |vm, this, args| Ok(Value::Bool(vm.ordered(this, args.at(0))?.is_gt()))),
    Row(">=", 1, 1, |vm, this, args| Ok(Value::Bool(vm.ordered(this, args.at(0))?.is_ge()))),
    Row("==", 1, 1, |vm, this, args| {
        if this.is_same(args.at(0)) {
            return Ok(Value::Bool(true));
        }
        let answer = vm.send(this, sym::COMPARE, args.values)?;
        Ok(Value::Bool(matches!(answer, Value::Int(0))))
    }),
    Row("between?", 2, 2, |vm, this, args| {
        let is_within = vm.ordered(this, args.at(0))?.is_ge() && vm.ordered(this, args.at(1))?.is_le();
        Ok(Value::Bool(is_within))
    }),
    Row("clamp", 1, 2, clamp),
];

fn clamp(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (least, most) = match args.values {
        [Value::Range(range)] => {
            if range.excludes_end && !range.end.is_nil() {
                return Err(vm.argument_error("cannot clamp with an exclusive range"));
            }
            (range.start.clone(), range.end.clone())
        }
        [other] => {
            let class = vm.class_name(other);
            return Err(vm.type_error(&format!("wrong argument type {class} (expected Range)")));
        }
        _ => (args.at(0).clone(), args.at(1).clone()),
    };
    if !least.is_nil() && !most.is_nil() && vm.ordered(&least, &most)?.is_gt() {
        return Err(vm.argument_error("min argument must be smaller than max argument"));
    }
    if !least.is_nil() && vm.ordered(this, &least)?.is_lt() {
        return Ok(least);
    }
    if !most.is_nil() && vm.ordered(this, &most)?.is_gt() {
        return Ok(most);
    }
    Ok(this.clone())
}

/// What `<=>` answers.
pub(super) fn sign(order: Option<Ordering>) -> Value {
    match order {
        Some(order) => Value::Int(order as i64),
        None => Value::Nil,
    }
}
