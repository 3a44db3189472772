//! `Enumerable`: what follows from `each`. Arrays, hashes, ranges and structs have all of it too.

use std::rc::Rc;

use crate::interpreter::code::{Args, Proc, ProcKind};
use crate::interpreter::hash::Entries;
use crate::interpreter::iterate::packed;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("to_a", 0, -1, |vm, this, _| Ok(Value::array(vm.items(this)?))),
    Row("entries", 0, -1, |vm, this, _| Ok(Value::array(vm.items(this)?))),
    Row("map", 0, 0, |vm, this, args| map(vm, this, args, "map")),
    Row("collect", 0, 0, |vm, this, args| map(vm, this, args, "collect")),
    Row("flat_map", 0, 0, flat_map),
    Row("collect_concat", 0, 0, flat_map),
    Row("select", 0, 0, |vm, this, args| filter(vm, this, args, "select", true)),
    Row("filter", 0, 0, |vm, this, args| filter(vm, this, args, "filter", true)),
    Row("reject", 0, 0, |vm, this, args| filter(vm, this, args, "reject", false)),
    Row("filter_map", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "filter_map", &[])) };
        let mut made = Vec::new();
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            let value = vm.give(block, item)?;
            if value.is_truthy() {
                made.push(value);
            }
        }
        Ok(Value::array(made))
    }),
    Row("find", 0, 1, |vm, this, args| find(vm, this, args, "find")),
    Row("detect", 0, 1, |vm, this, args| find(vm, this, args, "detect")),
    Row("find_all", 0, 0, |vm, this, args| filter(vm, this, args, "find_all", true)),
    Row("find_index", 0, 1, find_index),
    Row("each_with_index", 0, -1, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_with_index", args.values)) };
        let mut items = vm.iterate(this)?;
        let mut index = 0;
        while let Some(item) = items.next() {
            vm.call_block(block, &[item, Value::Int(index)])?;
            index += 1;
        }
        Ok(this.clone())
    }),
    Row("each_with_object", 1, 1, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_with_object", args.values)) };
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            vm.call_block(block, &[item, args.at(0).clone()])?;
        }
        Ok(args.at(0).clone())
    }),
    Row("each_entry", 0, -1, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_entry", args.values)) };
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
    Row("inject", 0, 2, inject),
    Row("reduce", 0, 2, inject),
    Row("sum", 0, 1, sum),
    Row("count", 0, 1, |vm, this, args| {
        let mut count = 0;
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            let counts = match (args.values.first(), args.block) {
                (Some(wanted), _) => vm.equals(&item, wanted)?,
                (None, Some(block)) => vm.give(block, item)?.is_truthy(),
                (None, None) => true,
            };
            count += i64::from(counts);
        }
        Ok(Value::Int(count))
    }),
    Row("first", 0, 1, |vm, this, args| match args.values.first() {
        None => Ok(vm.first_items(this, 1)?.into_iter().next().into()),
        Some(count) => {
            let count = vm.size_argument(count, "attempt to take negative size")?;
            Ok(Value::array(vm.first_items(this, count)?))
        }
    }),
    Row("take", 1, 1, |vm, this, args| {
        let count = vm.size_argument(args.at(0), "attempt to take negative size")?;
        Ok(Value::array(vm.first_items(this, count)?))
    }),
    Row("drop", 1, 1, |vm, this, args| {
        let count = vm.size_argument(args.at(0), "attempt to drop negative size")?;
        Ok(Value::array(vm.items(this)?.into_iter().skip(count).collect()))
    }),
    Row("take_while", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "take_while", &[])) };
        let given = block.clone();
        let (mut taken, ended) =
            vm.items_until(this, Rc::new(move |vm, item| Ok(!vm.give(&given, item)?.is_truthy())))?;
        if ended {
            taken.pop();
        }
        Ok(Value::array(taken))
    }),
    Row("drop_while", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "drop_while", &[])) };
        let mut left = Vec::new();
        let mut is_dropping = true;
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            is_dropping = is_dropping && vm.give(block, item.clone())?.is_truthy();
            if !is_dropping {
                left.push(item);
            }
        }
        Ok(Value::array(left))
    }),
    Row("include?", 1, 1, includes),
    Row("member?", 1, 1, includes),
    Row("all?", 0, 1, |vm, this, args| Ok(Value::Bool(vm.first_that(this, args, false)?.is_none()))),
    Row("any?", 0, 1, |vm, this, args| Ok(Value::Bool(vm.first_that(this, args, true)?.is_some()))),
    Row("none?", 0, 1, |vm, this, args| Ok(Value::Bool(vm.first_that(this, args, true)?.is_none()))),
    Row("one?", 0, 1, |vm, this, args| {
        let mut count = 0;
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            count += u32::from(vm.fits(&item, args)?);
            if count > 1 {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(count == 1))
    }),
    Row("group_by", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "group_by", &[])) };
        let mut groups: indexmap::IndexMap<_, Vec<Value>, rustc_hash::FxBuildHasher> = indexmap::IndexMap::default();
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            let key = vm.give(block, item.clone())?;
            let key = vm.key_to_add(&key)?;
            groups.entry(key).or_default().push(item);
        }
        Ok(Value::hash(groups.into_iter().map(|(key, items)| (key, Value::array(items))).collect()))
    }),
    Row("partition", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "partition", &[])) };
        let (mut wanted, mut others) = (Vec::new(), Vec::new());
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            let side = if vm.give(block, item.clone())?.is_truthy() { &mut wanted } else { &mut others };
            side.push(item);
        }
        Ok(Value::pair(Value::array(wanted), Value::array(others)))
    }),
    Row("tally", 0, 1, |vm, this, args| {
        let mut counts = match args.values.first() {
            Some(known) => vm.to_hash(known)?.entries.borrow().clone(),
            None => Entries::default(),
        };
        let mut items = vm.iterate(this)?;
        while let Some(item) = items.next() {
            let key = vm.key_to_add(&item)?;
            let count = counts.entry(key).or_insert(Value::Int(0));
            if let Value::Int(number) = count {
                *number += 1;
            }
        }
        Ok(Value::hash(counts))
    }),
    Row("uniq", 0, 0, |vm, this, args| {
        let items = vm.items(this)?;
        Ok(Value::array(unique(vm, items, args)?))
    }),
    Row("to_h", 0, -1, |vm, this, args| {
        let mut entries = Entries::default();
        let mut items = vm.iterate(this)?;
        let mut index = 0;
        while let Some(item) = items.next() {
            let pair = match args.block {
                Some(block) => vm.give(block, item)?,
                None => item,
            };
            let Value::Array(pair) = &pair else {
                let class = vm.class_name(&pair);
                let is_plain = matches!(this, Value::Array(_));
                let place = if is_plain { format!(" at {index}") } else { String::new() };
                return Err(vm.type_error(&format!("wrong element type {class}{place} (expected array)")));
            };
            let pair = pair.items.borrow().clone();
            let [key, value] = &*pair else {
                let is_plain = matches!(this, Value::Array(_));
                let of = match is_plain {
                    true => format!("wrong array length at {index}"),
                    false => "element has wrong array length".to_string(),
                };
                let length = pair.len();
                return Err(vm.argument_error(&format!("{of} (expected 2, was {length})")));
            };
            let key = vm.key_to_add(key)?;
            entries.insert(key, value.clone());
            index += 1;
        }
        Ok(Value::hash(entries))
    }),
    Row("zip", 0, -1, |vm, this, args| {
        let items = vm.items(this)?;
        let mut others = Vec::new();
        for other in args.values {
            others.push(match other {
                Value::Array(_) | Value::Range(_) | Value::Object(_) | Value::Hash(_) => {
                    vm.first_items(other, items.len())?
                }
                _ => {
                    let class = vm.class_name(other);
                    return Err(vm.type_error(&format!("wrong argument type {class} (must respond to :each)")));
                }
            });
        }
        let rows = items.into_iter().enumerate().map(|(index, item)| {
            let mut row = vec![item];
            row.extend(others.iter().map(|other| other.get(index).cloned().into()));
            Value::array(row)
        });
        let rows: Vec<Value> = rows.collect();
        match args.block {
            None => Ok(Value::array(rows)),
            Some(block) => {
                for row in rows {
                    vm.give(block, row)?;
                }
                Ok(Value::Nil)
            }
        }
    }),
    Row("cycle", 0, 1, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "cycle", args.values)) };
        let items = vm.items(this)?;
        let mut left = match args.values.first() {
            None | Some(Value::Nil) => i64::MAX,
            Some(count) => vm.to_int(count)?,
        };
        while left > 0 && !items.is_empty() {
            for item in &items {
                vm.give(block, item.clone())?;
            }
            left -= 1;
        }
        Ok(Value::Nil)
    }),
    Row("compact", 0, 0, |vm, this, _| {
        Ok(Value::array(vm.items(this)?.into_iter().filter(|it| !it.is_nil()).collect()))
    }),
    Row("grep", 1, 1, |vm, this, args| grep(vm, this, args, true)),
    Row("grep_v", 1, 1, |vm, this, args| grep(vm, this, args, false)),
    Row("lazy", 0, 0, |vm, this, _| vm.make_lazy(this)),
];

