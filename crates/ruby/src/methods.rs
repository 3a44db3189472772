//! Methods of Ruby's own classes, one file for each class.

mod array;
mod array_change;
mod array_search;
mod comparable;
mod dir;
mod dump;
mod encoding;
mod enumerable;
mod enumerable_order;
mod enumerable_part;
mod enumerator;
mod env;
mod exception;
mod file;
mod file_disk;
mod float;
mod format;
mod glob;
mod hash;
mod hash_change;
mod integer;
mod kernel;
mod module;
mod numeric;
mod object;
pub(crate) mod pack;
mod proc;
mod process;
mod random;
mod range;
mod regexp;
mod sequence;
mod string;
mod string_change;
mod string_part;
mod structs;
pub(crate) mod succ;
mod symbol;

use crate::interpreter::class::{Body, Method, Visibility};
use crate::interpreter::code::Args;
use crate::interpreter::session::Core;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(crate) use module::MAIN;
pub(crate) use proc::shown_parameters;
pub(crate) use process::run_line;

/// Gives Ruby's own classes their methods.
pub(crate) fn define(core: &Core) {
    core.add(&core.kernel, object::ROWS);
    core.add_as(&core.kernel, kernel::ROWS, Visibility::Private);
    core.add_own(&core.kernel, kernel::ROWS);
    core.add_as(&core.kernel, process::KERNEL, Visibility::Private);
    core.add_own(&core.kernel, process::KERNEL);
    core.add(&core.basic_object, object::BASIC);
    core.add(&core.module, module::ROWS);
    core.add(&core.class, module::CLASS);
    core.add_own(&core.class, module::NEW_CLASS);
    core.add_own(&core.module, module::NEW_MODULE);
    core.add(&core.nil, object::NIL);
    core.add(&core.nil, numeric::NIL);
    for class in [&core.true_class, &core.false_class] {
        core.add(class, object::BOOL);
    }
    core.add(&core.comparable, comparable::ROWS);
    core.add(&core.enumerable, enumerable::ROWS);
    core.add(&core.enumerable, enumerable_order::ROWS);
    core.add(&core.enumerable, enumerable_part::ROWS);
    core.add(&core.exception, exception::ROWS);
    core.add_own(&core.exception, exception::OWN);
    for (name, rows) in exception::DETAILS {
        if let Some(Value::Class(class)) = core.object.constant(Sym::new(name)) {
            core.add(&class, rows);
        }
    }
    for class in [&core.proc, &core.method, &core.unbound_method] {
        core.add(class, proc::ROWS);
    }
    for class in [&core.method, &core.unbound_method] {
        core.add(class, proc::METHOD);
    }
    core.add_own(&core.proc, proc::OWN);
    core.add(&core.r#struct, structs::ROWS);
    core.add_own(&core.r#struct, structs::OWN);
    core.add(&core.numeric, numeric::ROWS);
    core.add(&core.numeric, integer::NUMERIC);
    for class in [&core.integer, &core.float] {
        core.add(class, integer::NUMERIC);
        core.add(class, integer::ORDER);
    }
    core.add(&core.integer, integer::ROWS);
    core.add(&core.integer, numeric::INTEGER);
    core.add_own(&core.integer, integer::OWN);
    file::define(core);
    dir::define(core);
    env::define(core);
    process::define(core);
    float::define(core);
    core.add(&core.string, string::ROWS);
    core.add(&core.string, string_part::ROWS);
    core.add(&core.string, dump::ROWS);
    core.add(&core.string, string_change::ROWS);
    core.add_own(&core.string, string::OWN);
    core.add(&core.symbol, symbol::ROWS);
    core.add(&core.array, array::ROWS);
    core.add(&core.array, array_change::ROWS);
    core.add(&core.array, array_search::ARRAY);
    core.add(&core.range, array_search::RANGE);
    core.add_own(&core.array, array::OWN);
    core.add(&core.hash, hash::ROWS);
    core.add(&core.hash, hash_change::ROWS);
    core.add_own(&core.hash, hash::OWN);
    core.add(&core.range, range::ROWS);
    core.add_own(&core.range, range::OWN);
    regexp::define(core);
    enumerator::define(core);
    encoding::define(core);
    random::define(core);
    crate::library::errno::define(core);
    crate::interpreter::binding::define(core);
    core.symbol.includes.borrow_mut().push(core.comparable.clone());
    let numbers = [&core.integer, &core.float, &core.symbol, &core.nil, &core.true_class, &core.false_class];
    for class in numbers.into_iter().chain([&core.method, &core.unbound_method, &core.match_data]) {
        without_new(core, class);
    }
    let constants = [("RUBY_VERSION", "3.1.2"), ("RUBY_ENGINE", "ruby"), ("RUBY_PLATFORM", "x86_64-linux-gnu")];
    for name in ["Fixnum", "Bignum"] {
        core.object.constants.borrow_mut().insert(Sym::new(name), Value::Class(core.integer.clone()));
    }
    for (name, value) in constants {
        let value = Value::str(value);
        value.freeze();
        core.object.constants.borrow_mut().insert(Sym::new(name), value);
    }
}

/// Of some classes no instances can be made.
fn without_new(core: &Core, class: &std::rc::Rc<crate::interpreter::class::Class>) {
    let meta = core.meta(class);
    for name in [sym::NEW, Sym::new("allocate")] {
        let owner = std::rc::Rc::downgrade(&meta);
        let method = Method { name, owner, visibility: Visibility::Public, body: Body::Undefined };
        meta.add_method(name, std::rc::Rc::new(method));
    }
}

/// A method of `Enumerable` that the class has one of its own in front of.
fn enumerable_method(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    match vm.find_method(&vm.core.enumerable.clone(), Sym::new(name)) {
        Some(method) => vm.invoke(this, &method, args),
        None => Ok(Value::Nil),
    }
}
