//! `Array`: reading. What changes an array is in `array_change`.

use std::rc::Rc;

use crate::interpreter::code::Args;
use crate::interpreter::convert::from_end;
use crate::interpreter::hash::Entries;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Array, Value};
use crate::interpreter::{Outcome, Vm};

/// `Array[…]` and `Array.try_convert`.
pub(super) const OWN: &[Row] = &[
    Row("[]", 0, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        let made = vm.allocate(&class)?;
        if let Value::Array(array) = &made {
            *array.items.borrow_mut() = args.values.to_vec();
        }
        Ok(made)
    }),
    Row("try_convert", 1, 1, |vm, _, args| match args.at(0) {
        array @ Value::Array(_) => Ok(array.clone()),
        other if vm.responds_to(other, sym::TO_ARY) => vm.send(other, sym::TO_ARY, &[]),
        _ => Ok(Value::Nil),
    }),
];

pub(super) const ROWS: &[Row] = &[
    Row("initialize", 0, 2, initialize),
    Row("[]", 1, 2, slice),
    Row("slice", 1, 2, slice),
    Row("at", 1, 1, slice),
    Row("dig", 1, -1, super::enumerable::dig),
    Row("fetch", 1, 2, |vm, this, args| {
        let items = vm.array(this)?;
        let (number, size) = (vm.to_int(args.at(0))?, items.items.borrow().len());
        let found = from_end(number, size).and_then(|index| items.items.borrow().get(index).cloned());
        match (found, args.block, args.get(1)) {
            (Some(item), ..) => Ok(item),
            (None, Some(block), _) => vm.give(block, args.at(0).clone()),
            (None, None, Some(default)) => Ok(default.clone()),
            (None, None, None) => {
                let least = -(size as i64);
                let message = format!("index {number} outside of array bounds: {least}...{size}");
                Err(vm.error("IndexError", &message))
            }
        }
    }),
    Row("values_at", 0, -1, |vm, this, args| {
        let items = vm.array(this)?;
        let mut made = Vec::new();
        for which in args.values {
            let size = items.items.borrow().len();
            match which {
                Value::Range(range) => {
                    if let Some((start, count)) = vm.extent(range, size)? {
                        let end = match &range.end {
                            Value::Int(end) if *end >= 0 => (*end as usize) + usize::from(!range.excludes_end),
                            _ => start + count,
                        };
                        vm.check_size(end.saturating_mul(16))?;
                        made.extend((start..end).map(|index| items.items.borrow().get(index).cloned().into()));
                    }
                }
                other => {
                    let index = vm.position(other, size)?;
                    made.push(index.and_then(|index| items.items.borrow().get(index).cloned()).into());
                }
            }
        }
        Ok(Value::array(made))
    }),
    Row("first", 0, 1, |vm, this, args| {
        let items = vm.array(this)?;
        match args.values.first() {
            None => Ok(items.items.borrow().first().cloned().into()),
            Some(count) => {
                let count = vm.size_argument(count, "negative array size")?;
                Ok(Value::array(items.items.borrow().iter().take(count).cloned().collect()))
            }
        }
    }),
    Row("last", 0, 1, |vm, this, args| {
        let items = vm.array(this)?;
        match args.values.first() {
            None => Ok(items.items.borrow().last().cloned().into()),
            Some(count) => {
                let count = vm.size_argument(count, "negative array size")?;
                let items = items.items.borrow();
                Ok(Value::array(items.iter().skip(items.len().saturating_sub(count)).cloned().collect()))
            }
        }
    }),
    Row("length", 0, 0, |vm, this, _| Ok(Value::int(vm.array(this)?.items.borrow().len()))),
    Row("size", 0, 0, |vm, this, _| Ok(Value::int(vm.array(this)?.items.borrow().len()))),
    Row("empty?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.array(this)?.items.borrow().is_empty()))),
    Row("each", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each", &[])) };
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            vm.give(block, item)?;
        }
        Ok(this.clone())
    }),
    Row("each_index", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_index", &[])) };
        let items = vm.array(this)?;
        let mut index = 0;
        while index < items.items.borrow().len() {
            vm.give(block, Value::int(index))?;
            index += 1;
        }
        Ok(this.clone())
    }),
    Row("to_a", 0, 0, |_, this, _| Ok(this.clone())),
    Row("to_ary", 0, 0, |_, this, _| Ok(this.clone())),
    Row("entries", 0, 0, |vm, this, _| Ok(Value::array(vm.items(this)?))),
    Row("to_s", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("hash", 0, 0, super::object::hash_number),
    Row("==", 1, 1, |vm, this, args| Ok(Value::Bool(vm.equals(this, args.at(0))?))),
    Row("<=>", 1, 1, |vm, this, args| match args.at(0) {
        Value::Array(_) => Ok(super::comparable::sign(vm.compare(this, args.at(0))?)),
        _ => Ok(Value::Nil),
    }),
    Row("+", 1, 1, |vm, this, args| {
        let (items, other) = (vm.array(this)?, vm.to_ary(args.at(0))?);
        let mut made = items.items.borrow().clone();
        made.extend_from_slice(&other.items.borrow());
        vm.count_made(made.len().saturating_mul(16))?;
        Ok(Value::array(made))
    }),
    Row("-", 1, 1, difference),
    Row("difference", 0, -1, difference),
    Row("&", 1, 1, intersection),
    Row("intersection", 0, -1, intersection),
    Row("intersect?", 1, 1, |vm, this, args| {
        let common = intersection(vm, this, args)?;
        Ok(Value::Bool(!vm.array(&common)?.items.borrow().is_empty()))
    }),
    Row("|", 1, 1, union),
    Row("union", 0, -1, union),
    Row("*", 1, 1, |vm, this, args| {
        if let Value::Str(_) = args.at(0) {
            return join(vm, this, args);
        }
        let count = vm.size_argument(args.at(0), "negative argument")?;
        let items = vm.array(this)?.items.borrow().clone();
        vm.count_made(items.len().saturating_mul(count).saturating_mul(16))?;
        Ok(Value::array(std::iter::repeat_n(&items, count).flatten().cloned().collect()))
    }),
    Row("join", 0, 1, join),
    Row("reverse", 0, 0, |vm, this, _| Ok(Value::array(vm.items(this)?.into_iter().rev().collect()))),
    Row("rotate", 0, 1, |vm, this, args| {
        let mut items = vm.items(this)?;
        let by = if args.values.is_empty() { 1 } else { vm.to_int(args.at(0))? };
        rotate(&mut items, by);
        Ok(Value::array(items))
    }),
    Row("compact", 0, 0, |vm, this, _| {
        Ok(Value::array(vm.items(this)?.into_iter().filter(|it| !it.is_nil()).collect()))
    }),
    Row("flatten", 0, 1, |vm, this, args| {
        let depth = if args.at(0).is_nil() { -1 } else { vm.to_int(args.at(0))? };
        let (items, mut made) = (vm.items(this)?, Vec::new());
        flatten(vm, &items, depth, &mut made)?;
        Ok(Value::array(made))
    }),
    Row("index", 0, 1, super::array_change::index),
    Row("find_index", 0, 1, super::array_change::index),
    Row("rindex", 0, 1, |vm, this, args| {
        if args.values.is_empty() && args.block.is_none() {
            return Ok(vm.enumerator(this, "rindex", &[]));
        }
        for (index, item) in vm.items(this)?.iter().enumerate().rev() {
            let fits = match (args.values.first(), args.block) {
                (Some(wanted), _) => vm.equals(item, wanted)?,
                (None, Some(block)) => vm.give(block, item.clone())?.is_truthy(),
                (None, None) => false,
            };
            if fits {
                return Ok(Value::int(index));
            }
        }
        Ok(Value::Nil)
    }),
    Row("assoc", 1, 1, |vm, this, args| associated(vm, this, args, 0)),
    Row("rassoc", 1, 1, |vm, this, args| associated(vm, this, args, 1)),
    Row("take", 1, 1, |vm, this, args| {
        let count = vm.size_argument(args.at(0), "attempt to take negative size")?;
        Ok(Value::array(vm.items(this)?.into_iter().take(count).collect()))
    }),
    Row("transpose", 0, 0, |vm, this, _| {
        let mut made: Vec<Vec<Value>> = Vec::new();
        let rows = vm.items(this)?;
        for (number, row) in rows.iter().enumerate() {
            let row = vm.to_ary(row)?.items.borrow().clone();
            if number == 0 {
                made = vec![Vec::new(); row.len()];
            } else if row.len() != made.len() {
                let message = format!("element size differs ({} should be {})", row.len(), made.len());
                return Err(vm.error("IndexError", &message));
            }
            for (column, item) in made.iter_mut().zip(row) {
                column.push(item);
            }
        }
        Ok(Value::array(made.into_iter().map(Value::array).collect()))
    }),
    Row("product", 0, -1, |vm, this, args| {
        let mut made: Vec<Vec<Value>> = vm.items(this)?.into_iter().map(|item| vec![item]).collect();
        for other in args.values {
            let other = vm.to_ary(other)?.items.borrow().clone();
            let count = made.len().saturating_mul(other.len());
            vm.check_size(count.saturating_mul(64))?;
            made = made
                .iter()
                .flat_map(|row| other.iter().map(move |item| row.iter().chain([item]).cloned().collect()))
                .collect();
        }
        given(vm, this, args, made)
    }),
    Row("combination", 1, 1, |vm, this, args| {
        let (items, count) = (vm.items(this)?, vm.to_int(args.at(0))?);
        let mut made = Vec::new();
        if let Ok(count) = usize::try_from(count) {
            combine(vm, &items, count, &mut Vec::new(), &mut made)?;
        }
        given_or_enumerator(vm, this, args, "combination", made)
    }),
    Row("permutation", 0, 1, |vm, this, args| {
        let items = vm.items(this)?;
        let count = if args.values.is_empty() { items.len() as i64 } else { vm.to_int(args.at(0))? };
        let mut made = Vec::new();
        if let Ok(count) = usize::try_from(count) {
            permute(vm, &items, count, &mut Vec::new(), &mut made)?;
        }
        given_or_enumerator(vm, this, args, "permutation", made)
    }),
    Row("each_slice", 1, 1, |vm, this, args| {
        if vm.to_int(args.at(0))? <= 0 {
            return Err(vm.argument_error("invalid slice size"));
        }
        if args.block.is_none() {
            return Ok(vm.enumerator(this, "each_slice", args.values));
        }
        let size = vm.size_argument(args.at(0), "invalid slice size")?;
        let slices: Vec<Vec<Value>> = vm.items(this)?.chunks(size).map(<[Value]>::to_vec).collect();
        given(vm, this, args, slices)
    }),
    Row("pack", 0, -1, super::pack::pack),
    Row("sample", 0, -1, super::random::sample),
    Row("shuffle", 0, -1, super::random::shuffle),
    Row("deconstruct", 0, 0, |_, this, _| Ok(this.clone())),
    Row("none?", 0, 1, |vm, this, args| {
        let any = vm.send_with(this, Sym::new("any?"), args, false)?;
        Ok(Value::Bool(!any.is_truthy()))
    }),
];

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let array = vm.array(this)?;
    let items = match args.values {
        [] => Vec::new(),
        [Value::Array(other)] => other.items.borrow().clone(),
        [size, ..] => {
            let size = vm.to_int(size)?;
            let Ok(size) = usize::try_from(size) else { return Err(vm.argument_error("negative array size")) };
            if size > 1 << 40 {
                return Err(vm.argument_error("array size too big"));
            }
            vm.count_made(size.saturating_mul(16))?;
            match args.block {
                Some(block) => {
                    let mut items = Vec::with_capacity(size);
                    for index in 0..size {
                        items.push(vm.give(block, Value::int(index))?);
                    }
                    items
                }
                None => vec![args.at(1).clone(); size],
            }
        }
    };
    *array.items.borrow_mut() = items;
    Ok(Value::Nil)
}