fn map(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, &[])) };
    let mut made = Vec::new();
    let mut items = vm.iterate(this)?;
    // What is no array gives the parts of its items even to a lambda.
    let unpacks = block.is_lambda
        && matches!(block.kind, ProcKind::Code { .. })
        && !matches!(this, Value::Array(_))
        && block.arity() != 1;
    while let Some(item) = items.next() {
        made.push(match &item {
            Value::Array(parts) if unpacks => {
                let parts = parts.items.borrow().clone();
                vm.call_block(block, &parts)?
            }
            _ => vm.give(block, item)?,
        });
        vm.check_size(made.len().saturating_mul(16))?;
    }
    Ok(Value::array(made))
}

fn flat_map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, "flat_map", &[])) };
    let mut made = Vec::new();
    let mut items = vm.iterate(this)?;
    while let Some(item) = items.next() {
        match vm.give(block, item)? {
            Value::Array(array) => made.extend_from_slice(&array.items.borrow()),
            other => made.push(other),
        }
        vm.check_size(made.len().saturating_mul(16))?;
    }
    Ok(Value::array(made))
}

fn filter(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, wanted: bool) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, &[])) };
    let mut made = Vec::new();
    let mut items = vm.iterate(this)?;
    while let Some(item) = items.next() {
        if vm.give(block, item.clone())?.is_truthy() == wanted {
            made.push(item);
        }
    }
    Ok(Value::array(made))
}

