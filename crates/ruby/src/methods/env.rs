//! `ENV`: the variables of the environment. Changes are seen by the code and by what it runs, not by this process.

use std::rc::Rc;

use indexmap::IndexMap;

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::hash::{Entries, Key};
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Object, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    let singleton = Class::new(None, Kind::Singleton, Some(core.object.clone()));
    singleton.includes.borrow_mut().push(core.enumerable.clone());
    core.add(&singleton, ROWS);
    let object = Value::Object(Rc::new(Object::new(singleton)));
    core.object.constants.borrow_mut().insert(Sym::new("ENV"), object);
}

impl Vm {
    /// The variables of the environment.
    pub(crate) fn variables(&mut self) -> Outcome<&mut IndexMap<String, String>> {
        if self.environment.is_none() {
            let world = self.outside("see the environment")?;
            self.environment = Some(world.variables().into_iter().collect());
        }
        Ok(self.environment.get_or_insert_default())
    }

    pub(crate) fn variable(&mut self, name: &str) -> Outcome<Option<String>> {
        Ok(self.variables()?.get(name).cloned())
    }

    fn variable_hash(&mut self) -> Outcome {
        let mut entries = Entries::default();
        for (name, value) in self.variables()?.iter() {
            entries.insert(Key::str(name), frozen(value));
        }
        Ok(Value::hash(entries))
    }
}

fn frozen(text: &str) -> Value {
    let value = Value::str(text);
    value.freeze();
    value
}

const ROWS: &[Row] = &[
    Row("[]", 1, 1, |vm, _, args| {
        let name = vm.text(args.at(0))?;
        Ok(vm.variable(&name)?.map_or(Value::Nil, |value| frozen(&value)))
    }),
    Row("[]=", 2, 2, set),
    Row("store", 2, 2, set),
    Row("fetch", 1, 2, |vm, this, args| {
        let name = vm.text(args.at(0))?;
        match (vm.variable(&name)?, args.block, args.get(1)) {
            (Some(value), ..) => Ok(frozen(&value)),
            (None, Some(block), _) => vm.give(block, args.at(0).clone()),
            (None, None, Some(default)) => Ok(default.clone()),
            (None, None, None) => Err(vm.key_error(this, args.at(0))),
        }
    }),
    Row("key?", 1, 1, has),
    Row("has_key?", 1, 1, has),
    Row("include?", 1, 1, has),
    Row("member?", 1, 1, has),
    Row("delete", 1, 1, |vm, _, args| {
        let name = vm.text(args.at(0))?;
        Ok(vm.variables()?.shift_remove(&name).map_or(Value::Nil, Value::from))
    }),
    Row("to_h", 0, 0, |vm, _, args| {
        let hash = vm.variable_hash()?;
        if args.block.is_some() { vm.send_with(&hash, Sym::new("to_h"), args, true) } else { Ok(hash) }
    }),
    Row("to_hash", 0, 0, |vm, _, _| vm.variable_hash()),
    Row("to_s", 0, 0, |_, _, _| Ok(Value::str("ENV"))),
    Row("inspect", 0, 0, |vm, _, _| {
        let hash = vm.variable_hash()?;
        Ok(Value::str(vm.inspect(&hash)?))
    }),
    Row("each", 0, 0, |vm, this, args| of_hash(vm, this, "each", args)),
    Row("each_pair", 0, 0, |vm, this, args| of_hash(vm, this, "each_pair", args)),
    Row("keys", 0, 0, |vm, this, args| of_hash(vm, this, "keys", args)),
    Row("values", 0, 0, |vm, this, args| of_hash(vm, this, "values", args)),
    Row("select", 0, 0, |vm, this, args| of_hash(vm, this, "select", args)),
    Row("filter", 0, 0, |vm, this, args| of_hash(vm, this, "select", args)),
    Row("reject", 0, 0, |vm, this, args| of_hash(vm, this, "reject", args)),
    Row("slice", 0, -1, |vm, this, args| of_hash(vm, this, "slice", args)),
    Row("size", 0, 0, |vm, this, args| of_hash(vm, this, "size", args)),
    Row("length", 0, 0, |vm, this, args| of_hash(vm, this, "size", args)),
    Row("empty?", 0, 0, |vm, this, args| of_hash(vm, this, "empty?", args)),
    Row("key", 1, 1, |vm, this, args| of_hash(vm, this, "key", args)),
    Row("value?", 1, 1, |vm, this, args| of_hash(vm, this, "value?", args)),
    Row("has_value?", 1, 1, |vm, this, args| of_hash(vm, this, "value?", args)),
    Row("assoc", 1, 1, |vm, this, args| of_hash(vm, this, "assoc", args)),
    Row("rassoc", 1, 1, |vm, this, args| of_hash(vm, this, "rassoc", args)),
    Row("invert", 0, 0, |vm, this, args| of_hash(vm, this, "invert", args)),
    Row("except", 0, -1, |vm, this, args| of_hash(vm, this, "except", args)),
    Row("each_key", 0, 0, |vm, this, args| of_hash(vm, this, "each_key", args)),
    Row("each_value", 0, 0, |vm, this, args| of_hash(vm, this, "each_value", args)),
    Row("delete_if", 0, 0, |vm, this, args| kept(vm, this, "delete_if", args)),
    Row("reject!", 0, 0, |vm, this, args| kept(vm, this, "reject!", args)),
    Row("keep_if", 0, 0, |vm, this, args| kept(vm, this, "keep_if", args)),
    Row("select!", 0, 0, |vm, this, args| kept(vm, this, "select!", args)),
    Row("filter!", 0, 0, |vm, this, args| kept(vm, this, "select!", args)),
    Row("shift", 0, 0, |vm, _, _| {
        let first = vm.variables()?.shift_remove_index(0);
        Ok(first.map_or(Value::Nil, |(name, value)| Value::pair(frozen(&name), frozen(&value))))
    }),
    Row("rehash", 0, 0, |_, _, _| Ok(Value::Nil)),
    Row("values_at", 0, -1, |vm, this, args| of_hash(vm, this, "values_at", args)),
    Row("update", 0, -1, merge),
    Row("merge!", 0, -1, merge),
    Row("replace", 1, 1, |vm, this, args| {
        vm.variables()?.clear();
        merge(vm, this, args)
    }),
    Row("clear", 0, 0, |vm, this, _| {
        vm.variables()?.clear();
        Ok(this.clone())
    }),
];

