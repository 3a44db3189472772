//! `Module` and `Class`: what classes can be asked and told.

use std::rc::Rc;

use crate::interpreter::class::{Body, Class, Kind, Method, Visibility};
use crate::interpreter::code::Args;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Array, Hash, MethodObject, Object, Str, Value};
use crate::interpreter::{Outcome, Vm};

/// Methods of modules and classes.
pub(super) const ROWS: &[Row] = &[
    Row("name", 0, 0, |vm, this, _| {
        let class = vm.class_argument(this)?;
        let name = class.name.borrow().clone();
        Ok(name.map_or(Value::Nil, Value::from))
    }),
    Row("to_s", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("===", 1, 1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        Ok(Value::Bool(vm.is_a(args.at(0), &class)))
    }),
    Row("==", 1, 1, |_, this, args| Ok(Value::Bool(this.is_same(args.at(0))))),
    Row("<", 1, 1, |vm, this, args| below(vm, this, args.at(0), false)),
    Row("<=", 1, 1, |vm, this, args| below(vm, this, args.at(0), true)),
    Row(">", 1, 1, |vm, this, args| {
        below(vm, this, args.at(0), false)?;
        below(vm, args.at(0), this, false)
    }),
    Row(">=", 1, 1, |vm, this, args| {
        below(vm, this, args.at(0), true)?;
        below(vm, args.at(0), this, true)
    }),
    Row("<=>", 1, 1, |vm, this, args| Ok(super::comparable::sign(vm.compare(this, args.at(0))?))),
    Row("ancestors", 0, 0, |vm, this, _| {
        let class = vm.class_argument(this)?;
        Ok(Value::array(class.ancestors().into_iter().map(Value::Class).collect()))
    }),
    Row("included_modules", 0, 0, |vm, this, _| {
        let class = vm.class_argument(this)?;
        let modules = class.ancestors().into_iter().filter(|it| it.is_module() && !Rc::ptr_eq(it, &class));
        Ok(Value::array(modules.map(Value::Class).collect()))
    }),
    Row("include", 1, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        for module in args.values.iter().rev() {
            let module = vm.module_argument(module)?;
            vm.include(&class, &module);
            vm.notify(&Value::Class(module), sym::INCLUDED, this.clone())?;
        }
        Ok(this.clone())
    }),
    Row("prepend", 1, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        for module in args.values.iter().rev() {
            let module = vm.module_argument(module)?;
            if !class.prepends.borrow().iter().any(|it| Rc::ptr_eq(it, &module)) {
                class.prepends.borrow_mut().insert(0, module.clone());
            }
            vm.classes_changed();
            vm.notify(&Value::Class(module), sym::PREPENDED, this.clone())?;
        }
        Ok(this.clone())
    }),
    Row("include?", 1, 1, |vm, this, args| {
        let (class, module) = (vm.class_argument(this)?, vm.module_argument(args.at(0))?);
        Ok(Value::Bool(!Rc::ptr_eq(&class, &module) && module.is_module() && class.is_below(&module)))
    }),
    Row("instance_methods", 0, 1, |vm, this, args| method_names(vm, this, args, |it| it != Visibility::Private)),
    Row("public_instance_methods", 0, 1, |vm, this, args| method_names(vm, this, args, |it| it == Visibility::Public)),
    Row("private_instance_methods", 0, 1, |vm, this, args| {
        method_names(vm, this, args, |it| it == Visibility::Private)
    }),
    Row("instance_method", 1, 1, instance_method),
    Row("public_instance_method", 1, 1, instance_method),
    Row("method_defined?", 1, 2, |vm, this, args| has_method(vm, this, args, |it| it != Visibility::Private)),
    Row("public_method_defined?", 1, 2, |vm, this, args| has_method(vm, this, args, |it| it == Visibility::Public)),
    Row("private_method_defined?", 1, 2, |vm, this, args| has_method(vm, this, args, |it| it == Visibility::Private)),
    Row("protected_method_defined?", 1, 2, |vm, this, args| {
        has_method(vm, this, args, |it| it == Visibility::Protected)
    }),
    Row("attr_reader", 0, -1, |vm, this, args| attributes(vm, this, args, true, false)),
    Row("attr", 0, -1, |vm, this, args| attributes(vm, this, args, true, false)),
    Row("attr_writer", 0, -1, |vm, this, args| attributes(vm, this, args, false, true)),
    Row("attr_accessor", 0, -1, |vm, this, args| attributes(vm, this, args, true, true)),
    Row("define_method", 1, 2, |vm, this, args| {
        let class = vm.class_argument(this)?;
        define_method_in(vm, &class, args, Visibility::Public)
    }),
    Row("alias_method", 2, 2, |vm, this, args| {
        let class = vm.class_argument(this)?;
        vm.alias(&class, args.at(0), args.at(1))?;
        Ok(Value::Sym(vm.name(args.at(0))?))
    }),
    Row("remove_method", 0, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        for name in args.values {
            let name = vm.name(name)?;
            if class.methods.borrow_mut().remove(&name).is_none() {
                let shown = vm.name_of(&class);
                let message = format!("method `{}' not defined in {shown}", name.as_str());
                return Err(vm.error("NameError", &message));
            }
            class.order.borrow_mut().retain(|it| *it != name);
        }
        vm.classes_changed();
        Ok(this.clone())
    }),
    Row("undef_method", 0, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        for name in args.values {
            vm.undefine(&class, name)?;
        }
        Ok(this.clone())
    }),
    Row("private", 0, -1, |vm, this, args| visibility(vm, this, args, Visibility::Private)),
    Row("public", 0, -1, |vm, this, args| visibility(vm, this, args, Visibility::Public)),
    Row("protected", 0, -1, |vm, this, args| visibility(vm, this, args, Visibility::Protected)),
    Row("module_function", 0, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        let singleton = vm.singleton_class(this)?;
        for name in vm.names(args.values)? {
            let Some(method) = vm.find_method(&class, name) else {
                return Err(vm.no_such_method(&class, name.as_str()));
            };
            vm.add_method(&singleton, name, method.body.clone(), Visibility::Public);
            vm.add_method(&class, name, method.body.clone(), Visibility::Private);
        }
        Ok(Value::Nil)
    }),
    Row("private_class_method", 0, -1, |vm, this, args| {
        let singleton = Value::Class(vm.singleton_class(this)?);
        visibility(vm, &singleton, args, Visibility::Private)?;
        Ok(Value::Nil)
    }),
    Row("public_class_method", 0, -1, |vm, this, args| {
        let singleton = Value::Class(vm.singleton_class(this)?);
        visibility(vm, &singleton, args, Visibility::Public)?;
        Ok(Value::Nil)
    }),
    Row("private_constant", 0, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        let names = vm.names(args.values)?;
        class.private_constants.borrow_mut().extend(names);
        Ok(Value::Nil)
    }),
    Row("const_get", 1, 2, |vm, this, args| {
        let name = vm.name(args.at(0))?;
        let mut scope = this.clone();
        for part in name.as_str().split("::").filter(|part| !part.is_empty()) {
            if !part.starts_with(|letter: char| letter.is_uppercase()) {
                return Err(vm.name_error("NameError", &format!("wrong constant name {part}"), name, this));
            }
            let class = vm.class_argument(&scope)?;
            let known = vm.core.object.constant(Sym::new(part));
            scope = match (class.ancestors().iter().find_map(|it| it.constant(Sym::new(part))), known) {
                (Some(value), _) | (None, Some(value)) => value,
                (None, None) => vm.scoped_constant(&scope, Sym::new(part))?,
            };
        }
        Ok(scope)
    }),
    Row("const_set", 2, 2, |vm, this, args| {
        let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
        if !name.as_str().starts_with(|letter: char| letter.is_uppercase()) {
            return Err(vm.name_error("NameError", &format!("wrong constant name {}", name.as_str()), name, this));
        }
        vm.put_constant(&class, name, args.at(1).clone());
        Ok(args.at(1).clone())
    }),
    Row("const_defined?", 1, 2, |vm, this, args| {
        let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
        let mut scope = Some(class);
        let mut parts = name.as_str().split("::").filter(|part| !part.is_empty()).peekable();
        while let (Some(part), Some(class)) = (parts.next(), scope.take()) {
            let part = Sym::new(part);
            let found = class.ancestors().iter().find_map(|it| it.constant(part));
            match found.or_else(|| vm.core.object.constant(part)) {
                Some(_) if parts.peek().is_none() => return Ok(Value::Bool(true)),
                Some(Value::Class(class)) => scope = Some(class),
                _ => return Ok(Value::Bool(false)),
            }
        }
        Ok(Value::Bool(false))
    }),
    Row("constants", 0, 1, |vm, this, _| {
        let class = vm.class_argument(this)?;
        let hidden = class.private_constants.borrow().clone();
        let names =
            class.constants.borrow().keys().copied().filter(|it| !hidden.contains(it)).map(Value::Sym).collect();
        Ok(Value::array(names))
    }),
    Row("remove_const", 1, 1, |vm, this, args| {
        let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
        let removed = class.constants.borrow_mut().shift_remove(&name);
        Ok(removed.into())
    }),
    Row("class_variable_get", 1, 1, |vm, this, args| {
        let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
        let found = class.ancestors().iter().find_map(|it| it.class_variables.borrow().get(&name).cloned());
        match found {
            Some(value) => Ok(value),
            None => {
                let shown = vm.name_of(&class);
                Err(vm.error("NameError", &format!("uninitialized class variable {} in {shown}", name.as_str())))
            }
        }
    }),
    Row("class_variable_set", 2, 2, |vm, this, args| {
        let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
        class.class_variables.borrow_mut().insert(name, args.at(1).clone());
        Ok(args.at(1).clone())
    }),
    Row("class_variable_defined?", 1, 1, |vm, this, args| {
        let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
        let is_known = class.ancestors().iter().any(|it| it.class_variables.borrow().contains_key(&name));
        Ok(Value::Bool(is_known))
    }),
    Row("class_variables", 0, 1, |vm, this, _| {
        let class = vm.class_argument(this)?;
        let names = class.class_variables.borrow().keys().copied().map(Value::Sym).collect();
        Ok(Value::array(names))
    }),
    Row("class_eval", 0, 3, super::object::instance_exec),
    Row("module_eval", 0, 3, super::object::instance_exec),
    Row("class_exec", 0, -1, super::object::instance_exec),
    Row("module_exec", 0, -1, super::object::instance_exec),
    Row("hash", 0, 0, |_, this, _| Ok(Value::int(this.address().unwrap_or_default() >> 4))),
    Row("included", 1, 1, |_, _, _| Ok(Value::Nil)),
    Row("extended", 1, 1, |_, _, _| Ok(Value::Nil)),
    Row("prepended", 1, 1, |_, _, _| Ok(Value::Nil)),
    Row("singleton_class?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.class_argument(this)?.is_singleton()))),
];

