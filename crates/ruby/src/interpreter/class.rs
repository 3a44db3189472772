//! Classes and modules, and the methods they have.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::code::{Nesting, Proc};
use super::session::Native;
use super::symbol::Sym;
use super::tree;
use super::value::{Value, Variables};

/// A class, a module or a singleton class.
pub(crate) struct Class {
    pub(crate) name: RefCell<Option<String>>,
    pub(crate) kind: Kind,
    pub(crate) superclass: RefCell<Option<Rc<Class>>>,
    pub(crate) methods: RefCell<FxHashMap<Sym, Rc<Method>>>,
    /// In which order methods were defined.
    pub(crate) order: RefCell<Vec<Sym>>,
    pub(crate) constants: RefCell<Variables>,
    pub(crate) class_variables: RefCell<Variables>,
    pub(crate) variables: RefCell<Variables>,
    /// Included modules, the last one first.
    pub(crate) includes: RefCell<Vec<Rc<Class>>>,
    pub(crate) prepends: RefCell<Vec<Rc<Class>>>,
    /// The class of this class, once somebody asked for it.
    pub(crate) singleton: RefCell<Option<Rc<Class>>>,
    pub(crate) private_constants: RefCell<Vec<Sym>>,
    /// The class that this is the singleton class of.
    pub(crate) attached: RefCell<Weak<Class>>,
    pub(crate) frozen: Cell<bool>,
}

/// What kind of class it is.
#[derive(Clone)]
pub(crate) enum Kind {
    Class,
    Module,
    /// The class of one object.
    Singleton,
}

impl Class {
    pub(crate) fn new(name: Option<&str>, kind: Kind, superclass: Option<Rc<Class>>) -> Rc<Class> {
        Rc::new(Class {
            name: RefCell::new(name.map(str::to_owned)),
            kind,
            superclass: RefCell::new(superclass),
            methods: RefCell::default(),
            order: RefCell::default(),
            constants: RefCell::default(),
            class_variables: RefCell::default(),
            variables: RefCell::default(),
            includes: RefCell::default(),
            prepends: RefCell::default(),
            singleton: RefCell::default(),
            private_constants: RefCell::default(),
            attached: RefCell::default(),
            frozen: Cell::new(false),
        })
    }

    pub(crate) fn is_module(&self) -> bool {
        matches!(self.kind, Kind::Module)
    }

    pub(crate) fn is_singleton(&self) -> bool {
        matches!(self.kind, Kind::Singleton)
    }

    /// The class itself, or the one that a singleton class stands before.
    pub(crate) fn real(self: &Rc<Class>) -> Rc<Class> {
        let mut class = self.clone();
        while class.is_singleton() {
            let Some(superclass) = class.superclass.borrow().clone() else { break };
            class = superclass;
        }
        class
    }

    /// All classes and modules that methods are looked for in, in that order.
    pub(crate) fn ancestors(self: &Rc<Class>) -> Vec<Rc<Class>> {
        let mut all = Vec::new();
        let mut class = Some(self.clone());
        while let Some(current) = class {
            current.add_with_modules(&mut all);
            class = current.superclass.borrow().clone();
        }
        all
    }

    fn add_with_modules(self: &Rc<Class>, all: &mut Vec<Rc<Class>>) {
        if all.iter().any(|known| Rc::ptr_eq(known, self)) || all.len() > 10_000 {
            return;
        }
        for module in self.prepends.borrow().iter() {
            module.add_with_modules(all);
        }
        all.push(self.clone());
        for module in self.includes.borrow().iter() {
            module.add_with_modules(all);
        }
    }

    /// Whether it is the other one, a class below it, or includes it.
    pub(crate) fn is_below(self: &Rc<Class>, other: &Rc<Class>) -> bool {
        let mut class = Some(self.clone());
        while let Some(current) = class {
            if Rc::ptr_eq(&current, other) || current.has_module(other) {
                return true;
            }
            class = current.superclass.borrow().clone();
        }
        false
    }

    fn has_module(&self, other: &Rc<Class>) -> bool {
        let has = |modules: &[Rc<Class>]| modules.iter().any(|it| Rc::ptr_eq(it, other) || it.has_module(other));
        has(&self.includes.borrow()) || has(&self.prepends.borrow())
    }

    pub(crate) fn constant(&self, name: Sym) -> Option<Value> {
        self.constants.borrow().get(&name).cloned()
    }

    pub(crate) fn add_method(&self, name: Sym, method: Rc<Method>) {
        if self.methods.borrow_mut().insert(name, method).is_none() {
            self.order.borrow_mut().push(name);
        }
    }
}

/// Who may call a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Visibility {
    Public,
    Protected,
    Private,
}

/// A method of a class.
pub(crate) struct Method {
    pub(crate) name: Sym,
    pub(crate) owner: Weak<Class>,
    pub(crate) visibility: Visibility,
    pub(crate) body: Body,
}

/// What a method does.
#[derive(Clone)]
pub(crate) enum Body {
    Native(Native),
    Code(Arc<tree::Definition>, Rc<Nesting>),
    Proc(Rc<Proc>),
    Reader(Sym),
    Writer(Sym),
    /// A member of a struct, read or set.
    Member(Sym),
    SetMember(Sym),
    /// A method that is said not to be there.
    Undefined,
}
