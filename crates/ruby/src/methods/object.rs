//! What every object can do: `Object` and the public part of `Kernel`.

use std::rc::Rc;

use crate::interpreter::class::{Body, Visibility};
use crate::interpreter::code::{Args, ProcKind};
use crate::interpreter::hash::{self, Entries};
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Array, Hash, MethodObject, Object, Str, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("class", 0, 0, |vm, this, _| Ok(Value::Class(vm.class_of(this).real()))),
    Row("singleton_class", 0, 0, |vm, this, _| Ok(Value::Class(vm.singleton_class(this)?))),
    Row("frozen?", 0, 0, |_, this, _| Ok(Value::Bool(this.is_frozen()))),
    Row("freeze", 0, 0, |_, this, _| {
        this.freeze();
        Ok(this.clone())
    }),
    Row("nil?", 0, 0, |_, this, _| Ok(Value::Bool(this.is_nil()))),
    Row("==", 1, 1, |vm, this, args| Ok(Value::Bool(vm.equals(this, args.at(0))?))),
    Row("!=", 1, 1, |vm, this, args| Ok(Value::Bool(!vm.send(this, sym::EQUAL, args.values)?.is_truthy()))),
    Row("equal?", 1, 1, |_, this, args| Ok(Value::Bool(this.is_same(args.at(0))))),
    Row("eql?", 1, 1, |_, this, args| Ok(Value::Bool(hash::is_eql(this, args.at(0))))),
    Row("===", 1, 1, |vm, this, args| Ok(Value::Bool(vm.equals(this, args.at(0))?))),
    Row("=~", 1, 1, |_, _, _| Ok(Value::Nil)),
    Row("!~", 1, 1, |vm, this, args| Ok(Value::Bool(!vm.send(this, sym::MATCH, args.values)?.is_truthy()))),
    Row("<=>", 1, 1, |vm, this, args| Ok(if vm.equals(this, args.at(0))? { Value::Int(0) } else { Value::Nil })),
    Row("!", 0, 0, |_, this, _| Ok(Value::Bool(!this.is_truthy()))),
    Row("hash", 0, 0, hash_number),
    Row("object_id", 0, 0, object_id),
    Row("taint", 0, 0, |_, this, _| Ok(this.clone())),
    Row("untaint", 0, 0, |_, this, _| Ok(this.clone())),
    Row("trust", 0, 0, |_, this, _| Ok(this.clone())),
    Row("untrust", 0, 0, |_, this, _| Ok(this.clone())),
    Row("tainted?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
    Row("untrusted?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
    Row("__id__", 0, 0, object_id),
    Row("to_s", 0, 0, to_s),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("is_a?", 1, 1, is_a),
    Row("kind_of?", 1, 1, is_a),
    Row("instance_of?", 1, 1, |vm, this, args| {
        let class = vm.class_argument(args.at(0))?;
        Ok(Value::Bool(Rc::ptr_eq(&vm.class_of(this).real(), &class)))
    }),
    Row("respond_to?", 1, 2, respond_to),
    Row("send", 0, -1, send),
    Row("__send__", 0, -1, send),
    Row("public_send", 0, -1, |vm, this, args| {
        let (name, others) = split_name(vm, args)?;
        vm.send_with(this, name, others, false)
    }),
    Row("method", 1, 1, method),
    Row("public_method", 1, 1, method),
    Row("methods", 0, 1, methods),
    Row("public_methods", 0, 1, methods),
    Row("singleton_methods", 0, 1, |vm, this, _| {
        let class = vm.singleton_class(this)?;
        let names = class.order.borrow().iter().map(|name| Value::Sym(*name)).collect();
        Ok(Value::array(names))
    }),
    Row("dup", 0, 0, |vm, this, _| copy(vm, this, false)),
    Row("clone", 0, 1, |vm, this, args| {
        if !args.keywords && !args.values.is_empty() {
            return Err(vm.wrong_count(args.len(), 0, Some(0)));
        }
        let made = copy(vm, this, true)?;
        if this.is_frozen() && args.keyword("freeze").is_none_or(|it| it.is_truthy()) {
            made.freeze();
        }
        Ok(made)
    }),
    Row("itself", 0, 0, |_, this, _| Ok(this.clone())),
    Row("tap", 0, 0, |vm, this, args| {
        let block = vm.block(args)?;
        vm.give(&block, this.clone())?;
        Ok(this.clone())
    }),
    Row("then", 0, 0, |vm, this, args| match args.block {
        Some(block) => vm.give(block, this.clone()),
        None => Ok(vm.enumerator(this, "then", &[])),
    }),
    Row("yield_self", 0, 0, |vm, this, args| match args.block {
        Some(block) => vm.give(block, this.clone()),
        None => Ok(vm.enumerator(this, "yield_self", &[])),
    }),
    Row("instance_variable_get", 1, 1, |vm, this, args| {
        let name = variable_name(vm, args.at(0))?;
        Ok(this.variable(name).into())
    }),
    Row("instance_variable_set", 2, 2, |vm, this, args| {
        let name = variable_name(vm, args.at(0))?;
        vm.check_frozen(this)?;
        this.set_variable(name, args.at(1).clone());
        Ok(args.at(1).clone())
    }),
    Row("instance_variable_defined?", 1, 1, |vm, this, args| {
        let name = variable_name(vm, args.at(0))?;
        Ok(Value::Bool(this.variable(name).is_some()))
    }),
    Row("remove_instance_variable", 1, 1, |vm, this, args| {
        let name = variable_name(vm, args.at(0))?;
        match this {
            Value::Object(object) => Ok(object.variables.borrow_mut().shift_remove(&name).into()),
            _ => Ok(Value::Nil),
        }
    }),
    Row("instance_variables", 0, 0, |_, this, _| {
        let names = match this {
            Value::Object(object) => object.variables.borrow().keys().copied().collect(),
            Value::Class(class) => class.variables.borrow().keys().copied().collect(),
            other => {
                other.head().map(|head| head.with_variables(|it| it.keys().copied().collect())).unwrap_or_default()
            }
        };
        let names: Vec<Sym> = names;
        Ok(Value::array(names.into_iter().filter(|it| it.as_str().starts_with('@')).map(Value::Sym).collect()))
    }),
    Row("instance_eval", 0, 3, instance_exec),
    Row("instance_exec", 0, -1, instance_exec),
    Row("protected_methods", 0, 1, |vm, this, _| Ok(names_of(vm, this, |it| it == Visibility::Protected))),
    Row("private_methods", 0, 1, |vm, this, _| Ok(names_of(vm, this, |it| it == Visibility::Private))),
    Row("extend", 1, -1, |vm, this, args| {
        for module in args.values.iter().rev() {
            vm.module_argument(module)?;
        }
        let class = vm.singleton_class(this)?;
        for module in args.values {
            let module = vm.module_argument(module)?;
            vm.include(&class, &module);
            vm.notify(&Value::Class(module), sym::EXTENDED, this.clone())?;
        }
        Ok(this.clone())
    }),
    Row("define_singleton_method", 1, 2, |vm, this, args| {
        let class = vm.singleton_class(this)?;
        super::module::define_method_in(vm, &class, args, Visibility::Public)
    }),
    Row("singleton_method", 1, 1, method),
    Row("pretty_inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.pretty(this, 0, 0)? + "\n"))),
    Row("to_enum", 0, -1, enum_for),
    Row("enum_for", 0, -1, enum_for),
    Row("display", 0, 1, |vm, this, args| {
        if let Some(port) = args.get(0) {
            vm.send(port, Sym::new("write"), std::slice::from_ref(this))?;
            return Ok(Value::Nil);
        }
        let text = vm.to_s(this)?;
        vm.write(text.as_bytes())?;
        Ok(Value::Nil)
    }),
];

fn is_a(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let class = vm.class_argument(args.at(0))?;
    Ok(Value::Bool(vm.is_a(this, &class)))
}

pub(super) fn hash_number(_: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    use std::hash::Hasher;
    let mut state = rustc_hash::FxHasher::default();
    hash::hash(this, &mut state, 0);
    Ok(Value::Int((state.finish() >> 2) as i64))
}

fn object_id(_: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    Ok(match this {
        Value::Nil => Value::Int(8),
        Value::Bool(true) => Value::Int(20),
        Value::Bool(false) => Value::Int(0),
        Value::Int(number) => Value::Int(number.wrapping_mul(2).wrapping_add(1)),
        other => Value::int(other.address().unwrap_or_default() >> 3),
    })
}

fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    Ok(Value::str(match this {
        Value::Object(_) if this.is_same(&vm.main.clone()) => "main".to_string(),
        Value::Object(_) => format!("#<{}:{:#018x}>", vm.class_name(this), this.address().unwrap_or_default()),
        other => vm.inspect_plain(other)?,
    }))
}

fn respond_to(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let name = vm.name(args.at(0))?;
    let class = vm.class_of(this);
    let found = vm.find_method(&class, name);
    if found.is_some_and(|it| args.at(1).is_truthy() || it.visibility == Visibility::Public) {
        return Ok(Value::Bool(true));
    }
    match vm.find_method(&class, sym::RESPOND_TO_MISSING) {
        Some(method) => {
            let values = [Value::Sym(name), Value::Bool(args.at(1).is_truthy())];
            Ok(Value::Bool(vm.invoke(this, &method, Args::of(&values))?.is_truthy()))
        }
        None => Ok(Value::Bool(false)),
    }
}

fn split_name<'a>(vm: &mut Vm, args: Args<'a>) -> Outcome<(Sym, Args<'a>)> {
    if args.values.is_empty() {
        return Err(vm.argument_error("no method name given"));
    }
    let name = vm.name(args.at(0))?;
    Ok((name, Args { values: args.values.get(1..).unwrap_or_default(), ..args }))
}

