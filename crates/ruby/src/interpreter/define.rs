//! Definitions: methods, classes, modules, constants and class variables.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::class::{Body, Class, Kind, Method, Visibility};
use super::code::{Args, Frame, Locals, Nesting, Place};
use super::symbol::{Sym, sym};
use super::tree::{ClassBody, ClassKind, Definition, Node};
use super::value::Value;
use super::{Outcome, Vm};

impl Vm {
    pub(super) fn define(&mut self, definition: &Arc<Definition>, at: Place<'_>) -> Outcome {
        let class = at.frame.definee.clone();
        let is_hidden = matches!(definition.name.as_str(), "initialize" | "initialize_copy" | "respond_to_missing?");
        let visibility = if is_hidden { Visibility::Private } else { at.frame.visibility.get() };
        let body = Body::Code(definition.clone(), at.frame.nesting.clone());
        let is_function = at.frame.is_module_function.get();
        let visibility = if is_function { Visibility::Private } else { visibility };
        self.add_method(&class, definition.name, body.clone(), visibility);
        self.notify(&Value::Class(class.clone()), sym::METHOD_ADDED, Value::Sym(definition.name))?;
        if is_function {
            let singleton = self.singleton_class(&Value::Class(class))?;
            self.add_method(&singleton, definition.name, body, Visibility::Public);
        }
        Ok(Value::Sym(definition.name))
    }

    pub(super) fn define_on(&mut self, receiver: &Node, definition: &Arc<Definition>, at: Place<'_>) -> Outcome {
        let receiver = self.eval(receiver, at)?;
        if matches!(receiver, Value::Object(_)) && receiver.is_frozen() {
            let shown = self.inspect(&receiver)?;
            return Err(self.error("FrozenError", &format!("can't modify frozen object: {shown}")));
        }
        let singleton = self.singleton_class(&receiver)?;
        let body = Body::Code(definition.clone(), at.frame.nesting.clone());
        self.add_method(&singleton, definition.name, body, Visibility::Public);
        Ok(Value::Sym(definition.name))
    }

    pub(crate) fn add_method(&mut self, class: &Rc<Class>, name: Sym, body: Body, visibility: Visibility) {
        let owner = Rc::downgrade(class);
        class.add_method(name, Rc::new(Method { name, owner, visibility, body }));
        self.classes_changed();
    }

    pub(crate) fn alias(&mut self, class: &Rc<Class>, new: &Value, old: &Value) -> Outcome {
        let (new, old) = (self.to_s(new)?, self.to_s(old)?);
        let Some(method) = self.find_method(class, Sym::new(&old)) else {
            let kind = if class.is_module() { "module" } else { "class" };
            let name = self.name_of(class);
            return Err(self.error("NameError", &format!("undefined method `{old}' for {kind} `{name}'")));
        };
        let copy = Method {
            name: method.name,
            owner: method.owner.clone(),
            visibility: method.visibility,
            body: method.body.clone(),
        };
        class.add_method(Sym::new(&new), Rc::new(copy));
        self.classes_changed();
        Ok(Value::Nil)
    }

    pub(crate) fn undefine(&mut self, class: &Rc<Class>, name: &Value) -> Outcome<()> {
        let name = self.to_s(name)?;
        if self.find_method(class, Sym::new(&name)).is_none() {
            let (kind, class) = (if class.is_module() { "module" } else { "class" }, self.name_of(class));
            return Err(self.error("NameError", &format!("undefined method `{name}' for {kind} `{class}'")));
        }
        self.add_method(class, Sym::new(&name), Body::Undefined, Visibility::Public);
        Ok(())
    }

    pub(super) fn class_body(&mut self, body: &ClassBody, at: Place<'_>) -> Outcome {
        let class = match body.kind {
            ClassKind::Singleton => {
                let object = match &body.superclass {
                    Some(object) => self.eval(object, at)?,
                    None => Value::Nil,
                };
                self.singleton_class(&object)?
            }
            _ => self.open_class(body, at)?,
        };
        let frame = Rc::new(Frame {
            this: Value::Class(class.clone()),
            method: None,
            block: None,
            id: self.next_serial(),
            nesting: Rc::new(Nesting { module: class.clone(), outer: Some(at.frame.nesting.clone()) }),
            definee: class,
            visibility: Cell::new(Visibility::Public),
            is_module_function: Cell::new(false),
            last_match: Rc::new(RefCell::new(None)),
            file: at.frame.file.clone(),
            args: Vec::new(),
            label: body.label,
        });
        let locals = Locals::new(body.locals.len(), None);
        self.deeper(|vm| vm.eval_top(&body.body, Place { frame: &frame, locals: &locals }))
    }

