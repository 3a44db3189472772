//! `Struct`: classes with named members.

use std::rc::Rc;

use crate::interpreter::class::Body;
use crate::interpreter::class::{Class, Kind, Visibility};
use crate::interpreter::code::Args;
use crate::interpreter::hash::{Entries, Key};
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Array, Value};
use crate::interpreter::{Outcome, Vm};

/// `Struct.new`, and what the classes it makes can do.
pub(super) const OWN: &[Row] = &[
    Row("new", 0, -1, new),
    Row("[]", 0, -1, |vm, this, args| vm.send_with(this, sym::NEW, args, true)),
    Row("members", 0, 0, |vm, this, _| {
        let class = vm.class_argument(this)?;
        Ok(Value::array(vm.members_of(&class).into_iter().map(Value::Sym).collect()))
    }),
    Row("inspect", 0, 0, |vm, this, _| {
        let class = vm.class_argument(this)?;
        let takes_keywords = this.variable(sym::HIDDEN_KEYWORD_INIT).is_some_and(|it| it.is_truthy());
        let sign = if takes_keywords { "(keyword_init: true)" } else { "" };
        Ok(Value::str(format!("{}{sign}", vm.name_of(&class))))
    }),
    Row("keyword_init?", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_KEYWORD_INIT).into())),
];

pub(super) const ROWS: &[Row] = &[
    Row("initialize", 0, -1, initialize),
    Row("members", 0, 0, |vm, this, _| Ok(Value::array(vm.struct_members(this).into_iter().map(Value::Sym).collect()))),
    Row("to_a", 0, 0, |vm, this, _| Ok(Value::array(vm.fields(this)?.items.borrow().clone()))),
    Row("deconstruct", 0, 0, |vm, this, _| Ok(Value::array(vm.fields(this)?.items.borrow().clone()))),
    Row("values", 0, 0, |vm, this, _| Ok(Value::array(vm.fields(this)?.items.borrow().clone()))),
    Row("size", 0, 0, |vm, this, _| Ok(Value::int(vm.fields(this)?.items.borrow().len()))),
    Row("length", 0, 0, |vm, this, _| Ok(Value::int(vm.fields(this)?.items.borrow().len()))),
    Row("to_h", 0, 0, |vm, this, args| {
        let hash = Value::hash(vm.struct_entries(this)?);
        match args.block {
            Some(_) => vm.send_with(&hash, sym::TO_H, args, false),
            None => Ok(hash),
        }
    }),
    Row("deconstruct_keys", 1, 1, |vm, this, _| Ok(Value::hash(vm.struct_entries(this)?))),
    Row("each", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each", &[])) };
        for item in vm.fields(this)?.items.borrow().clone() {
            vm.give(block, item)?;
        }
        Ok(this.clone())
    }),
    Row("each_pair", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_pair", &[])) };
        for (key, value) in vm.struct_entries(this)? {
            vm.give(block, Value::pair(key.value, value))?;
        }
        Ok(this.clone())
    }),
    Row("[]", 1, 1, |vm, this, args| {
        let index = member_index(vm, this, args.at(0))?;
        let found = vm.fields(this)?.items.borrow().get(index).cloned();
        Ok(found.into())
    }),
    Row("[]=", 2, 2, |vm, this, args| {
        vm.check_frozen(this)?;
        let index = member_index(vm, this, args.at(0))?;
        if let Some(item) = vm.fields(this)?.items.borrow_mut().get_mut(index) {
            *item = args.at(1).clone();
        }
        Ok(args.at(1).clone())
    }),
    Row("dig", 1, -1, super::enumerable::dig),
    Row("==", 1, 1, |vm, this, args| {
        let other = args.at(0);
        if !Rc::ptr_eq(&vm.class_of(this).real(), &vm.class_of(other).real()) {
            return Ok(Value::Bool(false));
        }
        let (a, b) = (Value::Array(vm.fields(this)?), Value::Array(vm.fields(other)?));
        Ok(Value::Bool(vm.deeper(|vm| vm.equals(&a, &b))?))
    }),
    Row("to_s", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("values_at", 0, -1, |vm, this, args| {
        let items = Value::Array(vm.fields(this)?);
        vm.send_with(&items, Sym::new("values_at"), args, false)
    }),
];

fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let class = vm.class_argument(this)?;
    if !Rc::ptr_eq(&class, &vm.core.r#struct) {
        let made = vm.allocate(&class)?;
        vm.initialize(&made, args)?;
        return Ok(made);
    }
    let (mut values, keywords) = args.split_keywords();
    let mut name = None;
    if let Some(first) = values.first().filter(|it| !matches!(it, Value::Sym(_) | Value::Nil)) {
        vm.to_str(first)?;
    }
    if let Some((Value::Str(given), others)) = values.split_first() {
        let text = given.to_text();
        if !text.starts_with(char::is_uppercase) {
            return Err(vm.error("NameError", &format!("identifier {text} needs to be constant")));
        }
        name = Some(text);
        values = others;
    }
    if values.is_empty() && name.is_none() {
        return Err(vm.wrong_count(0, 1, None));
    }
    let mut members = Vec::new();
    for value in values {
        let member = vm.name(value)?;
        if members.contains(&member) {
            return Err(vm.argument_error(&format!("duplicate member: {}", member.as_str())));
        }
        members.push(member);
    }
    let made = Class::new(None, Kind::Class, Some(class.clone()));
    if let Some(name) = name {
        vm.put_constant(&class, Sym::new(&name), Value::Class(made.clone()));
    }
    let made_value = Value::Class(made.clone());
    let list = members.iter().map(|it| Value::Sym(*it)).collect();
    made_value.set_variable(sym::HIDDEN_MEMBERS, Value::array(list));
    if keywords.is_some()
        && let Some(setting) = args.keyword("keyword_init")
    {
        made_value.set_variable(sym::HIDDEN_KEYWORD_INIT, setting);
    }
    for member in &members {
        define_member(vm, &made, *member);
    }
    if let Some(block) = args.block {
        vm.run_block(block, Args::of(std::slice::from_ref(&made_value)), Some((&made_value, None)))?;
    }
    Ok(made_value)
}