fn slice(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let array = vm.array(this)?;
    let size = array.items.borrow().len();
    let (start, count) = match args.values {
        [Value::Int(number)] => {
            let index = from_end(*number, size);
            return Ok(index.and_then(|index| array.items.borrow().get(index).cloned()).into());
        }
        [Value::Range(range)] => match vm.extent(range, size)? {
            Some(extent) => extent,
            None => return Ok(Value::Nil),
        },
        [sequence @ Value::Object(_)] if vm.is_sequence(sequence) => {
            let items = array.items.borrow().clone();
            return vm.every_so_many(sequence, &items);
        }
        [which] => {
            let index = vm.position(which, size)?;
            return Ok(index.and_then(|index| array.items.borrow().get(index).cloned()).into());
        }
        [start, count, ..] => {
            let (start, count) = (vm.to_int(start)?, vm.to_int(count)?);
            match (from_end(start, size).filter(|start| *start <= size), usize::try_from(count)) {
                (Some(start), Ok(count)) => (start, count),
                _ => return Ok(Value::Nil),
            }
        }
        [] => return Ok(Value::Nil),
    };
    let items = array.items.borrow();
    Ok(Value::array(items.iter().skip(start).take(count).cloned().collect()))
}

/// The keys of all items of some arrays.
fn keys_of(vm: &mut Vm, arrays: &[Value]) -> Outcome<Entries> {
    let mut keys = Entries::default();
    for array in arrays {
        for item in vm.to_ary(array)?.items.borrow().iter() {
            let key = vm.key(item)?;
            keys.insert(key, Value::Nil);
        }
    }
    Ok(keys)
}

