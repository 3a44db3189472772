//! `Hash`: reading. What changes a hash is in `hash_change`.

use std::rc::Rc;

use crate::interpreter::code::{Args, Proc};
use crate::interpreter::hash::{Entries, Key};
use crate::interpreter::session::Row;
use crate::interpreter::symbol::sym;
use crate::interpreter::value::{Hash, Missing, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const OWN: &[Row] = &[
    Row("[]", 0, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        let made = vm.allocate(&class)?;
        let entries = match args.values {
            [Value::Hash(other)] => other.entries.borrow().clone(),
            [list @ Value::Array(_)] => {
                let mut entries = Entries::default();
                for (index, item) in vm.items(list)?.into_iter().enumerate() {
                    let pair = match &item {
                        Value::Array(pair) => pair.items.borrow().clone(),
                        other => {
                            let class = vm.class_name(other);
                            return Err(
                                vm.argument_error(&format!("wrong element type {class} at {index} (expected array)"))
                            );
                        }
                    };
                    match &*pair {
                        [key] => entries.insert(vm.key_to_add(key)?, Value::Nil),
                        [key, value] => entries.insert(vm.key_to_add(key)?, value.clone()),
                        other => {
                            let message = format!("invalid number of elements ({} for 1..2)", other.len());
                            return Err(vm.argument_error(&message));
                        }
                    };
                }
                entries
            }
            values if values.len().is_multiple_of(2) => {
                let mut entries = Entries::default();
                for pair in values.chunks(2) {
                    if let [key, value] = pair {
                        entries.insert(vm.key_to_add(key)?, value.clone());
                    }
                }
                entries
            }
            _ => return Err(vm.argument_error("odd number of arguments for Hash")),
        };
        if let Value::Hash(hash) = &made {
            *hash.entries.borrow_mut() = entries;
        }
        Ok(made)
    }),
    Row("try_convert", 1, 1, |vm, _, args| match args.at(0) {
        hash @ Value::Hash(_) => Ok(hash.clone()),
        other if vm.responds_to(other, sym::TO_HASH) => vm.send(other, sym::TO_HASH, &[]),
        _ => Ok(Value::Nil),
    }),
];