fn find(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, args.values)) };
    match vm.first_that(this, Args::with_block(&[], Some(block)), true)? {
        Some((_, item)) => Ok(item),
        None if !args.at(0).is_nil() => vm.send(args.at(0), sym::CALL, &[]),
        None => Ok(Value::Nil),
    }
}

fn find_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    if let Some(wanted) = args.values.first() {
        for (index, item) in vm.items(this)?.iter().enumerate() {
            if vm.equals(item, wanted)? {
                return Ok(Value::int(index));
            }
        }
        return Ok(Value::Nil);
    }
    if args.block.is_none() {
        return Ok(vm.enumerator(this, "find_index", &[]));
    }
    Ok(vm.first_that(this, args, true)?.map_or(Value::Nil, |(index, _)| Value::int(index)))
}

fn inject(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (mut total, operator) = match (args.values, args.block) {
        ([first, operator], _) => (Some(first.clone()), Some(vm.name(operator)?)),
        ([operator], None) => (None, Some(vm.name(operator)?)),
        ([first], Some(_)) => (Some(first.clone()), None),
        (_, Some(_)) => (None, None),
        (_, None) => {
            // That no block is there is noticed with the second item.
            let items = vm.items(this)?;
            return match items.len() {
                0 | 1 => Ok(items.into_iter().next().into()),
                _ => Err(vm.error("LocalJumpError", "no block given")),
            };
        }
    };
    let mut items = vm.iterate(this)?;
    while let Some(item) = items.next() {
        total = Some(match (total, operator, args.block) {
            (None, ..) => item,
            (Some(total), Some(operator), _) => vm.send(&total, operator, &[item])?,
            (Some(total), None, Some(block)) => vm.call_block(block, &[total, item])?,
            (Some(total), None, None) => total,
        });
    }
    Ok(total.into())
}