/// Methods of classes alone.
pub(super) const CLASS: &[Row] = &[
    Row("new", 0, -1, |vm, this, args| {
        let class = vm.class_argument(this)?;
        let made = vm.allocate(&class)?;
        vm.initialize(&made, args)?;
        Ok(made)
    }),
    Row("allocate", 0, 0, |vm, this, _| {
        let class = vm.class_argument(this)?;
        vm.allocate(&class)
    }),
    Row("superclass", 0, 0, |vm, this, _| {
        let class = vm.class_argument(this)?;
        let above = class.superclass.borrow().clone();
        Ok(above.map_or(Value::Nil, |it| Value::Class(if class.is_singleton() { it } else { it.real() })))
    }),
    Row("inherited", 1, 1, |_, _, _| Ok(Value::Nil)),
];

/// `Class.new` and `Module.new`.
pub(super) const NEW_CLASS: &[Row] = &[Row("new", 0, 1, |vm, _, args| {
    let above = match args.values.first() {
        Some(Value::Class(class)) if Rc::ptr_eq(class, &vm.core.class) => {
            return Err(vm.type_error("can't make subclass of Class"));
        }
        Some(Value::Class(class)) if !class.is_module() => class.clone(),
        Some(other) => {
            let shown = vm.class_name(other);
            let message = format!("superclass must be an instance of Class (given an instance of {shown})");
            return Err(vm.type_error(&message));
        }
        None => vm.core.object.clone(),
    };
    let class = Value::Class(Class::new(None, Kind::Class, Some(above.clone())));
    vm.notify(&Value::Class(above), sym::INHERITED, class.clone())?;
    body_of(vm, &class, args)
})];