pub(super) const ROWS: &[Row] = &[
    Row("initialize", 0, 1, |vm, this, args| {
        let hash = vm.hash(this)?;
        if args.block.is_some() && !args.values.is_empty() {
            return Err(vm.wrong_count(1, 0, Some(0)));
        }
        *hash.missing.borrow_mut() = match (args.values.first(), args.block) {
            (_, Some(block)) => Missing::Proc(block.clone()),
            (Some(value), None) => Missing::Value(value.clone()),
            (None, None) => Missing::Nil,
        };
        Ok(Value::Nil)
    }),
    Row("[]", 1, 1, |vm, this, args| {
        let hash = vm.hash(this)?;
        let key = vm.key_in(&hash, args.at(0))?;
        let found = hash.entries.borrow().get(&key).cloned();
        match found {
            Some(value) => Ok(value),
            None => vm.missing_value(this, &hash, args.at(0)),
        }
    }),
    Row("fetch", 1, 2, |vm, this, args| {
        let hash = vm.hash(this)?;
        let key = vm.key_in(&hash, args.at(0))?;
        let found = hash.entries.borrow().get(&key).cloned();
        match (found, args.block, args.get(1)) {
            (Some(value), ..) => Ok(value),
            (None, Some(block), _) => vm.give(block, args.at(0).clone()),
            (None, None, Some(value)) => Ok(value.clone()),
            (None, None, None) => Err(vm.key_error(this, args.at(0))),
        }
    }),
    Row("dig", 1, -1, super::enumerable::dig),
    Row("key?", 1, 1, has_key),
    Row("has_key?", 1, 1, has_key),
    Row("include?", 1, 1, has_key),
    Row("member?", 1, 1, has_key),
    Row("value?", 1, 1, |vm, this, args| Ok(Value::Bool(key_of(vm, this, args.at(0))?.is_some()))),
    Row("has_value?", 1, 1, |vm, this, args| Ok(Value::Bool(key_of(vm, this, args.at(0))?.is_some()))),
    Row("key", 1, 1, |vm, this, args| Ok(key_of(vm, this, args.at(0))?.into())),
    Row("keys", 0, 0, |vm, this, _| {
        Ok(Value::array(vm.hash(this)?.entries.borrow().keys().map(|key| key.value.clone()).collect()))
    }),
    Row("values", 0, 0, |vm, this, _| Ok(Value::array(vm.hash(this)?.entries.borrow().values().cloned().collect()))),
    Row("values_at", 0, -1, |vm, this, args| {
        let mut made = Vec::new();
        for key in args.values {
            made.push(vm.send(this, sym::AT, std::slice::from_ref(key))?);
        }
        Ok(Value::array(made))
    }),
    Row("fetch_values", 0, -1, |vm, this, args| {
        let mut made = Vec::new();
        let hash = vm.hash(this)?;
        for wanted in args.values {
            let key = vm.key(wanted)?;
            let found = hash.entries.borrow().get(&key).cloned();
            made.push(match (found, args.block) {
                (Some(value), _) => value,
                (None, Some(block)) => vm.give(block, wanted.clone())?,
                (None, None) => return Err(vm.key_error(this, wanted)),
            });
        }
        Ok(Value::array(made))
    }),
    Row("length", 0, 0, |vm, this, _| Ok(Value::int(vm.hash(this)?.entries.borrow().len()))),
    Row("size", 0, 0, |vm, this, _| Ok(Value::int(vm.hash(this)?.entries.borrow().len()))),
    Row("count", 0, 1, |vm, this, args| {
        let hash = vm.hash(this)?;
        if args.block.is_none() && args.values.is_empty() {
            return Ok(Value::int(hash.entries.borrow().len()));
        }
        let mut count = 0;
        for (key, value) in hash.pairs() {
            let counts = match (args.values.first(), args.block) {
                (Some(wanted), _) => vm.equals(&Value::pair(key, value), wanted)?,
                (None, Some(block)) => vm.give(block, Value::pair(key, value))?.is_truthy(),
                (None, None) => true,
            };
            count += i64::from(counts);
        }
        Ok(Value::Int(count))
    }),
    Row("empty?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.hash(this)?.entries.borrow().is_empty()))),
    Row("each", 0, 0, |vm, this, args| each(vm, this, args, "each")),
    Row("each_pair", 0, 0, |vm, this, args| each(vm, this, args, "each_pair")),
    Row("each_key", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_key", &[])) };
        vm.going_over(this, |vm, key, _| vm.give(block, key).map(|_| ()))
    }),
    Row("each_value", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_value", &[])) };
        vm.going_over(this, |vm, _, value| vm.give(block, value).map(|_| ()))
    }),
    Row("to_h", 0, 0, |vm, this, args| match args.block {
        None => Ok(this.clone()),
        Some(block) => {
            let mut entries = Entries::default();
            for (key, value) in vm.hash(this)?.pairs() {
                let pair = vm.call_block(block, &[key, value])?;
                let Value::Array(items) = &pair else {
                    let class = vm.described(&pair);
                    return Err(vm.type_error(&format!("wrong element type {class} (expected array)")));
                };
                let items = items.items.borrow().clone();
                let [key, value] = &*items else {
                    let message = format!("element has wrong array length (expected 2, was {})", items.len());
                    return Err(vm.argument_error(&message));
                };
                entries.insert(vm.key_to_add(key)?, value.clone());
            }
            Ok(Value::hash(entries))
        }
    }),
    Row("to_hash", 0, 0, |_, this, _| Ok(this.clone())),
    Row("entries", 0, 0, |vm, this, _| Ok(Value::array(vm.items(this)?))),
    Row("to_a", 0, 0, |vm, this, _| Ok(Value::array(vm.items(this)?))),
    Row("to_s", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("to_proc", 0, 0, |_, this, _| {
        let this = this.clone();
        let work = move |vm: &mut Vm, values: &[Value]| match values {
            [key] => vm.send(&this, sym::AT, std::slice::from_ref(key)),
            _ => Err(vm.wrong_count(values.len(), 1, Some(1))),
        };
        Ok(Value::Proc(super::proc::as_lambda(&Proc::native(1, work))))
    }),
    Row("hash", 0, 0, super::object::hash_number),
    Row("==", 1, 1, |vm, this, args| Ok(Value::Bool(vm.equals(this, args.at(0))?))),
    Row("<=", 1, 1, |vm, this, args| contains(vm, args.at(0), this, false)),
    Row("<", 1, 1, |vm, this, args| contains(vm, args.at(0), this, true)),
    Row(">=", 1, 1, |vm, this, args| contains(vm, this, args.at(0), false)),
    Row(">", 1, 1, |vm, this, args| contains(vm, this, args.at(0), true)),
    Row("select", 0, 0, |vm, this, args| filter(vm, this, args, "select", true)),
    Row("filter", 0, 0, |vm, this, args| filter(vm, this, args, "filter", true)),
    Row("reject", 0, 0, |vm, this, args| filter(vm, this, args, "reject", false)),
    Row("partition", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "partition", &[])) };
        let (mut wanted, mut others) = (Vec::new(), Vec::new());
        for (key, value) in vm.hash(this)?.pairs() {
            let pair = Value::pair(key, value);
            let fits = vm.give(block, pair.clone())?.is_truthy();
            if fits { &mut wanted } else { &mut others }.push(pair);
        }
        Ok(Value::pair(Value::array(wanted), Value::array(others)))
    }),
    Row("any?", 0, 1, |vm, this, args| {
        let hash = vm.hash(this)?;
        if args.block.is_none() && args.values.is_empty() {
            return Ok(Value::Bool(!hash.entries.borrow().is_empty()));
        }
        for (key, value) in hash.pairs() {
            let fits = match (args.values.first(), args.block) {
                (Some(pattern), _) => vm.threequals(pattern, &Value::pair(key, value), None)?,
                (None, Some(block)) => vm.give(block, Value::pair(key, value))?.is_truthy(),
                (None, None) => true,
            };
            if fits {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }),
    Row("merge", 0, -1, |vm, this, args| {
        let made = super::object::copy(vm, this, false)?;
        super::hash_change::merge(vm, &made, args)
    }),
    Row("slice", 0, -1, |vm, this, args| {
        let hash = vm.hash(this)?;
        let mut entries = Entries::default();
        for wanted in args.values {
            let key = vm.key(wanted)?;
            if let Some((key, value)) = hash.entries.borrow().get_key_value(&key) {
                entries.insert(key.clone(), value.clone());
            }
        }
        Ok(Value::hash(entries))
    }),
    Row("except", 0, -1, |vm, this, args| {
        let mut entries = vm.hash(this)?.entries.borrow().clone();
        for key in args.values {
            let key = vm.key(key)?;
            entries.shift_remove(&key);
        }
        Ok(Value::hash(entries))
    }),
    Row("transform_values", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "transform_values", &[])) };
        let entries = vm.hash(this)?.entries.borrow().clone();
        let mut made = Entries::default();
        for (key, value) in entries {
            made.insert(key, vm.give(block, value)?);
        }
        Ok(Value::hash(made))
    }),
    Row("transform_keys", 0, 1, |vm, this, args| {
        if args.block.is_none() && args.values.is_empty() {
            return Ok(vm.enumerator(this, "transform_keys", &[]));
        }
        Ok(Value::hash(transformed_keys(vm, this, args)?))
    }),
    Row("invert", 0, 0, |vm, this, _| {
        let mut entries = Entries::default();
        for (key, value) in vm.hash(this)?.pairs() {
            entries.insert(vm.key_to_add(&value)?, key);
        }
        Ok(Value::hash(entries))
    }),
    Row("compact", 0, 0, |vm, this, _| {
        let entries = vm.hash(this)?.entries.borrow().clone();
        Ok(Value::hash(entries.into_iter().filter(|(_, value)| !value.is_nil()).collect()))
    }),
    Row("assoc", 1, 1, |vm, this, args| {
        let (hash, key) = (vm.hash(this)?, vm.key(args.at(0))?);
        let found =
            hash.entries.borrow().get_key_value(&key).map(|(key, value)| Value::pair(key.value.clone(), value.clone()));
        Ok(found.into())
    }),
    Row("rassoc", 1, 1, |vm, this, args| {
        for (key, value) in vm.hash(this)?.pairs() {
            if vm.equals(&value, args.at(0))? {
                return Ok(Value::pair(key, value));
            }
        }
        Ok(Value::Nil)
    }),
    Row("sum", 0, 1, |vm, this, args| {
        let list = Value::array(vm.items(this)?);
        vm.send_with(&list, crate::interpreter::symbol::Sym::new("sum"), args, false)
    }),
    Row("flatten", 0, 1, |vm, this, args| {
        let list = Value::array(vm.items(this)?);
        let depth = if args.values.is_empty() { 1 } else { vm.to_int(args.at(0))? };
        vm.send(&list, crate::interpreter::symbol::Sym::new("flatten"), &[Value::Int(depth)])
    }),
    Row("default", 0, 1, |vm, this, args| {
        let missing = vm.hash(this)?.missing.borrow().clone();
        match missing {
            Missing::Value(value) => Ok(value),
            Missing::Proc(block) if !args.values.is_empty() => {
                vm.call_block(&block, &[this.clone(), args.at(0).clone()])
            }
            _ => Ok(Value::Nil),
        }
    }),
    Row("default_proc", 0, 0, |vm, this, _| {
        let missing = vm.hash(this)?.missing.borrow().clone();
        Ok(match missing {
            Missing::Proc(block) => Value::Proc(block),
            _ => Value::Nil,
        })
    }),
    Row("compare_by_identity", 0, 0, |vm, this, _| {
        vm.check_frozen(this)?;
        let hash = vm.hash(this)?;
        if hash.iterating.get() > 0 {
            return Err(vm.error("RuntimeError", "compare_by_identity during iteration"));
        }
        hash.by_identity.set(true);
        vm.send(this, crate::interpreter::symbol::Sym::new("rehash"), &[])
    }),
    Row("compare_by_identity?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.hash(this)?.by_identity.get()))),
    Row("deconstruct_keys", 1, 1, |_, this, _| Ok(this.clone())),
];

