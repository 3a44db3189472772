//! `YAML`, which is Psych: its texts, and what it makes of them.

use std::rc::Rc;

use bunraku_notation::yaml;
use bunraku_pcore::Value as Data;

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::hash::Entries;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    let module = core.class_named("Psych", Kind::Module, None);
    core.object.constants.borrow_mut().insert(Sym::new("YAML"), Value::Class(module.clone()));
    core.add_own(&module, OWN);
    core.add(&core.object, &[Row("to_yaml", 0, -1, dump)]);
    let within = |name: &str, above: &Rc<Class>| {
        let class = Class::new(Some(&format!("Psych::{name}")), Kind::Class, Some(above.clone()));
        module.constants.borrow_mut().insert(Sym::new(name), Value::Class(class.clone()));
        class
    };
    let above = match core.object.constant(Sym::new("RuntimeError")) {
        Some(Value::Class(above)) => above,
        _ => core.standard_error.clone(),
    };
    let error = within("Exception", &above);
    within("BadAlias", &error);
    within("DisallowedClass", &error);
    within("SyntaxError", &error);
}

const OWN: &[Row] = &[
    Row("dump", 1, -1, |vm, _, args| dump(vm, args.at(0), args.after_first())),
    Row("load", 1, -1, |vm, _, args| load(vm, args, true, false)),
    Row("safe_load", 1, -1, |vm, _, args| load(vm, args, false, false)),
    Row("unsafe_load", 1, -1, |vm, _, args| load(vm, args, true, true)),
];

fn dump(vm: &mut Vm, value: &Value, args: Args<'_>) -> Outcome {
    let indentation = match args.keyword("indentation") {
        Some(blanks) => usize::try_from(vm.to_int(&blanks)?).unwrap_or(2).clamp(2, 9),
        None => 2,
    };
    let data = to_data(vm, value)?;
    let text = yaml::emit_indented(&data, indentation);
    vm.check_size(text.len())?;
    Ok(Value::str(text))
}

fn load(vm: &mut Vm, args: Args<'_>, allows_symbols: bool, allows_all: bool) -> Outcome {
    let bytes = vm.to_str(args.at(0))?.bytes.borrow().clone();
    let options = args.after_first();
    let document = match yaml::load(&bytes, "<unknown>") {
        Ok(document) => document,
        Err(error) => {
            let message = error.message.as_str();
            let without_file = message.strip_prefix("(<unknown>): ").unwrap_or(message);
            return Err(match error.place {
                Some(_) => vm.scoped_error("Psych", "SyntaxError", message),
                None if without_file.starts_with("Tried")
                    && (allows_all || options.keyword("permitted_classes").is_some()) =>
                {
                    vm.unsupported("YAML of further classes".to_owned())
                }
                None if without_file.starts_with("Tried") => vm.scoped_error("Psych", "DisallowedClass", without_file),
                None => vm.scoped_error("Psych", "BadAlias", without_file),
            });
        }
    };
    if let Some((_, foreign)) = document.foreign.first() {
        if matches!(foreign, yaml::Foreign::Symbol(_)) && !allows_symbols {
            return Err(vm.scoped_error("Psych", "DisallowedClass", "Tried to load unspecified class: Symbol"));
        }
        return Err(vm.unsupported("YAML with symbols, large integers or keys that are no strings".to_owned()));
    }
    let by_symbol = options.keyword("symbolize_names").is_some_and(|it| it.is_truthy());
    match &document.value {
        Some(value) => from_data(vm, value, by_symbol),
        None => Ok(options.keyword("fallback").into()),
    }
}

/// A value as data of the Puppet language has it.
fn to_data(vm: &mut Vm, value: &Value) -> Outcome<Data> {
    vm.step()?;
    Ok(match value {
        Value::Nil => Data::Undef,
        Value::Bool(it) => Data::Boolean(*it),
        Value::Int(it) => Data::Integer(*it),
        Value::Float(it) => Data::Float(*it),
        Value::Str(it) if std::str::from_utf8(&it.bytes.borrow()).is_ok() && value.plain_class() => {
            it.with(|text| Data::String(text.into()))
        }
        Value::Array(it) if value.plain_class() => {
            let items = it.items.borrow().clone();
            let made: Vec<Data> = vm.deeper(|vm| items.iter().map(|item| to_data(vm, item)).collect::<Outcome<_>>())?;
            Data::array(made)
        }
        Value::Hash(it) if value.plain_class() => {
            let entries = it.entries.borrow().clone();
            let made: Vec<(Data, Data)> = vm.deeper(|vm| {
                let pair = |(key, value): (&crate::interpreter::hash::Key, &Value)| {
                    Ok((to_data(vm, &key.value)?, to_data(vm, value)?))
                };
                entries.iter().map(pair).collect::<Outcome<_>>()
            })?;
            Data::hash(made)
        }
        other => {
            let class = vm.class_name(other);
            return Err(vm.error("NotImplementedError", &format!("a {class} cannot be written as YAML yet")));
        }
    })
}

/// Data of the Puppet language as a value.
fn from_data(vm: &mut Vm, data: &Data, by_symbol: bool) -> Outcome {
    vm.step()?;
    Ok(match data {
        Data::Undef => Value::Nil,
        Data::Boolean(it) => Value::Bool(*it),
        Data::Integer(it) => Value::Int(*it),
        Data::Float(it) => Value::Float(*it),
        Data::String(it) => Value::str(it.as_str()),
        Data::Binary(it) => Value::binary(it.bytes().to_vec()),
        Data::Array(items) => {
            let made =
                vm.deeper(|vm| items.iter().map(|item| from_data(vm, item, by_symbol)).collect::<Outcome<_>>())?;
            Value::array(made)
        }
        Data::Hash(hash) => {
            let made = vm.deeper(|vm| {
                let mut entries = Entries::default();
                for (key, value) in hash.iter() {
                    let key = match (from_data(vm, key, false)?, by_symbol) {
                        (Value::Str(name), true) => Value::Sym(vm.intern(&name.to_text())?),
                        (key, _) => key,
                    };
                    entries.insert(vm.key_to_add(&key)?, from_data(vm, value, by_symbol)?);
                }
                Ok(entries)
            })?;
            Value::hash(made)
        }
        _ => return Err(vm.error("NotImplementedError", "this YAML has a value that cannot be read yet")),
    })
}