fn difference(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let without = keys_of(vm, args.values)?;
    let mut made = Vec::new();
    for item in vm.items(this)? {
        if !without.contains_key(&vm.key(&item)?) {
            made.push(item);
        }
    }
    Ok(Value::array(made))
}

fn intersection(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let mut made = vm.items(this)?;
    for other in args.values {
        let with = keys_of(vm, std::slice::from_ref(other))?;
        let mut kept = Vec::new();
        for item in made {
            if with.contains_key(&vm.key(&item)?) {
                kept.push(item);
            }
        }
        made = kept;
    }
    Ok(Value::array(super::enumerable::unique(vm, made, Args::NONE)?))
}

fn union(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let mut made = vm.items(this)?;
    for other in args.values {
        made.extend_from_slice(&vm.to_ary(other)?.items.borrow());
    }
    Ok(Value::array(super::enumerable::unique(vm, made, Args::NONE)?))
}

fn join(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let separator = match args.at(0) {
        Value::Nil => Vec::new(),
        other => vm.to_str(other)?.bytes.borrow().clone(),
    };
    let mut text = Vec::new();
    join_into(vm, this, &separator, &mut text, true)?;
    vm.count_made(text.len())?;
    Ok(Value::str(text))
}

fn join_into(vm: &mut Vm, this: &Value, separator: &[u8], text: &mut Vec<u8>, mut is_first: bool) -> Outcome<()> {
    let address = this.address().unwrap_or_default();
    if vm.showing.contains(&address) {
        return Err(vm.argument_error("recursive array join"));
    }
    vm.showing.push(address);
    let items = vm.items(this)?;
    let outcome = vm.deeper(|vm| {
        for item in &items {
            if !is_first {
                text.extend_from_slice(separator);
            }
            is_first = false;
            match item {
                Value::Str(string) => text.extend_from_slice(&string.bytes.borrow()),
                Value::Array(_) => join_into(vm, item, separator, text, true)?,
                Value::Object(_) if vm.responds_to(item, sym::TO_STR) => {
                    let string = vm.to_str(item)?;
                    text.extend_from_slice(&string.bytes.borrow());
                }
                Value::Object(_) if vm.responds_to(item, sym::TO_ARY) => {
                    let inner = Value::Array(vm.to_ary(item)?);
                    join_into(vm, &inner, separator, text, true)?;
                }
                other => text.extend_from_slice(vm.to_s(other)?.as_bytes()),
            }
            vm.check_size(text.len())?;
        }
        Ok(())
    });
    vm.showing.pop();
    outcome
}