fn send(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (name, others) = split_name(vm, args)?;
    vm.send_with(this, name, others, true)
}

fn method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let name = vm.name(args.at(0))?;
    let class = vm.class_of(this);
    match vm.find_method(&class, name) {
        Some(method) => Ok(Value::Method(Rc::new(MethodObject { receiver: Some(this.clone()), method, name }))),
        None if vm.find_method(&class, sym::RESPOND_TO_MISSING).is_some()
            && respond_to(vm, this, Args::of(&[Value::Sym(name), Value::Bool(true)]))?.is_truthy() =>
        {
            let receiver = this.clone();
            let work = move |vm: &mut Vm, values: &[Value]| vm.send(&receiver, name, values);
            let body = Body::Proc(crate::interpreter::code::Proc::native(-1, work));
            let owner = Rc::downgrade(&class);
            let made = crate::interpreter::class::Method { name, owner, visibility: Visibility::Public, body };
            Ok(Value::Method(Rc::new(MethodObject { receiver: Some(this.clone()), method: Rc::new(made), name })))
        }
        None => {
            let (kind, class) = match this {
                Value::Class(it) if it.is_module() && it.singleton.borrow().is_none() => ("class", "Module".to_owned()),
                Value::Class(it) => ("class", format!("#<Class:{}>", vm.name_of(it))),
                _ => ("class", vm.name_of(&class)),
            };
            Err(vm.name_error(
                "NameError",
                &format!("undefined method `{}' for {kind} `{class}'", name.as_str()),
                name,
                this,
            ))
        }
    }
}