/// `Module.new`.
pub(super) const NEW_MODULE: &[Row] = &[Row("new", 0, 0, |vm, _, args| {
    let module = Value::Class(Class::new(None, Kind::Module, None));
    body_of(vm, &module, args)
})];

fn body_of(vm: &mut Vm, class: &Value, args: Args<'_>) -> Outcome {
    if let Some(block) = args.block {
        let values = std::slice::from_ref(class);
        vm.run_block(block, Args::of(values), Some((class, None)))?;
    }
    Ok(class.clone())
}

fn instance_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
    match vm.find_method(&class, name) {
        Some(method) => Ok(Value::Method(Rc::new(MethodObject { receiver: None, method, name }))),
        None => Err(vm.no_such_method(&class, name.as_str())),
    }
}

fn below(vm: &mut Vm, this: &Value, other: &Value, or_same: bool) -> Outcome {
    let class = vm.class_argument(this)?;
    let Value::Class(other) = other else { return Err(vm.type_error("compared with non class/module")) };
    Ok(match (class.is_below(other), other.is_below(&class)) {
        (true, true) => Value::Bool(or_same),
        (true, false) => Value::Bool(true),
        (false, true) => Value::Bool(false),
        (false, false) => Value::Nil,
    })
}

fn method_names(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: fn(Visibility) -> bool) -> Outcome {
    let class = vm.class_argument(this)?;
    let with_inherited = args.values.first().is_none_or(Value::is_truthy);
    let classes = if with_inherited { class.ancestors() } else { vec![class] };
    let mut names: Vec<Value> = Vec::new();
    for class in classes {
        for name in class.order.borrow().iter() {
            let is_wanted = class.methods.borrow().get(name).is_some_and(|it| wanted(it.visibility));
            if is_wanted && !names.iter().any(|it| it.is_same(&Value::Sym(*name))) {
                names.push(Value::Sym(*name));
            }
        }
    }
    Ok(Value::array(names))
}

