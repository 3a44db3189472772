//! `Enumerable`: parts of some size, or that a block or a pattern separates.

use crate::interpreter::code::Args;
use crate::interpreter::session::Row;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("chain", 0, -1, |vm, this, args| {
        let mut all = vm.items(this)?;
        for other in args.values {
            all.extend(vm.items(other)?);
        }
        Ok(vm.enumerator(&Value::array(all), "each", &[]))
    }),
    Row("each_slice", 1, 1, |vm, this, args| {
        let size = positive(vm, args.at(0), "invalid slice size")?;
        let slices: Vec<Value> = vm.items(this)?.chunks(size).map(|it| Value::array(it.to_vec())).collect();
        given(vm, this, args, "each_slice", slices)
    }),
    Row("each_cons", 1, 1, |vm, this, args| {
        let size = positive(vm, args.at(0), "invalid size")?;
        let slices: Vec<Value> = vm.items(this)?.windows(size).map(|it| Value::array(it.to_vec())).collect();
        given(vm, this, args, "each_cons", slices)
    }),
    Row("chunk_while", 0, 0, |vm, this, args| runs(vm, this, args, false)),
    Row("slice_when", 0, 0, |vm, this, args| runs(vm, this, args, true)),
    Row("slice_before", 0, -1, |vm, this, args| parts(vm, this, args, true)),
    Row("slice_after", 0, -1, |vm, this, args| parts(vm, this, args, false)),
    Row("chunk", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "chunk", &[])) };
        let mut chunks: Vec<(Value, Vec<Value>)> = Vec::new();
        for item in vm.items(this)? {
            let key = vm.give(block, item.clone())?;
            let is_between = key.is_nil() || matches!(&key, Value::Sym(name) if name.as_str() == "_separator");
            match chunks.last_mut() {
                _ if is_between => chunks.push((Value::Nil, Vec::new())),
                Some((last, items)) if vm.equals(last, &key)? => items.push(item),
                _ => chunks.push((key, vec![item])),
            }
        }
        chunks.retain(|(_, items)| !items.is_empty());
        let pairs = chunks.into_iter().map(|(key, items)| Value::pair(key, Value::array(items))).collect();
        Ok(vm.generated(pairs))
    }),
];

fn positive(vm: &mut Vm, value: &Value, message: &str) -> Outcome<usize> {
    match usize::try_from(vm.to_int(value)?) {
        Ok(size) if size > 0 => Ok(size),
        _ => Err(vm.argument_error(message)),
    }
}

fn given(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, parts: Vec<Value>) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, args.values)) };
    for part in parts {
        vm.give(block, part)?;
    }
    Ok(this.clone())
}

/// Runs of items: between which the block does not say yes, or as long as it does.
fn runs(vm: &mut Vm, this: &Value, args: Args<'_>, splits: bool) -> Outcome {
    let Some(block) = args.block else {
        return Err(vm.argument_error("tried to create Proc object without a block"));
    };
    let mut all: Vec<Vec<Value>> = Vec::new();
    for item in vm.items(this)? {
        let last = all.last().and_then(|run| run.last()).cloned();
        let begins = match last {
            None => true,
            Some(last) => vm.call_block(block, &[last, item.clone()])?.is_truthy() == splits,
        };
        match all.last_mut() {
            Some(run) if !begins => run.push(item),
            _ => all.push(vec![item]),
        }
    }
    Ok(vm.generated(all.into_iter().map(Value::array).collect()))
}

/// Parts that begin or end with the items that fit.
fn parts(vm: &mut Vm, this: &Value, args: Args<'_>, before: bool) -> Outcome {
    match (args.len(), args.block) {
        (1, Some(_)) if !before => return Err(vm.argument_error("both pattern and block are given")),
        (0, Some(_)) | (1, None) => {}
        (given, Some(_)) => return Err(vm.wrong_count(given, 0, Some(0))),
        (given, None) => return Err(vm.wrong_count(given, 1, Some(1))),
    }
    let mut all: Vec<Vec<Value>> = Vec::new();
    let mut begins = true;
    for item in vm.items(this)? {
        let fits = vm.fits(&item, args)?;
        match all.last_mut() {
            Some(part) if !(begins || before && fits) => part.push(item),
            _ => all.push(vec![item]),
        }
        begins = !before && fits;
    }
    Ok(vm.generated(all.into_iter().map(Value::array).collect()))
}