fn methods(vm: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    Ok(names_of(vm, this, |it| it == Visibility::Public))
}

fn names_of(vm: &mut Vm, this: &Value, fits: fn(Visibility) -> bool) -> Value {
    let mut names: Vec<Sym> = Vec::new();
    for class in vm.class_of(this).ancestors() {
        for name in class.order.borrow().iter() {
            let is_wanted = class.methods.borrow().get(name).is_some_and(|it| fits(it.visibility));
            if is_wanted && !names.contains(name) {
                names.push(*name);
            }
        }
    }
    Value::array(names.into_iter().map(Value::Sym).collect())
}

/// A copy of an object; what it contains is shared.
pub(super) fn copy(vm: &mut Vm, this: &Value, is_clone: bool) -> Outcome {
    let size = match this {
        Value::Str(it) => it.bytes.borrow().len(),
        Value::Array(it) => it.items.borrow().len().saturating_mul(16),
        Value::Hash(it) => it.entries.borrow().len().saturating_mul(48),
        _ => 0,
    };
    vm.count_made(size)?;
    let made = match this {
        Value::Str(it) => {
            let made = Str { bytes: it.bytes.clone(), encoding: it.encoding.clone(), head: it.head.copied() };
            Value::Str(Rc::new(made))
        }
        Value::Array(it) => Value::Array(Rc::new(Array { items: it.items.clone(), head: it.head.copied() })),
        Value::Hash(it) => Value::Hash(Rc::new(Hash {
            entries: it.entries.clone(),
            missing: it.missing.clone(),
            by_identity: it.by_identity.clone(),
            head: it.head.copied(),
            ..Hash::default()
        })),
        Value::Object(it) => {
            let class = if is_clone { it.class.borrow().clone() } else { it.class.borrow().real() };
            let made = Object::new(class);
            *made.variables.borrow_mut() = it.variables.borrow().clone();
            *made.data.borrow_mut() = it.data.borrow().clone();
            if let Some(Value::Array(members)) = it.get(sym::HIDDEN_MEMBERS) {
                made.set(sym::HIDDEN_MEMBERS, Value::array(members.items.borrow().clone()));
            }
            Value::Object(Rc::new(made))
        }
        Value::Class(it) => {
            let made = crate::interpreter::class::Class::new(None, it.kind.clone(), it.superclass.borrow().clone());
            *made.methods.borrow_mut() = it.methods.borrow().clone();
            *made.order.borrow_mut() = it.order.borrow().clone();
            *made.constants.borrow_mut() = it.constants.borrow().clone();
            *made.includes.borrow_mut() = it.includes.borrow().clone();
            Value::Class(made)
        }
        other => return Ok(other.clone()),
    };
    let class = vm.class_of(&made);
    if let Some(method) = vm.find_method(&class, sym::INITIALIZE_COPY) {
        vm.invoke(&made, &method, Args::of(std::slice::from_ref(this)))?;
    }
    Ok(made)
}