fn has_method(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: fn(Visibility) -> bool) -> Outcome {
    let (class, name) = (vm.class_argument(this)?, vm.name(args.at(0))?);
    if matches!(args.get(1), Some(Value::Nil | Value::Bool(false))) {
        let own = class.methods.borrow().get(&name).cloned();
        return Ok(Value::Bool(own.is_some_and(|it| wanted(it.visibility))));
    }
    Ok(Value::Bool(vm.find_method(&class, name).is_some_and(|it| wanted(it.visibility))))
}

fn attributes(vm: &mut Vm, this: &Value, args: Args<'_>, reads: bool, writes: bool) -> Outcome {
    let class = vm.class_argument(this)?;
    let mut made = Vec::new();
    for name in vm.names(args.values)? {
        let is_letter = |letter: char| letter == '_' || letter.is_alphanumeric() || !letter.is_ascii();
        if name.as_str().starts_with(|first: char| first.is_ascii_digit()) || !name.as_str().chars().all(is_letter) {
            let message = format!("invalid attribute name `{}'", name.as_str());
            return Err(vm.error("NameError", &message));
        }
        let variable = Sym::new(&format!("@{}", name.as_str()));
        if reads {
            vm.add_method(&class, name, Body::Reader(variable), Visibility::Public);
            made.push(Value::Sym(name));
        }
        if writes {
            let writer = Sym::new(&format!("{}=", name.as_str()));
            vm.add_method(&class, writer, Body::Writer(variable), Visibility::Public);
            made.push(Value::Sym(writer));
        }
    }
    Ok(Value::array(made))
}

/// `define_method`, with a block, a proc or a method.
pub(super) fn define_method_in(vm: &mut Vm, class: &Rc<Class>, args: Args<'_>, visibility: Visibility) -> Outcome {
    let name = vm.name(args.at(0))?;
    let body = match (args.get(1), args.block) {
        (Some(Value::Proc(proc)), _) | (None, Some(proc)) => Body::Proc(proc.clone()),
        (Some(Value::Method(method)), _) => method.method.body.clone(),
        (Some(other), _) => {
            let shown = vm.class_name(other);
            return Err(vm.type_error(&format!("wrong argument type {shown} (expected Proc/Method/UnboundMethod)")));
        }
        (None, None) => return Err(vm.argument_error("tried to create Proc object without a block")),
    };
    vm.add_method(class, name, body, visibility);
    Ok(Value::Sym(name))
}

fn visibility(vm: &mut Vm, this: &Value, args: Args<'_>, visibility: Visibility) -> Outcome {
    let class = vm.class_argument(this)?;
    for name in vm.names(args.values)? {
        let Some(method) = vm.find_method(&class, name) else {
            return Err(vm.no_such_method(&class, name.as_str()));
        };
        let owner = Rc::downgrade(&class);
        class.add_method(name, Rc::new(Method { name, owner, visibility, body: method.body.clone() }));
        vm.classes_changed();
    }
    Ok(crate::interpreter::iterate::packed(args.values))
}