pub(super) fn rotate(items: &mut [Value], by: i64) {
    let length = items.len() as i64;
    if length > 0 {
        items.rotate_left(usize::try_from(by.rem_euclid(length)).unwrap_or_default());
    }
}

/// Arrays in arrays, taken apart down to a depth; all the way if it is negative.
pub(super) fn flatten(vm: &mut Vm, items: &[Value], depth: i64, made: &mut Vec<Value>) -> Outcome<()> {
    for item in items {
        match item {
            Value::Array(inner) if depth != 0 => {
                let address = item.address().unwrap_or_default();
                if vm.showing.contains(&address) {
                    return Err(vm.argument_error("tried to flatten recursive array"));
                }
                vm.showing.push(address);
                let inner = inner.items.borrow().clone();
                let outcome = vm.deeper(|vm| flatten(vm, &inner, depth - 1, made));
                vm.showing.pop();
                outcome?;
            }
            other => made.push(other.clone()),
        }
        vm.check_size(made.len().saturating_mul(16))?;
    }
    Ok(())
}

fn associated(vm: &mut Vm, this: &Value, args: Args<'_>, side: usize) -> Outcome {
    for item in vm.items(this)? {
        if let Value::Array(pair) = &item {
            let found = pair.items.borrow().get(side).cloned();
            if let Some(found) = found
                && vm.equals(&found, args.at(0))?
            {
                return Ok(item);
            }
        }
    }
    Ok(Value::Nil)
}