fn has_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let hash = vm.hash(this)?;
    let key = vm.key_in(&hash, args.at(0))?;
    let is_there = hash.entries.borrow().contains_key(&key);
    Ok(Value::Bool(is_there))
}

fn key_of(vm: &mut Vm, this: &Value, wanted: &Value) -> Outcome<Option<Value>> {
    for (key, value) in vm.hash(this)?.pairs() {
        if vm.equals(&value, wanted)? {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

fn each(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, &[])) };
    vm.going_over(this, |vm, key, value| vm.give(block, Value::pair(key, value)).map(|_| ()))
}

fn contains(vm: &mut Vm, large: &Value, small: &Value, strictly: bool) -> Outcome {
    let (large, small) = (vm.to_hash(large)?, vm.to_hash(small)?);
    let (large, small) = (large.entries.borrow().clone(), small.entries.borrow().clone());
    if strictly && large.len() <= small.len() {
        return Ok(Value::Bool(false));
    }
    for (key, value) in &small {
        match large.get(key) {
            Some(other) if vm.equals(value, other)? => {}
            _ => return Ok(Value::Bool(false)),
        }
    }
    Ok(Value::Bool(true))
}

fn filter(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, wanted: bool) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, &[])) };
    let entries = vm.hash(this)?.entries.borrow().clone();
    let mut made = Entries::default();
    for (key, value) in entries {
        if vm.call_block(block, &[key.value.clone(), value.clone()])?.is_truthy() == wanted {
            made.insert(key, value);
        }
    }
    Ok(Value::hash(made))
}