impl Vm {
    /// An argument that has to be a class or a module.
    pub(crate) fn class_argument(&mut self, value: &Value) -> Outcome<Rc<Class>> {
        match value {
            Value::Class(class) => Ok(class.clone()),
            _ => Err(self.type_error("class or module required")),
        }
    }

    /// An argument that has to be a module.
    pub(super) fn module_argument(&mut self, value: &Value) -> Outcome<Rc<Class>> {
        match value {
            Value::Class(class) if class.is_module() => Ok(class.clone()),
            other => {
                let class = self.described(other);
                Err(self.type_error(&format!("wrong argument type {class} (expected Module)")))
            }
        }
    }

    /// Names, given one by one or as an array.
    fn names(&mut self, values: &[Value]) -> Outcome<Vec<Sym>> {
        let mut names = Vec::new();
        for value in values {
            match value {
                Value::Array(array) => {
                    let items = array.items.borrow().clone();
                    for item in &items {
                        names.push(self.name(item)?);
                    }
                }
                other => names.push(self.name(other)?),
            }
        }
        Ok(names)
    }

    pub(crate) fn no_such_method(&mut self, class: &Rc<Class>, name: &str) -> Box<crate::interpreter::Stop> {
        let kind = if class.is_module() { "module" } else { "class" };
        let shown = self.name_of(class);
        self.error("NameError", &format!("undefined method `{name}' for {kind} `{shown}'"))
    }

    pub(crate) fn include(&mut self, class: &Rc<Class>, module: &Rc<Class>) {
        if !class.is_below(module) {
            class.includes.borrow_mut().insert(0, module.clone());
            self.classes_changed();
        }
    }

    /// A new instance that is not initialized yet.
    pub(crate) fn allocate(&mut self, class: &Rc<Class>) -> Outcome {
        let core = &self.core;
        let own = |plain: &Rc<Class>| !Rc::ptr_eq(plain, class);
        let (made, is_own) = if class.is_below(&core.string) {
            (Value::Str(Rc::new(Str::default())), own(&core.string))
        } else if class.is_below(&core.array) {
            (Value::Array(Rc::new(Array::default())), own(&core.array))
        } else if class.is_below(&core.hash) {
            (Value::Hash(Rc::new(Hash::default())), own(&core.hash))
        } else {
            (Value::Object(Rc::new(Object::new(class.clone()))), false)
        };
        if is_own && let Some(head) = made.head() {
            head.set_class(class.clone());
        }
        Ok(made)
    }

    pub(crate) fn initialize(&mut self, made: &Value, args: Args<'_>) -> Outcome<()> {
        let class = self.class_of(made);
        match self.find_method(&class, sym::INITIALIZE) {
            Some(method) => self.invoke(made, &method, args).map(|_| ()),
            None if args.values.is_empty() => Ok(()),
            None => Err(self.wrong_count(args.len(), 0, Some(0))),
        }
    }

    /// A new instance of one of Ruby's own classes.
    pub(crate) fn make(&mut self, class: &str, args: &[Value]) -> Outcome {
        let class = self.constant_class(class);
        self.send(&Value::Class(class), sym::NEW, args)
    }

    /// One of Ruby's own classes, by its name.
    pub(crate) fn constant_class(&self, name: &str) -> Rc<Class> {
        match self.core.object.constant(Sym::new(name)) {
            Some(Value::Class(class)) => class,
            _ => self.core.standard_error.clone(),
        }
    }
}

/// What the object of the top level can do besides: it speaks for `Object`.
pub(crate) const MAIN: &[Row] = &[
    Row("include", 1, -1, |vm, _, args| for_object(vm, "include", args)),
    Row("define_method", 1, 2, |vm, _, args| for_object(vm, "define_method", args)),
    Row("public", 0, -1, |vm, _, args| for_object(vm, "public", args)),
    Row("private", 0, -1, |vm, _, args| for_object(vm, "private", args)),
    Row("to_s", 0, 0, |_, _, _| Ok(Value::str("main"))),
    Row("inspect", 0, 0, |_, _, _| Ok(Value::str("main"))),
];

fn for_object(vm: &mut Vm, name: &str, args: Args<'_>) -> Outcome {
    let object = Value::Class(vm.core.object.clone());
    vm.send_with(&object, Sym::new(name), args, true)
}
