//! Code that runs: frames of methods, their local variables, and blocks that remember both.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::class::{Class, Method, Visibility};
use super::regexp::Match;
use super::symbol::Sym;
use super::tree;
use super::value::{MethodObject, Value};
use super::{Outcome, Vm};

/// The modules that surround a piece of code, innermost first.
pub(crate) struct Nesting {
    pub(crate) module: Rc<Class>,
    pub(crate) outer: Option<Rc<Nesting>>,
}

/// One run of a method, a file or the body of a class. Blocks inside share it.
pub(crate) struct Frame {
    pub(crate) this: Value,
    pub(crate) method: Option<Rc<Method>>,
    pub(crate) block: Option<Rc<Proc>>,
    /// What `return` goes to.
    pub(crate) id: u64,
    pub(crate) nesting: Rc<Nesting>,
    /// Where `def` defines.
    pub(crate) definee: Rc<Class>,
    pub(crate) visibility: Cell<Visibility>,
    pub(crate) is_module_function: Cell<bool>,
    /// `$~`: that of a method and its blocks.
    pub(crate) last_match: Rc<RefCell<Option<Rc<Match>>>>,
    pub(crate) file: Arc<str>,
    /// The arguments, where `super` without any needs them: in a method that a block defines.
    pub(crate) args: Vec<Value>,
    /// How backtraces call the code.
    pub(crate) label: Sym,
}

impl Frame {
    /// The same place, for code of another file.
    pub(crate) fn in_file(&self, file: &str) -> Frame {
        Frame {
            this: self.this.clone(),
            method: self.method.clone(),
            block: self.block.clone(),
            id: self.id,
            nesting: self.nesting.clone(),
            definee: self.definee.clone(),
            visibility: Cell::new(self.visibility.get()),
            is_module_function: Cell::new(false),
            last_match: self.last_match.clone(),
            file: file.into(),
            args: self.args.clone(),
            label: self.label,
        }
    }
}

/// Local variables.
pub(crate) struct Locals {
    pub(crate) slots: RefCell<Vec<Value>>,
    pub(crate) outer: Option<Rc<Locals>>,
}

impl Locals {
    pub(crate) fn new(count: usize, outer: Option<Rc<Locals>>) -> Rc<Locals> {
        let slots = RefCell::new(vec![Value::Nil; count]);
        Rc::new(Locals { slots, outer })
    }

    pub(crate) fn get(&self, depth: u32, slot: u32) -> Value {
        let mut locals = self;
        for _ in 0..depth {
            match &locals.outer {
                Some(outer) => locals = outer,
                None => return Value::Nil,
            }
        }
        locals.slots.borrow().get(slot as usize).cloned().unwrap_or(Value::Nil)
    }

    pub(crate) fn set(&self, depth: u32, slot: u32, value: Value) {
        let mut locals = self;
        for _ in 0..depth {
            match &locals.outer {
                Some(outer) => locals = outer,
                None => return,
            }
        }
        if let Some(local) = locals.slots.borrow_mut().get_mut(slot as usize) {
            *local = value;
        }
    }
}

/// Where code runs.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) frame: &'a Rc<Frame>,
    pub(crate) locals: &'a Rc<Locals>,
}

/// A block, a proc or a lambda.
pub(crate) struct Proc {
    pub(crate) kind: ProcKind,
    pub(crate) is_lambda: bool,
    /// What `break` ends: the call that was given the block.
    pub(crate) tag: u64,
}

/// What a proc runs.
pub(crate) enum ProcKind {
    Code {
        code: Arc<tree::Block>,
        frame: Rc<Frame>,
        locals: Rc<Locals>,
    },
    /// `&:name`.
    Symbol(Sym),
    Method(Rc<MethodObject>),
    /// A block of the interpreter's own: what it does, and how many arguments it takes.
    Native(NativeBlock, i64),
}

/// A block of the interpreter's own.
pub(crate) type NativeBlock = Rc<dyn Fn(&mut Vm, &[Value]) -> Outcome>;

impl Proc {
    pub(crate) fn native(arity: i64, work: impl Fn(&mut Vm, &[Value]) -> Outcome + 'static) -> Rc<Proc> {
        Rc::new(Proc { kind: ProcKind::Native(Rc::new(work), arity), is_lambda: false, tag: 0 })
    }
}

/// The arguments of a call.
#[derive(Clone, Copy)]
pub(crate) struct Args<'a> {
    pub(crate) values: &'a [Value],
    pub(crate) block: Option<&'a Rc<Proc>>,
    /// Whether the last value is a hash of keywords.
    pub(crate) keywords: bool,
}

impl<'a> Args<'a> {
    pub(crate) const NONE: Args<'static> = Args { values: &[], block: None, keywords: false };

    pub(crate) fn of(values: &'a [Value]) -> Args<'a> {
        Args { values, block: None, keywords: false }
    }

    pub(crate) fn with_block(values: &'a [Value], block: Option<&'a Rc<Proc>>) -> Args<'a> {
        Args { values, block, keywords: false }
    }

    pub(crate) fn get(&self, index: usize) -> Option<&'a Value> {
        self.values.get(index)
    }

    /// An argument; nil if it is not given.
    pub(crate) fn at(&self, index: usize) -> &'a Value {
        self.values.get(index).unwrap_or(&Value::Nil)
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Those behind the first.
    pub(crate) fn after_first(&self) -> Args<'a> {
        Args { values: self.values.get(1..).unwrap_or_default(), ..*self }
    }

    /// The keywords as a hash, and the arguments without them.
    pub(crate) fn split_keywords(&self) -> (&'a [Value], Option<&'a Value>) {
        match self.values.split_last() {
            Some((last @ Value::Hash(_), others)) if self.keywords => (others, Some(last)),
            _ => (self.values, None),
        }
    }

    /// A keyword.
    pub(crate) fn keyword(&self, name: &str) -> Option<Value> {
        match self.values.last() {
            Some(Value::Hash(hash)) => hash.entries.borrow().get(&super::hash::Key::sym(name)).cloned(),
            _ => None,
        }
    }
}