    /// The class of a body: the one there is, or a new one.
    fn open_class(&mut self, body: &ClassBody, at: Place<'_>) -> Outcome<Rc<Class>> {
        let scope = match &body.scope {
            Some(scope) => match self.eval(scope, at)? {
                Value::Class(class) => class,
                other => {
                    let shown = self.inspect(&other)?;
                    return Err(self.type_error(&format!("{shown} is not a class/module")));
                }
            },
            None if body.is_top => self.core.object.clone(),
            None => at.frame.nesting.module.clone(),
        };
        let superclass = match &body.superclass {
            Some(node) => match self.eval(node, at)? {
                Value::Class(class) if !class.is_module() => Some(class),
                other => {
                    let shown = self.class_name(&other);
                    let message = format!("superclass must be an instance of Class (given an instance of {shown})");
                    return Err(self.type_error(&message));
                }
            },
            None => None,
        };
        let is_module = body.kind == ClassKind::Module;
        let known = match scope.constant(body.name) {
            None if Rc::ptr_eq(&scope, &self.core.object) => self.autoloaded(body.name),
            known => known,
        };
        match known {
            Some(Value::Class(class)) if class.is_module() == is_module => {
                let above = class.superclass.borrow().clone();
                if let (Some(expected), Some(above)) = (superclass, above)
                    && !Rc::ptr_eq(&expected, &above.real())
                {
                    let message = format!("superclass mismatch for class {}", body.name.as_str());
                    return Err(self.type_error(&message));
                }
                Ok(class)
            }
            Some(_) => {
                let kind = if is_module { "module" } else { "class" };
                let name = body.name.as_str();
                Err(self.type_error(&format!("{name} is not a {kind}\n:: previous definition of {name} was here")))
            }
            None => {
                let above = superclass.unwrap_or_else(|| self.core.object.clone());
                let class = match is_module {
                    true => Class::new(None, Kind::Module, None),
                    false => Class::new(None, Kind::Class, Some(above.clone())),
                };
                self.name_class(&scope, body.name, &class);
                scope.constants.borrow_mut().insert(body.name, Value::Class(class.clone()));
                if !is_module {
                    self.notify(&Value::Class(above), sym::INHERITED, Value::Class(class.clone()))?;
                }
                Ok(class)
            }
        }
    }

    /// Calls a hook such as `inherited`, where a class has one.
    pub(crate) fn notify(&mut self, receiver: &Value, hook: Sym, about: Value) -> Outcome<()> {
        let class = self.class_of(receiver);
        if let Some(method) = self.find_method(&class, hook) {
            self.invoke(receiver, &method, Args::of(&[about]))?;
        }
        Ok(())
    }

    fn name_class(&self, scope: &Rc<Class>, name: Sym, class: &Rc<Class>) {
        if class.name.borrow().is_some() {
            return;
        }
        let name = match Rc::ptr_eq(scope, &self.core.object) {
            true => name.as_str().to_string(),
            false => format!("{}::{}", self.name_of(scope), name.as_str()),
        };
        *class.name.borrow_mut() = Some(name);
    }

    /// A constant: of the modules around, then of the class and those above it.
    pub(super) fn find_constant(&mut self, name: Sym, at: Place<'_>) -> Option<Value> {
        let mut nesting = Some(&at.frame.nesting);
        while let Some(current) = nesting {
            if current.outer.is_some()
                && let Some(value) = current.module.constant(name)
            {
                return Some(value);
            }
            nesting = current.outer.as_ref();
        }
        let class = &at.frame.nesting.module;
        class
            .ancestors()
            .iter()
            .find_map(|class| class.constant(name))
            .or_else(|| self.core.object.constant(name))
            .or_else(|| self.autoloaded(name))
    }

    /// A constant of a library that Ruby has from the start but that few files ask for.
    pub(crate) fn autoloaded(&mut self, name: Sym) -> Option<Value> {
        if name.as_str() == "TOPLEVEL_BINDING" {
            let top = self.top.clone()?;
            return Some(self.binding_value(top));
        }
        let library = crate::library::providing(name.as_str())?;
        self.require(library).ok()?;
        self.core.object.constant(name)
    }

