//! `Range`.

use std::rc::Rc;

use crate::interpreter::code::Args;
use crate::interpreter::iterate::Items;
use crate::interpreter::order::float_of;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Range, Value};
use crate::interpreter::{Outcome, Vm};

/// `Range.new`.
pub(super) const OWN: &[Row] =
    &[Row("new", 2, 3, |vm, _, args| vm.make_range(args.at(0).clone(), args.at(1).clone(), args.at(2).is_truthy()))];

pub(super) const ROWS: &[Row] = &[
    Row("begin", 0, 0, |vm, this, _| Ok(vm.range(this)?.start.clone())),
    Row("end", 0, 0, |vm, this, _| Ok(vm.range(this)?.end.clone())),
    Row("first", 0, 1, |vm, this, args| {
        let range = vm.range(this)?;
        if range.start.is_nil() {
            return Err(vm.error("RangeError", "cannot get the first element of beginless range"));
        }
        match args.values.first() {
            None => Ok(range.start.clone()),
            Some(count) => {
                let count = vm.size_argument(count, "negative array size (or size too big)")?;
                Ok(Value::array(vm.first_items(this, count)?))
            }
        }
    }),
    Row("last", 0, 1, |vm, this, args| {
        let range = vm.range(this)?;
        if range.end.is_nil() {
            return Err(vm.error("RangeError", "cannot get the last element of endless range"));
        }
        match args.values.first() {
            None => Ok(range.end.clone()),
            Some(count) => {
                let count = vm.size_argument(count, "negative array size")?;
                let items = vm.items(this)?;
                let skipped = items.len().saturating_sub(count);
                Ok(Value::array(items.into_iter().skip(skipped).collect()))
            }
        }
    }),
    Row("min", 0, 1, |vm, this, args| extreme(vm, this, args, false)),
    Row("max", 0, 1, |vm, this, args| extreme(vm, this, args, true)),
    Row("minmax", 0, 0, |vm, this, args| {
        Ok(Value::pair(extreme(vm, this, args, false)?, extreme(vm, this, args, true)?))
    }),
    Row("exclude_end?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.range(this)?.excludes_end))),
    Row("size", 0, 0, |vm, this, _| {
        let range = vm.range(this)?;
        match (&range.start, &range.end) {
            (Value::Int(_) | Value::Float(_), Value::Nil) => Ok(Value::Float(f64::INFINITY)),
            (Value::Nil, Value::Int(_) | Value::Float(_)) => Ok(Value::Float(f64::INFINITY)),
            (Value::Int(start), Value::Int(end)) => {
                Ok(Value::Int((end - start + i64::from(!range.excludes_end)).max(0)))
            }
            (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
                let (start, end) = (float_of(&range.start), float_of(&range.end));
                if end.is_infinite() {
                    return Ok(Value::Float(f64::INFINITY));
                }
                Ok(Value::int(float_steps(start, end, 1.0, range.excludes_end).len()))
            }
            _ => Ok(Value::Nil),
        }
    }),
    Row("count", 0, 1, |vm, this, args| {
        let range = vm.range(this)?;
        if args.values.is_empty() && args.block.is_none() && (range.start.is_nil() || range.end.is_nil()) {
            return Ok(Value::Float(f64::INFINITY));
        }
        super::enumerable_method(vm, this, args, "count")
    }),
    Row("each", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each", &[])) };
        let range = vm.range(this)?;
        if let (Value::Str(start), Value::Nil) = (&range.start, &range.end) {
            let mut text = start.to_text();
            loop {
                vm.give(block, Value::str(text.as_str()))?;
                text = super::succ::succ(&text);
            }
        }
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            vm.give(block, item)?;
        }
        Ok(this.clone())
    }),
    Row("reverse_each", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "reverse_each", &[])) };
        for item in vm.items(this)?.into_iter().rev() {
            vm.give(block, item)?;
        }
        Ok(this.clone())
    }),
    Row("to_a", 0, 0, to_a),
    Row("to_ary", 0, 0, to_a),
    Row("entries", 0, 0, to_a),
    Row("include?", 1, 1, |vm, this, args| {
        let range = vm.range(this)?;
        if let (Value::Str(start), Value::Str(end), Value::Str(wanted)) = (&range.start, &range.end, args.at(0)) {
            let all = super::succ::strings_between(&start.to_text(), &end.to_text(), range.excludes_end);
            return Ok(Value::Bool(all.contains(&wanted.to_text())));
        }
        covers(vm, this, args.at(0))
    }),
    Row("member?", 1, 1, |vm, this, args| vm.send(this, Sym::new("include?"), args.values)),
    Row("===", 1, 1, |vm, this, args| covers(vm, this, args.at(0))),
    Row("cover?", 1, 1, |vm, this, args| match args.at(0) {
        Value::Range(inner) => {
            let (start, end) = (covers(vm, this, &inner.start)?, covers(vm, this, &inner.end)?);
            let range = vm.range(this)?;
            let ends_alike = inner.excludes_end && range.excludes_end && vm.equals(&inner.end, &range.end)?;
            let is_empty = vm.compare(&inner.start, &inner.end)?.is_none_or(|it| it.is_gt());
            Ok(Value::Bool(!is_empty && start.is_truthy() && (end.is_truthy() || ends_alike)))
        }
        other => covers(vm, this, other),
    }),
    Row("step", 0, 1, |vm, this, args| step(vm, this, args, "step")),
    Row("%", 1, 1, |vm, this, args| step(vm, this, args, "%")),
    Row("sum", 0, 1, |vm, this, args| {
        let range = vm.range(this)?;
        if let (Value::Int(start), Value::Int(end), None) = (&range.start, &range.end, args.block)
            && args.values.is_empty()
        {
            let (start, end) = (i128::from(*start), i128::from(*end) - i128::from(range.excludes_end));
            let total = if end < start { 0 } else { (start + end) * (end - start + 1) / 2 };
            return Ok(Value::big(num_bigint::BigInt::from(total)));
        }
        super::enumerable_method(vm, this, args, "sum")
    }),
    Row("==", 1, 1, |vm, this, args| {
        let Value::Range(other) = args.at(0) else { return Ok(Value::Bool(false)) };
        let range = vm.range(this)?;
        let is_equal = range.excludes_end == other.excludes_end
            && vm.equals(&range.start, &other.start)?
            && vm.equals(&range.end, &other.end)?;
        Ok(Value::Bool(is_equal))
    }),
    Row("hash", 0, 0, super::object::hash_number),
    Row("to_s", 0, 0, |vm, this, _| {
        let range = vm.range(this)?;
        let dots = if range.excludes_end { "..." } else { ".." };
        Ok(Value::str(format!("{}{dots}{}", vm.to_s(&range.start)?, vm.to_s(&range.end)?)))
    }),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
];

fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    if vm.range(this)?.end.is_nil() {
        return Err(vm.error("RangeError", "cannot convert endless range to an array"));
    }
    Ok(Value::array(vm.items(this)?))
}

fn covers(vm: &mut Vm, this: &Value, value: &Value) -> Outcome {
    let range = vm.range(this)?;
    let after_start = range.start.is_nil() || vm.compare(&range.start, value)?.is_some_and(|it| it.is_le());
    if !after_start {
        return Ok(Value::Bool(false));
    }
    let before_end = range.end.is_nil()
        || vm.compare(value, &range.end)?.is_some_and(|it| it.is_lt() || (it.is_eq() && !range.excludes_end));
    Ok(Value::Bool(before_end))
}

fn extreme(vm: &mut Vm, this: &Value, args: Args<'_>, most: bool) -> Outcome {
    let range = vm.range(this)?;
    let name = if most { "max" } else { "min" };
    if args.block.is_some() || !args.values.is_empty() {
        if range.start.is_nil() || range.end.is_nil() {
            let which = if range.end.is_nil() { "endless" } else { "beginless" };
            let what = if most { "maximum" } else { "minimum" };
            return Err(vm.error(
                "RangeError",
                &format!("cannot get the {what} of {which} range with custom comparison method"),
            ));
        }
        return super::enumerable_method(vm, this, args, name);
    }
    if most && range.end.is_nil() {
        return Err(vm.error("RangeError", "cannot get the maximum of endless range"));
    }
    if !most && range.start.is_nil() {
        return Err(vm.error("RangeError", "cannot get the minimum of beginless range"));
    }
    if !range.start.is_nil() && !range.end.is_nil() {
        let order = vm.ordered(&range.start, &range.end)?;
        if order.is_gt() || (order.is_eq() && range.excludes_end) {
            return Ok(Value::Nil);
        }
    }
    match (&range.end, most && range.excludes_end) {
        (_, false) => Ok(if most { range.end.clone() } else { range.start.clone() }),
        (Value::Int(end), true) => Ok(Value::Int(end - 1)),
        (Value::Float(_), true) => Err(vm.type_error("cannot exclude non Integer end value")),
        _ => super::enumerable_method(vm, this, args, name),
    }
}

