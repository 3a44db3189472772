//! What changes an array.

use std::rc::Rc;

use crate::interpreter::code::Args;
use crate::interpreter::convert::from_end;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Array, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("[]=", 2, 3, set),
    Row("<<", 1, 1, push),
    Row("push", 0, -1, push),
    Row("append", 0, -1, push),
    Row("pop", 0, 1, |vm, this, args| {
        let array = vm.changing(this)?;
        match args.values.first() {
            None => Ok(array.items.borrow_mut().pop().into()),
            Some(count) => {
                let count = vm.size_argument(count, "negative array size")?;
                let mut items = array.items.borrow_mut();
                let start = items.len().saturating_sub(count);
                Ok(Value::array(items.split_off(start)))
            }
        }
    }),
    Row("shift", 0, 1, |vm, this, args| {
        let array = vm.changing(this)?;
        let mut items = array.items.borrow_mut();
        match args.values.first() {
            None if items.is_empty() => Ok(Value::Nil),
            None => Ok(items.remove(0)),
            Some(count) => {
                let count = vm.size_argument(count, "negative array size")?.min(items.len());
                Ok(Value::array(items.drain(..count).collect()))
            }
        }
    }),
    Row("unshift", 0, -1, unshift),
    Row("prepend", 0, -1, unshift),
    Row("insert", 1, -1, |vm, this, args| {
        let array = vm.changing(this)?;
        let number = vm.to_int(args.at(0))?;
        let size = array.items.borrow().len();
        let values = args.values.get(1..).unwrap_or_default();
        let number = if number < 0 { number + 1 + size as i64 } else { number };
        let Ok(index) = usize::try_from(number) else {
            let message = format!("index {} too small for array; minimum: -{}", number - 1 - size as i64, size + 1);
            return Err(vm.error("IndexError", &message));
        };
        if !values.is_empty() {
            splice(vm, &array, index, 0, values)?;
        }
        Ok(this.clone())
    }),
    Row("concat", 0, -1, |vm, this, args| {
        let array = vm.changing(this)?;
        let mut added = Vec::new();
        for other in args.values {
            added.extend_from_slice(&vm.to_ary(other)?.items.borrow());
        }
        array.items.borrow_mut().extend(added);
        let size = array.items.borrow().len();
        vm.check_size(size.saturating_mul(16))?;
        Ok(this.clone())
    }),
    Row("replace", 1, 1, |vm, this, args| {
        let array = vm.changing(this)?;
        let items = vm.to_ary(args.at(0))?.items.borrow().clone();
        *array.items.borrow_mut() = items;
        Ok(this.clone())
    }),
    Row("clear", 0, 0, |vm, this, _| {
        vm.changing(this)?.items.borrow_mut().clear();
        Ok(this.clone())
    }),
    Row("fill", 0, 3, |vm, this, args| match args.block {
        None if args.values.is_empty() => Err(vm.wrong_count(0, 1, Some(3))),
        Some(_) if args.len() > 2 => Err(vm.wrong_count(args.len(), 0, Some(2))),
        _ => fill(vm, this, args),
    }),
    Row("delete", 1, 1, |vm, this, args| {
        let array = vm.changing(this)?;
        let (mut kept, mut found) = (Vec::new(), None);
        let items = array.items.borrow().clone();
        for item in items {
            if vm.equals(&item, args.at(0))? {
                found = Some(item);
            } else {
                kept.push(item);
            }
        }
        *array.items.borrow_mut() = kept;
        match (found, args.block) {
            (Some(item), _) => Ok(item),
            (None, Some(block)) => vm.give(block, args.at(0).clone()),
            (None, None) => Ok(Value::Nil),
        }
    }),
    Row("delete_at", 1, 1, |vm, this, args| {
        let array = vm.changing(this)?;
        let index = vm.position(args.at(0), array.items.borrow().len())?;
        let mut items = array.items.borrow_mut();
        Ok(index.filter(|it| *it < items.len()).map(|it| items.remove(it)).into())
    }),
    Row("slice!", 1, 2, |vm, this, args| {
        let array = vm.changing(this)?;
        let size = array.items.borrow().len();
        let (start, count) = match args.values {
            [Value::Range(range)] => match vm.extent(range, size)? {
                Some(extent) => extent,
                None => return Ok(Value::Nil),
            },
            [which] => {
                let index = vm.position(which, size)?;
                let mut items = array.items.borrow_mut();
                return Ok(index.filter(|it| *it < items.len()).map(|it| items.remove(it)).into());
            }
            _ => {
                let (start, count) = (vm.to_int(args.at(0))?, vm.to_int(args.at(1))?);
                match (from_end(start, size).filter(|it| *it <= size), usize::try_from(count)) {
                    (Some(start), Ok(count)) => (start, count),
                    _ => return Ok(Value::Nil),
                }
            }
        };
        let end = start.saturating_add(count).min(size);
        let removed = array.items.borrow_mut().drain(start..end).collect();
        Ok(Value::array(removed))
    }),
    Row("map!", 0, 0, |vm, this, args| map_in_place(vm, this, args, "map!")),
    Row("collect!", 0, 0, |vm, this, args| map_in_place(vm, this, args, "collect!")),
    Row("select!", 0, 0, |vm, this, args| keep(vm, this, args, "select!", true, false)),
    Row("filter!", 0, 0, |vm, this, args| keep(vm, this, args, "filter!", true, false)),
    Row("keep_if", 0, 0, |vm, this, args| keep(vm, this, args, "keep_if", true, true)),
    Row("reject!", 0, 0, |vm, this, args| keep(vm, this, args, "reject!", false, false)),
    Row("delete_if", 0, 0, |vm, this, args| keep(vm, this, args, "delete_if", false, true)),
    Row("compact!", 0, 0, |vm, this, _| {
        changed(vm, this, |_, items| Ok(items.into_iter().filter(|it| !it.is_nil()).collect()))
    }),
    Row("uniq!", 0, 0, |vm, this, args| {
        let array = vm.changing(this)?;
        let items = array.items.borrow().clone();
        let size = items.len();
        let kept = super::enumerable::unique(vm, items, args)?;
        let is_same = kept.len() == size;
        *array.items.borrow_mut() = kept;
        Ok(if is_same { Value::Nil } else { this.clone() })
    }),
    Row("flatten!", 0, 1, |vm, this, args| {
        let array = vm.changing(this)?;
        let depth = if args.at(0).is_nil() { -1 } else { vm.to_int(args.at(0))? };
        let items = array.items.borrow().clone();
        let had_arrays = depth != 0 && items.iter().any(|it| matches!(it, Value::Array(_)));
        let mut made = Vec::new();
        super::array::flatten(vm, &items, depth, &mut made)?;
        *array.items.borrow_mut() = made;
        Ok(if had_arrays { this.clone() } else { Value::Nil })
    }),
    Row("reverse!", 0, 0, |vm, this, _| {
        vm.changing(this)?.items.borrow_mut().reverse();
        Ok(this.clone())
    }),
    Row("rotate!", 0, 1, |vm, this, args| {
        let by = if args.values.is_empty() { 1 } else { vm.to_int(args.at(0))? };
        super::array::rotate(&mut vm.changing(this)?.items.borrow_mut(), by);
        Ok(this.clone())
    }),
    Row("sort!", 0, 0, |vm, this, args| {
        let array = vm.changing(this)?;
        let mut items = array.items.borrow().clone();
        super::enumerable_order::sort(vm, &mut items, args)?;
        *array.items.borrow_mut() = items;
        Ok(this.clone())
    }),
    Row("sort_by!", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "sort_by!", &[])) };
        let array = vm.changing(this)?;
        let items = array.items.borrow().clone();
        let sorted = super::enumerable_order::sorted_by(vm, items, block)?;
        *array.items.borrow_mut() = sorted;
        Ok(this.clone())
    }),
    Row("shuffle!", 0, -1, |vm, this, args| {
        let array = vm.changing(this)?;
        let shuffled = super::random::shuffle(vm, this, args)?;
        let items = vm.array(&shuffled)?.items.borrow().clone();
        *array.items.borrow_mut() = items;
        Ok(this.clone())
    }),
];