    pub(super) fn constant(&mut self, name: Sym, at: Place<'_>) -> Outcome {
        match self.find_constant(name, at) {
            Some(value) => Ok(value),
            None => {
                let module = at.frame.nesting.module.clone();
                self.missing_constant(&module, name)
            }
        }
    }

    fn missing_constant(&mut self, class: &Rc<Class>, name: Sym) -> Outcome {
        let receiver = Value::Class(class.clone());
        let meta = self.class_of(&receiver);
        if let Some(method) = self.find_method(&meta, sym::CONST_MISSING) {
            return self.invoke(&receiver, &method, Args::of(&[Value::Sym(name)]));
        }
        if let Some(outcome) = self.lacking_constant(name) {
            return outcome;
        }
        let shown = match Rc::ptr_eq(class, &self.core.object) {
            true => name.as_str().to_string(),
            false => format!("{}::{}", self.name_of(class), name.as_str()),
        };
        Err(self.name_error("NameError", &format!("uninitialized constant {shown}"), name, &receiver))
    }

    pub(crate) fn scoped_constant(&mut self, scope: &Value, name: Sym) -> Outcome {
        let Value::Class(class) = scope else {
            let shown = self.inspect(scope)?;
            return Err(self.type_error(&format!("{shown} is not a class/module")));
        };
        match class.ancestors().iter().find_map(|class| class.constant(name)) {
            Some(_) if class.private_constants.borrow().contains(&name) => {
                let message = format!("private constant {}::{} referenced", self.name_of(class), name.as_str());
                Err(self.error("NameError", &message))
            }
            Some(value) => Ok(value),
            None if Rc::ptr_eq(class, &self.core.object)
                && let Some(value) = self.autoloaded(name) =>
            {
                Ok(value)
            }
            None => self.missing_constant(class, name),
        }
    }

    /// `Scope::Name`: what is at the top of everything is not inside another class.
    pub(super) fn constant_inside(&mut self, scope: &Value, name: Sym) -> Outcome {
        if let Value::Class(class) = scope
            && !Rc::ptr_eq(class, &self.core.object)
            && !class.ancestors().iter().any(|it| !Rc::ptr_eq(it, &self.core.object) && it.constant(name).is_some())
        {
            return self.missing_constant(class, name);
        }
        self.scoped_constant(scope, name)
    }

    pub(super) fn set_constant(&mut self, scope: Option<Value>, name: Sym, value: Value, at: Place<'_>) {
        let scope = match scope {
            Some(Value::Class(class)) => class,
            _ => at.frame.nesting.module.clone(),
        };
        self.put_constant(&scope, name, value);
    }

    /// Sets a constant; a class without a name gets it from there.
    pub(crate) fn put_constant(&mut self, scope: &Rc<Class>, name: Sym, value: Value) {
        if let Value::Class(class) = &value {
            self.name_class(scope, name, class);
        }
        scope.constants.borrow_mut().insert(name, value);
    }

    /// The class whose class variables code sees.
    fn class_for_variables(&self, at: Place<'_>) -> Rc<Class> {
        let mut nesting = &at.frame.nesting;
        while let (true, Some(outer)) = (nesting.module.is_singleton(), &nesting.outer) {
            nesting = outer;
        }
        nesting.module.clone()
    }

    pub(super) fn class_variable(&mut self, name: Sym, at: Place<'_>) -> Outcome {
        let class = self.class_for_variables(at);
        let found = class.ancestors().iter().find_map(|class| class.class_variables.borrow().get(&name).cloned());
        match found {
            Some(value) => Ok(value),
            None => {
                let message = format!("uninitialized class variable {} in {}", name.as_str(), self.name_of(&class));
                Err(self.error("NameError", &message))
            }
        }
    }

    pub(super) fn set_class_variable(&mut self, name: Sym, value: Value, at: Place<'_>) {
        let class = self.class_for_variables(at);
        let ancestors = class.ancestors();
        let known = ancestors.iter().find(|class| class.class_variables.borrow().contains_key(&name));
        known.unwrap_or(&class).class_variables.borrow_mut().insert(name, value);
    }
}