fn given(vm: &mut Vm, this: &Value, args: Args<'_>, made: Vec<Vec<Value>>) -> Outcome {
    let Some(block) = args.block else { return Ok(Value::array(made.into_iter().map(Value::array).collect())) };
    for row in made {
        vm.give(block, Value::array(row))?;
    }
    Ok(this.clone())
}

pub(super) fn given_or_enumerator(
    vm: &mut Vm,
    this: &Value,
    args: Args<'_>,
    name: &str,
    made: Vec<Vec<Value>>,
) -> Outcome {
    if args.block.is_none() {
        return Ok(vm.enumerator(this, name, args.values));
    }
    given(vm, this, args, made)
}

fn combine(
    vm: &mut Vm,
    items: &[Value],
    count: usize,
    taken: &mut Vec<Value>,
    made: &mut Vec<Vec<Value>>,
) -> Outcome<()> {
    vm.step()?;
    if count == 0 {
        made.push(taken.clone());
        return vm.check_size(made.len().saturating_mul(16 * (taken.len() + 2)));
    }
    for (index, item) in items.iter().enumerate() {
        taken.push(item.clone());
        let others = items.get(index + 1..).unwrap_or_default();
        vm.deeper(|vm| combine(vm, others, count - 1, taken, made))?;
        taken.pop();
    }
    Ok(())
}

fn permute(
    vm: &mut Vm,
    items: &[Value],
    count: usize,
    taken: &mut Vec<Value>,
    made: &mut Vec<Vec<Value>>,
) -> Outcome<()> {
    vm.step()?;
    if count == 0 {
        made.push(taken.clone());
        return vm.check_size(made.len().saturating_mul(16 * (taken.len() + 2)));
    }
    for index in 0..items.len() {
        let mut others = items.to_vec();
        taken.push(others.remove(index));
        vm.deeper(|vm| permute(vm, &others, count - 1, taken, made))?;
        taken.pop();
    }
    Ok(())
}

impl Vm {
    /// The receiver of a method of `Array`.
    pub(super) fn array(&mut self, value: &Value) -> Outcome<Rc<Array>> {
        match value {
            Value::Array(array) => Ok(array.clone()),
            other => Err(self.no_conversion(other, "Array")),
        }
    }
}