fn variable_name(vm: &mut Vm, value: &Value) -> Outcome<Sym> {
    let name = vm.name(value)?;
    if !name.as_str().starts_with('@') {
        let message = format!("`{}' is not allowed as an instance variable name", name.as_str());
        return Err(vm.error("NameError", &message));
    }
    Ok(name)
}

/// `instance_eval` and `instance_exec`, of blocks and of strings.
pub(super) fn instance_exec(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let Some(block) = args.block else {
        let code = vm.text(args.at(0))?;
        let file = if args.at(1).is_nil() { "(eval)".to_owned() } else { vm.text(args.at(1))? };
        let line = if args.at(2).is_nil() { 1 } else { vm.to_int(args.at(2))? };
        return vm.run_string(&code, this, &file, u32::try_from(line).unwrap_or(1));
    };
    let values = if args.values.is_empty() { std::slice::from_ref(this) } else { args.values };
    if let ProcKind::Symbol(_) = block.kind {
        return vm.call_block(block, values);
    }
    vm.run_block(&block.clone(), Args { values, ..args }, Some((this, None)))
}

fn enum_for(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let name = match args.values.first() {
        Some(name @ (Value::Sym(_) | Value::Str(_))) => vm.name(name)?,
        Some(other) => {
            let shown = vm.inspect(other)?;
            return Err(vm.type_error(&format!("{shown} is not a symbol")));
        }
        None => sym::EACH,
    };
    Ok(vm.enumerator_of(this, name.as_str(), args.after_first()))
}

fn frozen(text: &str) -> Value {
    let value = Value::str(text);
    value.freeze();
    value
}

/// `nil`, `true` and `false`.
pub(super) const NIL: &[Row] = &[
    Row("to_s", 0, 0, |_, _, _| Ok(frozen(""))),
    Row("to_a", 0, 0, |_, _, _| Ok(Value::array(Vec::new()))),
    Row("to_h", 0, 0, |_, _, _| Ok(Value::hash(Entries::default()))),
    Row("to_i", 0, 0, |_, _, _| Ok(Value::Int(0))),
    Row("to_f", 0, 0, |_, _, _| Ok(Value::Float(0.0))),
    Row("&", 1, 1, |_, _, _| Ok(Value::Bool(false))),
    Row("|", 1, 1, |_, _, args| Ok(Value::Bool(args.at(0).is_truthy()))),
];

pub(super) const BOOL: &[Row] = &[
    Row("to_s", 0, 0, |_, this, _| Ok(frozen(if this.is_truthy() { "true" } else { "false" }))),
    Row("&", 1, 1, |_, this, args| Ok(Value::Bool(this.is_truthy() && args.at(0).is_truthy()))),
    Row("|", 1, 1, |_, this, args| Ok(Value::Bool(this.is_truthy() || args.at(0).is_truthy()))),
    Row("^", 1, 1, |_, this, args| Ok(Value::Bool(this.is_truthy() != args.at(0).is_truthy()))),
];

/// What even a `BasicObject` can do.
pub(super) const BASIC: &[Row] = &[
    Row("initialize", 0, -1, |vm, this, args| {
        // Arguments are an error only where nobody takes them.
        let class = vm.class_of(this);
        let is_own = vm.find_method(&class, sym::INITIALIZE).is_some_and(|it| matches!(it.body, Body::Native(_)));
        if is_own && !args.values.is_empty() { Err(vm.wrong_count(args.len(), 0, Some(0))) } else { Ok(Value::Nil) }
    }),
    Row("==", 1, 1, |vm, this, args| Ok(Value::Bool(vm.equals(this, args.at(0))?))),
    Row("equal?", 1, 1, |_, this, args| Ok(Value::Bool(this.is_same(args.at(0))))),
    Row("!", 0, 0, |_, this, _| Ok(Value::Bool(!this.is_truthy()))),
    Row("!=", 1, 1, |vm, this, args| Ok(Value::Bool(!vm.send(this, sym::EQUAL, args.values)?.is_truthy()))),
    Row("__send__", 0, -1, send),
    Row("__id__", 0, 0, object_id),
    Row("instance_eval", 0, 3, instance_exec),
    Row("instance_exec", 0, -1, instance_exec),
];
