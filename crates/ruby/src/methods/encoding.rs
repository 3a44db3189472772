//! `Encoding`: names of how bytes are read.

use std::rc::Rc;

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Encoding, Object, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    let class = core.class_named("Encoding", Kind::Class, Some(&core.object));
    let mut constants = class.constants.borrow_mut();
    for encoding in Encoding::ALL {
        let object = Object::new(class.clone());
        object.set(sym::HIDDEN_NAME, Value::str(encoding.name()));
        let value = Value::Object(Rc::new(object));
        constants.insert(Sym::new(&encoding.name().replace('-', "_").to_uppercase()), value.clone());
        if encoding == Encoding::Binary {
            constants.insert(Sym::new("BINARY"), value);
        } else if encoding == Encoding::Ascii {
            constants.insert(Sym::new("ASCII"), value);
        }
    }
    let above = match core.object.constant(Sym::new("EncodingError")) {
        Some(Value::Class(above)) => above,
        _ => core.standard_error.clone(),
    };
    for name in ["UndefinedConversionError", "InvalidByteSequenceError", "ConverterNotFoundError", "CompatibilityError"]
    {
        let error = Class::new(Some(&format!("Encoding::{name}")), Kind::Class, Some(above.clone()));
        constants.insert(Sym::new(name), Value::Class(error));
    }
    drop(constants);
    core.add(
        &class,
        &[
            Row("to_s", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_NAME).into())),
            Row("name", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_NAME).into())),
            Row("inspect", 0, 0, |vm, this, _| {
                let name = vm.to_s(this)?;
                Ok(Value::str(format!("#<Encoding:{name}>")))
            }),
        ],
    );
    core.add_own(
        &class,
        &[
            Row("default_external", 0, 0, |vm, _, _| vm.encoding_named("UTF-8")),
            Row("default_internal", 0, 0, |_, _, _| Ok(Value::Nil)),
            Row("default_external=", 1, 1, |_, _, args| Ok(args.at(0).clone())),
            Row("default_internal=", 1, 1, |_, _, args| Ok(args.at(0).clone())),
            Row("list", 0, 0, |vm, _, _| {
                let all = Encoding::ALL.into_iter().map(|encoding| vm.encoding_named(encoding.name()));
                Ok(Value::array(all.collect::<Outcome<_>>()?))
            }),
            Row("name_list", 0, 0, |_, _, _| {
                let names = Encoding::ALL.into_iter().map(Encoding::name).chain(["BINARY", "ASCII"]);
                Ok(Value::array(names.map(Value::str).collect()))
            }),
            Row("compatible?", 2, 2, |vm, _, args| {
                let (Value::Str(a), Value::Str(b)) = (args.at(0), args.at(1)) else { return Ok(Value::Nil) };
                let (first, second) = (a.encoding.get(), b.encoding.get());
                let is_empty = |it: &crate::interpreter::value::Str| it.bytes.borrow().is_empty();
                match () {
                    () if first == second || is_empty(b) => vm.encoding_named(first.name()),
                    () if is_empty(a) || (a.is_ascii() && !b.is_ascii()) => vm.encoding_named(second.name()),
                    () if b.is_ascii() => vm.encoding_named(first.name()),
                    () => Ok(Value::Nil),
                }
            }),
            Row("find", 1, 1, |vm, _, args| {
                let name = vm.to_s(args.at(0))?;
                match Encoding::named(&name) {
                    Some(encoding) => vm.encoding_named(encoding.name()),
                    None => Err(vm.argument_error(&format!("unknown encoding name - {name}"))),
                }
            }),
        ],
    );
}

impl Vm {
    /// The object of an encoding.
    pub(super) fn encoding_named(&mut self, name: &str) -> Outcome {
        let class = Value::Class(self.constant_class("Encoding"));
        self.scoped_constant(&class, Sym::new(&name.replace('-', "_").to_uppercase()))
    }
}