fn push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let array = vm.changing(this)?;
    array.items.borrow_mut().extend_from_slice(args.values);
    let size = array.items.borrow().len();
    vm.check_size(size.saturating_mul(16))?;
    Ok(this.clone())
}

fn unshift(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let array = vm.changing(this)?;
    array.items.borrow_mut().splice(0..0, args.values.iter().cloned());
    Ok(this.clone())
}

/// Puts items in the place of others; what is missing before them is nil.
fn splice(vm: &mut Vm, array: &Rc<Array>, start: usize, count: usize, values: &[Value]) -> Outcome<()> {
    vm.check_size(start.saturating_add(values.len()).saturating_mul(16))?;
    let mut items = array.items.borrow_mut();
    if items.len() < start {
        items.resize(start, Value::Nil);
    }
    let end = start.saturating_add(count).min(items.len());
    items.splice(start..end, values.iter().cloned());
    Ok(())
}

fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let array = vm.changing(this)?;
    let size = array.items.borrow().len();
    let value = args.values.last().cloned().unwrap_or(Value::Nil);
    let (start, count) = match args.values {
        [Value::Range(range), _] => {
            let start = if range.start.is_nil() { 0 } else { vm.to_int(&range.start)? };
            let Some(from) = from_end(start, size) else {
                let shown = vm.inspect(args.at(0))?;
                return Err(vm.error("RangeError", &format!("{shown} out of range")));
            };
            let end = if range.end.is_nil() { -1 } else { vm.to_int(&range.end)? };
            let end = if end < 0 { end + size as i64 } else { end };
            let end = if range.excludes_end && !range.end.is_nil() { end } else { end + 1 };
            (from, usize::try_from(end).unwrap_or_default().saturating_sub(from))
        }
        [which, _] => {
            let number = vm.to_int(which)?;
            let Some(index) = from_end(number, size) else {
                let message = format!("index {number} too small for array; minimum: -{size}");
                return Err(vm.error("IndexError", &message));
            };
            vm.check_size(index.saturating_mul(16))?;
            let mut items = array.items.borrow_mut();
            if items.len() <= index {
                items.resize(index + 1, Value::Nil);
            }
            if let Some(item) = items.get_mut(index) {
                *item = value.clone();
            }
            return Ok(value);
        }
        _ => {
            let (start, count) = (vm.to_int(args.at(0))?, vm.to_int(args.at(1))?);
            let Ok(count) = usize::try_from(count) else {
                return Err(vm.error("IndexError", &format!("negative length ({count})")));
            };
            let Some(index) = from_end(start, size) else {
                let message = format!("index {start} too small for array; minimum: -{size}");
                return Err(vm.error("IndexError", &message));
            };
            (index, count)
        }
    };
    let values = match &value {
        Value::Array(other) => other.items.borrow().clone(),
        other => vec![other.clone()],
    };
    splice(vm, &array, start, count, &values)?;
    Ok(value)
}