/// The entries with other keys: those a hash names, or what the block says.
pub(super) fn transformed_keys(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome<Entries> {
    let mut made = Entries::default();
    for (key, value) in vm.hash(this)?.pairs() {
        let named = match args.at(0) {
            Value::Hash(names) => {
                let key = vm.key(&key)?;
                names.entries.borrow().get(&key).cloned()
            }
            _ => None,
        };
        let key = match (named, args.block) {
            (Some(named), _) => named,
            (None, Some(block)) => vm.give(block, key)?,
            (None, None) => key,
        };
        made.insert(vm.key_to_add(&key)?, value);
    }
    Ok(made)
}

impl Hash {
    /// Keys and values as they are now.
    pub(crate) fn pairs(&self) -> Vec<(Value, Value)> {
        self.entries.borrow().iter().map(|(key, value)| (key.value.clone(), value.clone())).collect()
    }
}

impl Vm {
    /// The receiver of a method of `Hash`.
    pub(super) fn hash(&mut self, value: &Value) -> Outcome<Rc<Hash>> {
        match value {
            Value::Hash(hash) => Ok(hash.clone()),
            other => Err(self.no_conversion(other, "Hash")),
        }
    }

    /// What a hash answers for a key that it does not have.
    pub(crate) fn missing_value(&mut self, this: &Value, hash: &Rc<Hash>, key: &Value) -> Outcome {
        let missing = hash.missing.borrow().clone();
        match missing {
            Missing::Nil => Ok(Value::Nil),
            Missing::Value(value) => Ok(value),
            Missing::Proc(block) => self.deeper(|vm| vm.call_block(&block, &[this.clone(), key.clone()])),
        }
    }

    /// Goes over a hash, to which no keys may be added meanwhile.
    pub(super) fn going_over(
        &mut self,
        this: &Value,
        mut work: impl FnMut(&mut Vm, Value, Value) -> Outcome<()>,
    ) -> Outcome {
        let hash = self.hash(this)?;
        hash.iterating.set(hash.iterating.get() + 1);
        let mut outcome = Ok(());
        for (key, value) in hash.pairs() {
            let is_there = hash.by_identity.get()
                || matches!(key, Value::Object(_))
                || hash.entries.borrow().contains_key(&Key::plain(key.clone()));
            if is_there {
                outcome = work(self, key, value);
            }
            if outcome.is_err() {
                break;
            }
        }
        hash.iterating.set(hash.iterating.get().saturating_sub(1));
        outcome.map(|()| this.clone())
    }
}
