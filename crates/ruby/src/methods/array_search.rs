//! `bsearch` of arrays and ranges, and choices with repetition.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::interpreter::code::{Args, Proc};
use crate::interpreter::order::float_of;
use crate::interpreter::session::Row;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) const ARRAY: &[Row] = &[
    Row("bsearch", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "bsearch", &[])) };
        let items = vm.items(this)?;
        let found = within(vm, &items, block)?;
        Ok(found.and_then(|index| items.get(index).cloned()).into())
    }),
    Row("bsearch_index", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "bsearch_index", &[])) };
        let items = vm.items(this)?;
        Ok(within(vm, &items, block)?.map(Value::int).into())
    }),
    Row("repeated_combination", 1, 1, |vm, this, args| repeated(vm, this, args, "repeated_combination", true)),
    Row("repeated_permutation", 1, 1, |vm, this, args| repeated(vm, this, args, "repeated_permutation", false)),
];

pub(super) const RANGE: &[Row] = &[Row("bsearch", 0, 0, |vm, this, args| {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, "bsearch", &[])) };
    let Value::Range(range) = this else { return Ok(Value::Nil) };
    let is_float = |value: &Value| matches!(value, Value::Float(_));
    if is_float(&range.start) || is_float(&range.end) {
        let end = if range.end.is_nil() { f64::INFINITY } else { float_of(&range.end) };
        let start = if range.start.is_nil() { f64::NEG_INFINITY } else { float_of(&range.start) };
        let high = ordered(end).saturating_add(i64::from(!range.excludes_end));
        let found = search(vm, ordered(start), high, block, |key| Value::Float(f64::from_bits(ordered_bits(key))))?;
        return Ok(found.map(|key| Value::Float(f64::from_bits(ordered_bits(key)))).into());
    }
    let (low, high) = match (&range.start, &range.end) {
        (Value::Int(low), Value::Int(high)) => (*low, high.saturating_add(i64::from(!range.excludes_end))),
        (Value::Int(low), Value::Nil) => (*low, i64::MAX),
        (Value::Nil, Value::Int(high)) => (i64::MIN, high.saturating_add(i64::from(!range.excludes_end))),
        (other, _) => {
            let class = vm.class_name(other);
            return Err(vm.type_error(&format!("can't do binary search for {class}")));
        }
    };
    Ok(search(vm, low, high, block, Value::Int)?.map(Value::Int).into())
})];

/// A number in the order of floats.
fn ordered(number: f64) -> i64 {
    let bits = number.to_bits().cast_signed();
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn ordered_bits(key: i64) -> u64 {
    (if key < 0 { i64::MIN.wrapping_sub(key) } else { key }).cast_unsigned()
}

fn within(vm: &mut Vm, items: &[Value], block: &Rc<Proc>) -> Outcome<Option<usize>> {
    let end = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let item = |index: i64| usize::try_from(index).ok().and_then(|index| items.get(index).cloned()).into();
    Ok(search(vm, 0, end, block, item)?.and_then(|index| usize::try_from(index).ok()))
}

/// The first place for which the block says true, or one for which it says 0.
fn search(
    vm: &mut Vm,
    mut low: i64,
    mut high: i64,
    block: &Rc<Proc>,
    item: impl Fn(i64) -> Value,
) -> Outcome<Option<i64>> {
    let mut found = None;
    while low < high {
        let middle = low.midpoint(high);
        let answer = vm.give(block, item(middle))?;
        let is_below = match &answer {
            Value::Bool(true) => {
                found = Some(middle);
                true
            }
            Value::Bool(false) | Value::Nil => false,
            Value::Int(_) | Value::Float(_) | Value::Big(_) => match vm.compare(&answer, &Value::Int(0))? {
                Some(Ordering::Equal) => return Ok(Some(middle)),
                order => order == Some(Ordering::Less),
            },
            other => {
                let class = vm.class_name(other);
                let message = format!("wrong argument type {class} (must be numeric, true, false or nil)");
                return Err(vm.type_error(&message));
            }
        };
        if is_below {
            high = middle;
        } else {
            low = middle.saturating_add(1);
        }
    }
    Ok(found)
}

fn repeated(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, is_sorted: bool) -> Outcome {
    let (items, count) = (vm.items(this)?, vm.to_int(args.at(0))?);
    let mut rows: Vec<Vec<usize>> = if count < 0 { Vec::new() } else { vec![Vec::new()] };
    for _ in 0..count.max(0) {
        let mut next = Vec::new();
        for row in &rows {
            let first = if is_sorted { row.last().copied().unwrap_or(0) } else { 0 };
            for index in first..items.len() {
                vm.step()?;
                next.push(row.iter().copied().chain([index]).collect());
            }
            vm.check_size(next.len().saturating_mul(32))?;
        }
        rows = next;
    }
    let made = rows.into_iter().map(|row| row.into_iter().filter_map(|index| items.get(index).cloned()).collect());
    super::array::given_or_enumerator(vm, this, args, name, made.collect())
}