fn fill(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let array = vm.changing(this)?;
    let size = array.items.borrow().len();
    let (value, others) = match args.block {
        Some(_) => (Value::Nil, args.values),
        None => (args.at(0).clone(), args.values.get(1..).unwrap_or_default()),
    };
    let (start, end) = match others {
        [] | [Value::Nil] => (0, size),
        [Value::Range(range)] => {
            let start = from_end(vm.to_int(&range.start)?, size).unwrap_or_default();
            let end = if range.end.is_nil() { size as i64 - 1 } else { vm.to_int(&range.end)? };
            let end = if end < 0 { end + size as i64 } else { end };
            (start, usize::try_from(if range.excludes_end { end } else { end + 1 }).unwrap_or_default())
        }
        [start] => (from_end(vm.to_int(start)?, size).unwrap_or_default(), size),
        [start, count, ..] => {
            let start = from_end(vm.to_int(start)?, size).unwrap_or_default();
            let count = if count.is_nil() {
                size.saturating_sub(start)
            } else {
                usize::try_from(vm.to_int(count)?).unwrap_or_default()
            };
            (start, start.saturating_add(count))
        }
    };
    vm.check_size(end.saturating_mul(16))?;
    for index in start..end {
        let value = match args.block {
            Some(block) => vm.give(block, Value::int(index))?,
            None => value.clone(),
        };
        let mut items = array.items.borrow_mut();
        if items.len() <= index {
            items.resize(index + 1, Value::Nil);
        }
        if let Some(item) = items.get_mut(index) {
            *item = value;
        }
    }
    Ok(this.clone())
}

fn map_in_place(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, &[])) };
    let array = vm.changing(this)?;
    let mut index = 0;
    while index < array.items.borrow().len() {
        let item: Value = array.items.borrow().get(index).cloned().into();
        let value = vm.give(block, item)?;
        if let Some(item) = array.items.borrow_mut().get_mut(index) {
            *item = value;
        }
        index += 1;
    }
    Ok(this.clone())
}

fn keep(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, wanted: bool, always: bool) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, &[])) };
    let array = vm.changing(this)?;
    let items = array.items.borrow().clone();
    let (size, mut kept) = (items.len(), Vec::new());
    for item in items {
        if vm.give(block, item.clone())?.is_truthy() == wanted {
            kept.push(item);
        }
    }
    let is_same = kept.len() == size;
    *array.items.borrow_mut() = kept;
    Ok(if is_same && !always { Value::Nil } else { this.clone() })
}

fn changed(vm: &mut Vm, this: &Value, work: fn(&mut Vm, Vec<Value>) -> Outcome<Vec<Value>>) -> Outcome {
    let array = vm.changing(this)?;
    let items = array.items.borrow().clone();
    let size = items.len();
    let made = work(vm, items)?;
    let is_same = made.len() == size;
    *array.items.borrow_mut() = made;
    Ok(if is_same { Value::Nil } else { this.clone() })
}

/// `index` and `find_index`.
pub(super) fn index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    if args.values.is_empty() && args.block.is_none() {
        return Ok(vm.enumerator(this, "index", &[]));
    }
    let method = vm.find_method(&vm.core.enumerable.clone(), Sym::new("find_index"));
    match method {
        Some(method) => vm.invoke(this, &method, args),
        None => Ok(Value::Nil),
    }
}

impl Vm {
    /// An array that is about to change.
    fn changing(&mut self, value: &Value) -> Outcome<Rc<Array>> {
        self.check_frozen(value)?;
        self.array(value)
    }
}
