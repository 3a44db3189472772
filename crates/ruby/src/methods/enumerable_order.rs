//! `Enumerable`: sorting, least and most.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::interpreter::code::{Args, Proc};
use crate::interpreter::session::Row;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("sort", 0, 0, |vm, this, args| {
        let mut items = vm.items(this)?;
        sort(vm, &mut items, args)?;
        Ok(Value::array(items))
    }),
    Row("sort_by", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "sort_by", &[])) };
        let items = vm.items(this)?;
        Ok(Value::array(sorted_by(vm, items, block)?))
    }),
    Row("min", 0, 1, |vm, this, args| extreme(vm, this, args, false)),
    Row("max", 0, 1, |vm, this, args| extreme(vm, this, args, true)),
    Row("min_by", 0, 1, |vm, this, args| extreme_by(vm, this, args, "min_by", false)),
    Row("max_by", 0, 1, |vm, this, args| extreme_by(vm, this, args, "max_by", true)),
    Row("minmax", 0, 0, |vm, this, args| {
        let (least, most) = (extreme(vm, this, args, false)?, extreme(vm, this, args, true)?);
        Ok(Value::pair(least, most))
    }),
    Row("minmax_by", 0, 0, |vm, this, args| {
        if args.block.is_none() {
            return Ok(vm.enumerator(this, "minmax_by", &[]));
        }
        let least = extreme_by(vm, this, args, "minmax_by", false)?;
        let most = extreme_by(vm, this, args, "minmax_by", true)?;
        Ok(Value::pair(least, most))
    }),
];

/// Sorts by `<=>`, or by what the block says.
pub(super) fn sort(vm: &mut Vm, items: &mut [Value], args: Args<'_>) -> Outcome<()> {
    match args.block {
        None => vm.sort_by_order(items, |vm, a, b| vm.ordered(a, b)),
        Some(block) => vm.sort_by_order(items, |vm, a, b| {
            let answer = vm.call_block(block, &[a.clone(), b.clone()])?;
            vm.order_from(&answer, a, b)
        }),
    }
}

/// Sorted by what the block says of each item.
pub(super) fn sorted_by(vm: &mut Vm, items: Vec<Value>, block: &Rc<Proc>) -> Outcome<Vec<Value>> {
    let mut pairs = Vec::with_capacity(items.len());
    for item in items {
        let key = vm.give(block, item.clone())?;
        pairs.push(Value::pair(key, item));
    }
    let side = |pair: &Value, index: usize| -> Value {
        match pair {
            Value::Array(pair) => pair.items.borrow().get(index).cloned().into(),
            _ => Value::Nil,
        }
    };
    vm.sort_by_order(&mut pairs, |vm, a, b| vm.ordered(&side(a, 0), &side(b, 0)))?;
    Ok(pairs.iter().map(|pair| side(pair, 1)).collect())
}

fn extreme(vm: &mut Vm, this: &Value, args: Args<'_>, most: bool) -> Outcome {
    let mut items = vm.items(this)?;
    if let Some(count) = args.values.first().filter(|it| !it.is_nil()) {
        let count = vm.size_argument(count, "negative size")?;
        if count == 0 {
            return Ok(Value::array(Vec::new()));
        }
        sort(vm, &mut items, args)?;
        if most {
            items.reverse();
        }
        items.truncate(count);
        return Ok(Value::array(items));
    }
    let mut found: Option<Value> = None;
    for item in items {
        let is_better = match &found {
            None => true,
            Some(best) => {
                let order = match args.block {
                    // Arrays ask the best one so far, all others the next one.
                    None if matches!(this, Value::Array(_)) => vm.ordered(best, &item)?.reverse(),
                    None => vm.ordered(&item, best)?,
                    Some(block) => {
                        let answer = vm.call_block(block, &[item.clone(), best.clone()])?;
                        vm.order_from(&answer, &item, best)?
                    }
                };
                order == if most { Ordering::Greater } else { Ordering::Less }
            }
        };
        if is_better {
            found = Some(item);
        }
    }
    Ok(found.into())
}

fn extreme_by(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, most: bool) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, args.values)) };
    let items = vm.items(this)?;
    if let Some(count) = args.values.first().filter(|it| !it.is_nil()) {
        let count = vm.size_argument(count, "negative size")?;
        let mut items = sorted_by(vm, items, block)?;
        if most {
            items.reverse();
        }
        items.truncate(count);
        return Ok(Value::array(items));
    }
    let mut found: Option<(Value, Value)> = None;
    for item in items {
        let key = vm.give(block, item.clone())?;
        let is_better = match &found {
            None => true,
            Some((best, _)) => {
                vm.ordered(best, &key)?.reverse() == if most { Ordering::Greater } else { Ordering::Less }
            }
        };
        if is_better {
            found = Some((key, item));
        }
    }
    Ok(found.map(|(_, item)| item).into())
}