/// The floats between two, as many as there are steps, without adding up errors.
pub(super) fn float_steps(start: f64, end: f64, by: f64, excludes_end: bool) -> Vec<f64> {
    let count = (end - start) / by;
    let error = (start.abs() + end.abs() + (end - start).abs()) / by.abs() * f64::EPSILON;
    if count.is_nan() || count < 0.0 {
        return Vec::new();
    }
    let error = error.min(0.5);
    let whole = (count + error).floor();
    let whole = if excludes_end && (whole * by + start >= end) { whole } else { whole + 1.0 };
    let whole = whole.clamp(0.0, 4_000_000.0) as usize;
    (0..whole)
        .map(|index| index as f64 * by + start)
        .map(
            |value| if !excludes_end && ((by > 0.0 && value > end) || (by < 0.0 && value < end)) { end } else { value },
        )
        .collect()
}

fn step(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let range = vm.range(this)?;
    let by = args.values.first().cloned().unwrap_or(Value::Int(1));
    let size = vm.float_argument(&by)?;
    if size == 0.0 {
        return Err(vm.argument_error("step can't be 0"));
    }
    if size < 0.0 && args.block.is_some() {
        return Err(vm.argument_error("step can't be negative"));
    }
    let is_float = [&range.start, &range.end, &by].iter().any(|it| matches!(it, Value::Float(_)));
    let Some(block) = args.block else {
        let is_number = |it: &Value| matches!(it, Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Nil);
        let counts = is_number(&range.start) && is_number(&range.end) && !(range.start.is_nil() && range.end.is_nil());
        return if counts {
            vm.arithmetic_sequence(this, name, args)
        } else {
            Ok(vm.enumerator(this, name, args.values))
        };
    };
    if is_float {
        for value in float_steps(float_of(&range.start), float_of(&range.end), size, range.excludes_end) {
            vm.give(block, Value::Float(value))?;
        }
        return Ok(this.clone());
    }
    let every = usize::try_from(vm.to_int(&by)?).unwrap_or(1).max(1);
    let mut items = vm.iterate(this)?;
    if let Items::Integers(next, last) = &mut items {
        let (mut number, last) = (*next, *last);
        while last.is_none_or(|last| number <= last) {
            vm.give(block, Value::Int(number))?;
            let Some(following) = number.checked_add(every as i64) else { break };
            number = following;
        }
        return Ok(this.clone());
    }
    let mut index = 0;
    while let Some(item) = items.next() {
        if index % every == 0 {
            vm.give(block, item)?;
        }
        index += 1;
    }
    Ok(this.clone())
}

impl Vm {
    /// The receiver of a method of `Range`.
    fn range(&mut self, value: &Value) -> Outcome<Rc<Range>> {
        match value {
            Value::Range(range) => Ok(range.clone()),
            _ => Err(self.type_error("a range is expected")),
        }
    }
}