fn of_hash(vm: &mut Vm, _: &Value, name: &str, args: Args<'_>) -> Outcome {
    let hash = vm.variable_hash()?;
    vm.send_with(&hash, Sym::new(name), args, true)
}

/// Keeps what a method that changes a hash leaves of it.
fn kept(vm: &mut Vm, this: &Value, name: &str, args: Args<'_>) -> Outcome {
    let hash = vm.variable_hash()?;
    let answer = vm.send_with(&hash, Sym::new(name), args, true)?;
    if args.block.is_some() {
        vm.variables()?.clear();
        merge(vm, this, Args::of(std::slice::from_ref(&hash)))?;
    }
    Ok(if answer.is_same(&hash) { this.clone() } else { answer })
}

fn has(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let name = vm.text(args.at(0))?;
    Ok(Value::Bool(vm.variable(&name)?.is_some()))
}

fn set(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let name = vm.text(args.at(0))?;
    if args.at(1).is_nil() {
        vm.variables()?.shift_remove(&name);
        return Ok(Value::Nil);
    }
    let value = vm.text(args.at(1))?;
    vm.check_size(value.len())?;
    vm.variables()?.insert(name, value);
    Ok(args.at(1).clone())
}

fn merge(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    for given in args.values {
        let entries = vm.to_hash(given)?.entries.borrow().clone();
        for (key, value) in &entries {
            set(vm, this, Args::of(&[key.value.clone(), value.clone()]))?;
        }
    }
    Ok(this.clone())
}