fn sum(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let mut total = args.values.first().cloned().unwrap_or(Value::Int(0));
    // Floats are added as Kahan and Babuska did: the errors are kept apart.
    let mut error = 0.0;
    let mut items = vm.iterate(this)?;
    while let Some(item) = items.next() {
        let item = match args.block {
            Some(block) => vm.give(block, item)?,
            None => item,
        };
        total = match (&total, &item) {
            (Value::Float(a), Value::Int(_) | Value::Big(_) | Value::Float(_)) => {
                let b = crate::interpreter::order::float_of(&item);
                let next = a + b;
                if next.is_finite() {
                    error += if a.abs() >= b.abs() { (a - next) + b } else { (b - next) + a };
                }
                Value::Float(next)
            }
            (Value::Int(_) | Value::Big(_), Value::Float(b)) => {
                let a = crate::interpreter::order::float_of(&total);
                let next = a + b;
                if next.is_finite() {
                    error += if a.abs() >= b.abs() { (a - next) + b } else { (b - next) + a };
                }
                Value::Float(next)
            }
            _ => vm.send(&total, sym::PLUS, &[item])?,
        };
    }
    Ok(match total {
        Value::Float(number) => Value::Float(number + error),
        other => other,
    })
}

fn includes(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let mut items = vm.iterate(this)?;
    while let Some(item) = items.next() {
        if vm.equals(&item, args.at(0))? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// The items without those that are there already, or whose value by the block is.
pub(super) fn unique(vm: &mut Vm, items: Vec<Value>, args: Args<'_>) -> Outcome<Vec<Value>> {
    let mut seen = Entries::default();
    let mut made = Vec::new();
    for item in items {
        let key = match args.block {
            Some(block) => vm.give(block, item.clone())?,
            None => item.clone(),
        };
        let key = vm.key(&key)?;
        if seen.insert(key, Value::Nil).is_none() {
            made.push(item);
        }
    }
    Ok(made)
}

fn grep(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: bool) -> Outcome {
    let mut made = Vec::new();
    for item in vm.items(this)? {
        if vm.threequals(args.at(0), &item, args.block)? == wanted {
            made.push(match args.block {
                Some(block) => vm.give(block, item)?,
                None => item,
            });
        }
    }
    Ok(Value::array(made))
}

/// `dig` of arrays, hashes and structs.
pub(super) fn dig(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let found = vm.send(this, sym::AT, args.values.get(..1).unwrap_or_default())?;
    let others = args.values.get(1..).unwrap_or_default();
    if others.is_empty() || found.is_nil() {
        return Ok(found);
    }
    let name = Sym::new("dig");
    if !vm.responds_to(&found, name) {
        let class = vm.class_name(&found);
        return Err(vm.type_error(&format!("{class} does not have #dig method")));
    }
    vm.deeper(|vm| vm.send(&found, name, others))
}

/// Whether the items end here.
type Ends = Rc<dyn Fn(&mut Vm, Value) -> Outcome<bool>>;

impl Vm {
    /// The items up to one that ends them, and whether there was one. What has no end otherwise may have one this way.
    pub(crate) fn items_until(&mut self, value: &Value, ends: Ends) -> Outcome<(Vec<Value>, bool)> {
        if !matches!(value, Value::Object(_)) {
            let mut taken = Vec::new();
            let mut items = self.iterate(value)?;
            while let Some(item) = items.next() {
                taken.push(item.clone());
                if ends(self, item)? {
                    return Ok((taken, true));
                }
            }
            return Ok((taken, false));
        }
        let taken: Rc<std::cell::RefCell<Vec<Value>>> = Rc::default();
        let (into, tag) = (taken.clone(), self.next_serial());
        let block = Proc::native(-1, move |vm, values| {
            let item = packed(values);
            into.borrow_mut().push(item.clone());
            if ends(vm, item)? { Err(Box::new(Stop::Break(tag, Value::Nil))) } else { Ok(Value::Nil) }
        });
        match self.send_with(value, sym::EACH, Args::with_block(&[], Some(&block)), true).map_err(|stop| *stop) {
            Ok(_) => Ok((taken.take(), false)),
            Err(Stop::Break(ended, _)) if ended == tag => Ok((taken.take(), true)),
            Err(stop) => Err(Box::new(stop)),
        }
    }

    /// The first items; no more are asked for.
    pub(crate) fn first_items(&mut self, value: &Value, count: usize) -> Outcome<Vec<Value>> {
        let is_endless =
            matches!(value, Value::Range(range) if range.end.is_nil() && matches!(range.start, Value::Str(_)));
        if is_endless || matches!(value, Value::Object(_)) {
            return Ok(self.collected_up_to(value, sym::EACH, &[], count)?.0);
        }
        let mut items = self.iterate(value)?;
        let mut taken = Vec::new();
        while taken.len() < count
            && let Some(item) = items.next()
        {
            taken.push(item);
            self.check_size(taken.len().saturating_mul(16))?;
        }
        Ok(taken)
    }

    pub(crate) fn size_argument(&mut self, value: &Value, message: &str) -> Outcome<usize> {
        match usize::try_from(self.to_int(value)?) {
            Ok(count) => Ok(count),
            Err(_) => Err(self.argument_error(message)),
        }
    }

    /// Whether an item fits the pattern or the block of `all?` and its like.
    pub(super) fn fits(&mut self, item: &Value, args: Args<'_>) -> Outcome<bool> {
        match (args.values.first(), args.block) {
            (Some(pattern), _) => self.threequals(pattern, item, None),
            (None, Some(block)) => Ok(self.give(block, item.clone())?.is_truthy()),
            (None, None) => Ok(item.is_truthy()),
        }
    }

    /// The first item that fits or does not, and its number.
    fn first_that(&mut self, this: &Value, args: Args<'_>, wanted: bool) -> Outcome<Option<(usize, Value)>> {
        let (pattern, block) = (args.values.first().cloned(), args.block.cloned());
        let (taken, ended) = self.items_until(
            this,
            Rc::new(move |vm, item| {
                let values = pattern.as_slice();
                Ok(vm.fits(&item, Args::with_block(values, block.as_ref()))? == wanted)
            }),
        )?;
        let index = taken.len().saturating_sub(1);
        Ok(taken.into_iter().next_back().filter(|_| ended).map(|item| (index, item)))
    }

    /// `pattern === value`; a match is shown to the block.
    pub(crate) fn threequals(&mut self, pattern: &Value, value: &Value, block: Option<&Rc<Proc>>) -> Outcome<bool> {
        let answer = self.send(pattern, sym::CASE_EQUAL, std::slice::from_ref(value))?.is_truthy();
        if let Some(block) = block
            && let Some(found) = self.left_match()
        {
            self.show_match(block, found);
        }
        Ok(answer)
    }
}