/// The methods that read and set a member.
fn define_member(vm: &mut Vm, class: &Rc<Class>, member: Sym) {
    vm.add_method(class, member, Body::Member(member), Visibility::Public);
    let writer = Sym::new(&format!("{}=", member.as_str()));
    vm.add_method(class, writer, Body::SetMember(member), Visibility::Public);
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let members = vm.struct_members(this);
    let class = vm.class_of(this).real();
    let setting = class.ancestors().iter().find_map(|it| Value::Class(it.clone()).variable(sym::HIDDEN_KEYWORD_INIT));
    let by_keywords = match setting {
        Some(setting) if !setting.is_nil() => setting.is_truthy(),
        _ => false,
    };
    let mut items = vec![Value::Nil; members.len()];
    if by_keywords {
        let entries = match args.values {
            [] => Entries::default(),
            [Value::Hash(hash)] => hash.entries.borrow().clone(),
            _ => return Err(vm.wrong_count(args.len(), 0, Some(0))),
        };
        let mut unknown = Vec::new();
        for (key, value) in entries {
            let name = vm.to_s(&key.value)?;
            match members.iter().position(|it| it.as_str() == name) {
                Some(index) => {
                    if let Some(item) = items.get_mut(index) {
                        *item = value;
                    }
                }
                None => unknown.push(name),
            }
        }
        if !unknown.is_empty() {
            return Err(vm.argument_error(&format!("unknown keywords: {}", unknown.join(", "))));
        }
    } else {
        if args.len() > members.len() {
            return Err(vm.argument_error("struct size differs"));
        }
        for (item, value) in items.iter_mut().zip(args.values) {
            *item = value.clone();
        }
    }
    this.set_variable(sym::HIDDEN_MEMBERS, Value::array(items));
    Ok(Value::Nil)
}

fn member_index(vm: &mut Vm, this: &Value, which: &Value) -> Outcome<usize> {
    let members = vm.struct_members(this);
    match which {
        Value::Sym(_) | Value::Str(_) => {
            let name = vm.name(which)?;
            match members.iter().position(|it| *it == name) {
                Some(index) => Ok(index),
                None => {
                    let message = format!("no member '{}' in struct", name.as_str());
                    let details = [
                        (sym::HIDDEN_NAME, Value::Sym(name)),
                        (sym::HIDDEN_RECEIVER, this.clone()),
                        (sym::HIDDEN_KEY, Value::Sym(name)),
                    ];
                    Err(vm.with_details("NameError", &message, &details))
                }
            }
        }
        other => {
            let (number, size) = (vm.to_int(other)?, members.len());
            match crate::interpreter::convert::from_end(number, size).filter(|it| *it < size) {
                Some(index) => Ok(index),
                None => {
                    let side = if number < 0 { "small" } else { "large" };
                    Err(vm.error("IndexError", &format!("offset {number} too {side} for struct(size:{size})")))
                }
            }
        }
    }
}

impl Vm {
    /// The members of the instances of a class.
    fn members_of(&self, class: &Rc<Class>) -> Vec<Sym> {
        let found = class.ancestors().into_iter().find_map(|it| Value::Class(it).variable(sym::HIDDEN_MEMBERS));
        match found {
            Some(Value::Array(members)) => {
                let name = |it: &Value| if let Value::Sym(name) = it { Some(*name) } else { None };
                members.items.borrow().iter().filter_map(name).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names of the members of an instance.
    pub(crate) fn struct_members(&self, value: &Value) -> Vec<Sym> {
        self.members_of(&self.class_of(value).real())
    }

    /// The values of the members of an instance.
    pub(crate) fn fields(&mut self, value: &Value) -> Outcome<Rc<Array>> {
        match value.variable(sym::HIDDEN_MEMBERS) {
            Some(Value::Array(items)) => Ok(items),
            _ => Err(self.type_error("uninitialized struct")),
        }
    }

    fn struct_entries(&mut self, value: &Value) -> Outcome<Entries> {
        let names = self.struct_members(value);
        let items = self.fields(value)?.items.borrow().clone();
        Ok(names.into_iter().map(|name| Key::plain(Value::Sym(name))).zip(items).collect())
    }

    /// Reads a member.
    pub(crate) fn member(&mut self, value: &Value, name: Sym) -> Outcome {
        let index = self.struct_members(value).iter().position(|it| *it == name);
        let items = self.fields(value)?;
        let found = index.and_then(|index| items.items.borrow().get(index).cloned());
        Ok(found.into())
    }

    /// Sets a member.
    pub(crate) fn set_member(&mut self, value: &Value, name: Sym, to: &Value) -> Outcome {
        self.check_frozen(value)?;
        let index = self.struct_members(value).iter().position(|it| *it == name);
        let items = self.fields(value)?;
        if let Some(item) = items.items.borrow_mut().get_mut(index.unwrap_or(usize::MAX)) {
            *item = to.clone();
        }
        Ok(to.clone())
    }
}
