//! `Enumerator::ArithmeticSequence`: what `step` gives without a block.

use std::rc::Rc;

use super::enumerator::Source;
use crate::interpreter::code::Args;
use crate::interpreter::convert::from_end;
use crate::interpreter::order::float_of;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("begin", 0, 0, |vm, this, _| Ok(vm.sequence(this)?.begin)),
    Row("end", 0, 0, |vm, this, _| Ok(vm.sequence(this)?.end)),
    Row("step", 0, 0, |vm, this, _| Ok(vm.sequence(this)?.by)),
    Row("exclude_end?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.sequence(this)?.excludes_end))),
    Row("each", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(this.clone()) };
        let sequence = vm.sequence(this)?;
        if sequence.is_float() {
            for value in sequence.floats() {
                vm.give(block, Value::Float(value))?;
            }
            return Ok(this.clone());
        }
        let mut number = sequence.begin.clone();
        while sequence.reaches(vm, &number)? {
            vm.give(block, number.clone())?;
            number = super::integer::arithmetic(vm, &number, &sequence.by, sym::PLUS)?;
        }
        Ok(this.clone())
    }),
    Row("first", 0, 1, |vm, this, args| match args.values {
        [] => Ok(vm.first_items(this, 1)?.into_iter().next().into()),
        _ => super::enumerable_method(vm, this, args, "first"),
    }),
    Row("last", 0, 1, |vm, this, args| {
        if vm.sequence(this)?.end.is_nil() {
            return Err(vm.error("RangeError", "cannot get the last element of endless arithmetic sequence"));
        }
        let items = Value::array(vm.items(this)?);
        vm.send(&items, Sym::new("last"), args.values)
    }),
    Row("size", 0, 0, |vm, this, _| {
        if vm.sequence(this)?.end.is_nil() {
            return Ok(Value::Float(f64::INFINITY));
        }
        Ok(Value::int(vm.items(this)?.len()))
    }),
    Row("==", 1, 1, is_equal),
    Row("===", 1, 1, is_equal),
    Row("eql?", 1, 1, is_equal),
    Row("hash", 0, 0, |vm, this, _| {
        let it = vm.sequence(this)?;
        let parts = Value::array(vec![it.begin, it.end, it.by, Value::Bool(it.excludes_end)]);
        vm.send(&parts, sym::HASH, &[])
    }),
    Row("inspect", 0, 0, inspect),
    Row("to_s", 0, 0, inspect),
];

/// From where to where, and by how much.
struct Sequence {
    begin: Value,
    end: Value,
    by: Value,
    excludes_end: bool,
}

impl Sequence {
    fn is_float(&self) -> bool {
        [&self.begin, &self.end, &self.by].iter().any(|it| matches!(it, Value::Float(_)))
    }

    fn floats(&self) -> Vec<f64> {
        let by = float_of(&self.by);
        let end = if self.end.is_nil() { f64::INFINITY.copysign(by) } else { float_of(&self.end) };
        super::range::float_steps(float_of(&self.begin), end, by, self.excludes_end)
    }

    /// Whether a number is not behind the end.
    fn reaches(&self, vm: &mut Vm, number: &Value) -> Outcome<bool> {
        if self.end.is_nil() {
            return Ok(true);
        }
        let order = vm.ordered(number, &self.end)?;
        let order = if float_of(&self.by) < 0.0 { order.reverse() } else { order };
        Ok(order.is_lt() || (order.is_eq() && !self.excludes_end))
    }
}

fn is_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    if !vm.is_sequence(args.at(0)) {
        return Ok(Value::Bool(false));
    }
    let (a, b) = (vm.sequence(this)?, vm.sequence(args.at(0))?);
    let is_equal = a.excludes_end == b.excludes_end
        && vm.equals(&a.begin, &b.begin)?
        && vm.equals(&a.end, &b.end)?
        && vm.equals(&a.by, &b.by)?;
    Ok(Value::Bool(is_equal))
}

fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    let source = vm.source(this)?;
    let receiver = vm.inspect(&source.receiver)?;
    let receiver = if matches!(source.receiver, Value::Range(_)) { format!("({receiver})") } else { receiver };
    let mut shown = Vec::new();
    for (index, arg) in source.args.iter().enumerate() {
        match arg {
            Value::Hash(keywords) if source.keywords && index + 1 == source.args.len() => {
                for (name, value) in keywords.pairs() {
                    shown.push(format!("{}: {}", vm.to_s(&name)?, vm.inspect(&value)?));
                }
            }
            other => shown.push(vm.inspect(other)?),
        }
    }
    let shown = if shown.is_empty() { String::new() } else { format!("({})", shown.join(", ")) };
    Ok(Value::str(format!("({receiver}.{}{shown})", source.name.as_str())))
}

impl Vm {
    pub(super) fn is_sequence(&mut self, value: &Value) -> bool {
        self.class_name(value) == "Enumerator::ArithmeticSequence"
    }

    fn sequence(&mut self, value: &Value) -> Outcome<Sequence> {
        let source: Rc<Source> = self.source(value)?;
        let args = Args { values: &source.args, block: None, keywords: source.keywords };
        let (values, _) = args.split_keywords();
        let keyword = |name: &str| if args.keywords { args.keyword(name) } else { None };
        Ok(match &source.receiver {
            Value::Range(range) => Sequence {
                begin: range.start.clone(),
                end: range.end.clone(),
                by: values.first().cloned().unwrap_or(Value::Int(1)),
                excludes_end: range.excludes_end,
            },
            number => Sequence {
                begin: number.clone(),
                end: keyword("to").or_else(|| values.first().cloned()).into(),
                by: keyword("by").or_else(|| values.get(1).cloned()).unwrap_or(Value::Int(1)),
                excludes_end: false,
            },
        })
    }

    /// Every so many of some items: `items[(1..).step(2)]`.
    pub(super) fn every_so_many(&mut self, sequence: &Value, items: &[Value]) -> Outcome {
        let mut it = self.sequence(sequence)?;
        let by = self.to_int(&it.by)?;
        if by < 0 {
            if it.excludes_end && !it.end.is_nil() {
                it.end = Value::Int(self.to_int(&it.end)? + 1);
                it.excludes_end = false;
            }
            std::mem::swap(&mut it.begin, &mut it.end);
        }
        let size = items.len();
        let start = if it.begin.is_nil() { 0 } else { self.to_int(&it.begin)? };
        let end = if it.end.is_nil() { -1 } else { self.to_int(&it.end)? };
        let end = if end < 0 { end + size as i64 } else { end };
        let end = end + i64::from(!it.excludes_end || it.end.is_nil());
        let skips = by.unsigned_abs() > 1;
        let Some(start) = from_end(start, size).filter(|start| *start <= size) else {
            return if skips { Err(self.out_of_range(sequence)) } else { Ok(Value::Nil) };
        };
        let count = usize::try_from(end).unwrap_or(0).saturating_sub(start);
        if skips && count > size {
            return Err(self.out_of_range(sequence));
        }
        let Ok(every) = usize::try_from(by.unsigned_abs()) else { return Ok(Value::Nil) };
        let chosen = items.get(start..(start + count).min(size)).unwrap_or_default().iter().cloned();
        Ok(Value::array(match by < 0 {
            true => chosen.rev().step_by(every.max(1)).collect(),
            false => chosen.step_by(every.max(1)).collect(),
        }))
    }

    fn out_of_range(&mut self, sequence: &Value) -> Box<crate::interpreter::Stop> {
        match self.inspect(sequence) {
            Ok(shown) => self.error("RangeError", &format!("{shown} out of range")),
            Err(stop) => stop,
        }
    }
}
