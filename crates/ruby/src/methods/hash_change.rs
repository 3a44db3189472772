//! What changes a hash.

use std::rc::Rc;

use crate::interpreter::code::Args;
use crate::interpreter::hash::Entries;
use crate::interpreter::session::Row;
use crate::interpreter::value::{Hash, Missing, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("[]=", 2, 2, store),
    Row("store", 2, 2, store),
    Row("delete", 1, 1, |vm, this, args| {
        let hash = vm.changing_hash(this)?;
        let key = vm.key_in(&hash, args.at(0))?;
        let removed = hash.entries.borrow_mut().shift_remove(&key);
        match (removed, args.block) {
            (Some(value), _) => Ok(value),
            (None, Some(block)) => vm.give(block, args.at(0).clone()),
            (None, None) => Ok(Value::Nil),
        }
    }),
    Row("delete_if", 0, 0, |vm, this, args| keep(vm, this, args, "delete_if", false, true)),
    Row("reject!", 0, 0, |vm, this, args| keep(vm, this, args, "reject!", false, false)),
    Row("select!", 0, 0, |vm, this, args| keep(vm, this, args, "select!", true, false)),
    Row("filter!", 0, 0, |vm, this, args| keep(vm, this, args, "filter!", true, false)),
    Row("keep_if", 0, 0, |vm, this, args| keep(vm, this, args, "keep_if", true, true)),
    Row("shift", 0, 0, |vm, this, _| {
        let hash = vm.changing_hash(this)?;
        let first = hash.entries.borrow_mut().shift_remove_index(0);
        Ok(first.map(|(key, value)| Value::pair(key.value, value)).into())
    }),
    Row("clear", 0, 0, |vm, this, _| {
        vm.changing_hash(this)?.entries.borrow_mut().clear();
        Ok(this.clone())
    }),
    Row("replace", 1, 1, |vm, this, args| {
        let (hash, other) = (vm.changing_hash(this)?, vm.to_hash(args.at(0))?);
        let entries = other.entries.borrow().clone();
        *hash.entries.borrow_mut() = entries;
        Ok(this.clone())
    }),
    Row("merge!", 0, -1, merge),
    Row("update", 0, -1, merge),
    Row("compact!", 0, 0, |vm, this, _| {
        let hash = vm.changing_hash(this)?;
        let size = hash.entries.borrow().len();
        hash.entries.borrow_mut().retain(|_, value| !value.is_nil());
        let is_same = hash.entries.borrow().len() == size;
        Ok(if is_same { Value::Nil } else { this.clone() })
    }),
    Row("transform_values!", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "transform_values!", &[])) };
        let hash = vm.changing_hash(this)?;
        let entries = hash.entries.borrow().clone();
        for (key, value) in entries {
            let value = vm.give(block, value)?;
            hash.entries.borrow_mut().insert(key, value);
        }
        Ok(this.clone())
    }),
    Row("transform_keys!", 0, 1, |vm, this, args| {
        let hash = vm.changing_hash(this)?;
        let entries = super::hash::transformed_keys(vm, this, args)?;
        *hash.entries.borrow_mut() = entries;
        Ok(this.clone())
    }),
    Row("default=", 1, 1, |vm, this, args| {
        *vm.changing_hash(this)?.missing.borrow_mut() = Missing::Value(args.at(0).clone());
        Ok(args.at(0).clone())
    }),
    Row("default_proc=", 1, 1, |vm, this, args| {
        let missing = match args.at(0) {
            Value::Nil => Missing::Nil,
            Value::Proc(block) => Missing::Proc(block.clone()),
            other => {
                let class = vm.class_name(other);
                return Err(vm.type_error(&format!("wrong default_proc type {class} (expected Proc)")));
            }
        };
        *vm.changing_hash(this)?.missing.borrow_mut() = missing;
        Ok(args.at(0).clone())
    }),
    Row("rehash", 0, 0, |vm, this, _| {
        let hash = vm.changing_hash(this)?;
        let entries: Vec<_> =
            hash.entries.borrow().iter().map(|(key, value)| (key.value.clone(), value.clone())).collect();
        let mut made = Entries::default();
        for (key, value) in entries {
            made.insert(vm.key_in(&hash, &key)?, value);
        }
        *hash.entries.borrow_mut() = made;
        Ok(this.clone())
    }),
];

fn store(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let hash = vm.changing_hash(this)?;
    let key = match hash.by_identity.get() {
        true => vm.key_in(&hash, args.at(0))?,
        false => vm.key_to_add(args.at(0))?,
    };
    if hash.iterating.get() > 0 && !hash.entries.borrow().contains_key(&key) {
        return Err(vm.error("RuntimeError", "can't add a new key into hash during iteration"));
    }
    hash.entries.borrow_mut().insert(key, args.at(1).clone());
    let size = hash.entries.borrow().len();
    vm.check_size(size.saturating_mul(48))?;
    Ok(args.at(1).clone())
}

fn keep(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, wanted: bool, always: bool) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, &[])) };
    let hash = vm.changing_hash(this)?;
    let size = hash.entries.borrow().len();
    vm.going_over(this, |vm, key, value| {
        if vm.call_block(block, &[key.clone(), value])?.is_truthy() != wanted {
            let key = vm.key_in(&hash, &key)?;
            hash.entries.borrow_mut().shift_remove(&key);
        }
        Ok(())
    })?;
    let is_same = hash.entries.borrow().len() == size;
    Ok(if is_same && !always { Value::Nil } else { this.clone() })
}

/// `merge!`: the block decides where both have a key.
pub(super) fn merge(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let hash = vm.changing_hash(this)?;
    for other in args.values {
        let entries = vm.to_hash(other)?.entries.borrow().clone();
        for (key, value) in entries {
            let present = hash.entries.borrow().get(&key).cloned();
            let value = match (present, args.block) {
                (Some(present), Some(block)) => vm.call_block(block, &[key.value.clone(), present, value])?,
                _ => value,
            };
            hash.entries.borrow_mut().insert(key, value);
        }
    }
    let size = hash.entries.borrow().len();
    vm.check_size(size.saturating_mul(48))?;
    Ok(this.clone())
}

impl Vm {
    /// A hash that is about to change.
    fn changing_hash(&mut self, value: &Value) -> Outcome<Rc<Hash>> {
        self.check_frozen(value)?;
        self.hash(value)
    }
}
