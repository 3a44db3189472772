//! One interpreter of Ruby, on prism's tree, with Ruby's own object model.
//!
//! A file is lowered once (`lower`, `tree`) and run many times (`run`, `call`). Methods of Ruby's own classes stand on
//! the shelf `methods`.

#![allow(clippy::wrong_self_convention, reason = "conversions have Ruby's names")]

mod answer;
mod assign;
mod bind;
pub(crate) mod binding;
mod call;
pub(crate) mod class;
pub(crate) mod code;
pub(crate) mod convert;
mod define;
mod ending;
pub(crate) mod error;
pub(crate) mod hash;
pub(crate) mod iterate;
mod load;
pub(crate) mod lower;
mod matching;
pub(crate) mod order;
pub(crate) mod regexp;
mod run;
pub(crate) mod session;
pub(crate) mod show;
mod suggest;
pub(crate) mod symbol;
mod trace;
pub(crate) mod tree;
pub(crate) mod value;
mod world;

pub use answer::{Answer, answer, answer_in};

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use bunraku_environment::World;
use rustc_hash::FxHashMap;

use crate::library;

use class::{Class, Method, Visibility};
use code::{Frame, Locals, Nesting, Place};
use session::Core;
use symbol::{Sym, sym};
use value::Value;

/// How many calls, iterations and turns of loops a run may take.
const MOST_STEPS: u64 = 50_000_000;
/// How many steps are made until it is asked whether the compilation may go on.
const STEPS_TO_CHECK: u64 = 16384;
/// How deeply calls may nest.
const DEEPEST: u32 = 6_000;
/// How long a string may become, in bytes, and an array, in items.
pub(crate) const LONGEST: usize = 64 << 20;

/// How many bytes the large values of a run may take together, those forgotten since included.
const MOST_MADE: usize = 512 << 20;
/// What counts as a large value, in bytes.
const LARGE: usize = 4096;

/// What code comes to.
pub(crate) type Outcome<T = Value> = Result<T, Box<Stop>>;

/// Why code does not go on where it is.
pub(crate) enum Stop {
    Raise(Value),
    /// Ends the call that was given the block.
    Break(u64, Value),
    Next(Value),
    Return(u64, Value),
    Throw(Value, Value),
    Retry,
    Redo,
    /// A limit is reached; nothing rescues this.
    Limit(&'static str),
    /// The compiler leaves the call; nothing rescues this either.
    Unwind,
    /// Something that Ruby can do and this interpreter cannot.
    Unsupported(String),
}

/// A session: classes, global variables and what was written.
pub(crate) struct Vm {
    pub(crate) core: Core,
    pub(crate) globals: FxHashMap<Sym, Value>,
    pub(crate) output: Vec<u8>,
    /// What was written to standard error.
    pub(crate) errors: Vec<u8>,
    pub(crate) main: Value,
    /// What `at_exit` was given, the first one first.
    pub(crate) at_exit: Vec<Value>,
    cache: FxHashMap<(usize, Sym), Option<Rc<Method>>>,
    /// Patterns that code has put together, by source and options.
    patterns: FxHashMap<(String, regexp::Options), Arc<regexp::Shared>>,
    /// Frozen strings of the source.
    strings: FxHashMap<Box<[u8]>, Rc<value::Str>>,
    serial: u64,
    steps: u64,
    depth: u32,
    /// Where the code is.
    pub(crate) line: u32,
    /// Objects that are being shown, so that one that contains itself can be told.
    pub(crate) showing: Vec<usize>,
    /// The match that a method leaves to the code that called it.
    left: Option<Option<Rc<regexp::Match>>>,
    /// The tags that `catch` waits for.
    pub(crate) catching: Vec<Value>,
    /// Libraries that were required.
    required: Vec<&'static str>,
    /// Files that were loaded.
    loaded: Vec<String>,
    /// How many bytes large values have taken, those forgotten since included.
    made: usize,
    /// The calls that go on.
    levels: Vec<trace::Level>,
    /// The place of the file that runs, for `TOPLEVEL_BINDING`.
    pub(crate) top: Option<Rc<binding::Binding>>,
    /// What is outside, as far as the code may touch it.
    pub(crate) world: Option<Arc<dyn World>>,
    /// How many seconds the code would have slept.
    pub(crate) slept: f64,
    /// How many seconds it may sleep in all before `Timeout` ends it.
    pub(crate) sleep_limit: f64,
    /// The directory that the code has changed to.
    pub(crate) directory: Option<String>,
    /// The variables of the environment, once the code has asked for them.
    pub(crate) environment: Option<indexmap::IndexMap<String, String>>,
    /// Whether messages about names suggest others.
    pub(crate) suggests: bool,
    /// What the session knows of Puppet, where it serves a compiler.
    pub(crate) puppet: crate::bridge::Puppet,
}

impl Vm {
    pub(crate) fn new() -> Vm {
        let core = Core::new();
        let own = Class::new(None, class::Kind::Singleton, Some(core.object.clone()));
        core.add(&own, crate::methods::MAIN);
        let main = Value::Object(Rc::new(value::Object::new(own.clone())));
        *own.name.borrow_mut() = Some(format!("#<Class:#<Object:{:#018x}>>", main.address().unwrap_or_default()));
        Vm {
            core,
            globals: FxHashMap::default(),
            output: Vec::new(),
            errors: Vec::new(),
            main,
            at_exit: Vec::new(),
            cache: FxHashMap::default(),
            patterns: FxHashMap::default(),
            strings: FxHashMap::default(),
            serial: 1,
            steps: 0,
            depth: 0,
            line: 1,
            showing: Vec::new(),
            left: None,
            catching: Vec::new(),
            required: Vec::new(),
            loaded: Vec::new(),
            made: 0,
            levels: Vec::new(),
            top: None,
            world: None,
            slept: 0.0,
            sleep_limit: f64::INFINITY,
            directory: None,
            environment: None,
            suggests: false,
            puppet: crate::bridge::Puppet::default(),
        }
    }

    /// The names of all methods of all classes that are there from the start.
    pub(crate) fn method_names(&self) -> std::collections::HashSet<&'static str> {
        let mut names = std::collections::HashSet::new();
        for value in self.core.object.constants.borrow().values() {
            if let Value::Class(class) = value {
                names.extend(class.order.borrow().iter().map(|name| name.as_str()));
                if let Some(own) = &*class.singleton.borrow() {
                    names.extend(own.order.borrow().iter().map(|name| name.as_str()));
                }
            }
        }
        names
    }

    /// Gives the next call from outside all that one may take.
    pub(crate) fn forget_run(&mut self) {
        (self.steps, self.made, self.depth) = (0, 0, 0);
        self.levels.clear();
        self.catching.clear();
        self.output.clear();
        self.errors.clear();
    }

    /// Runs code as the body of a class: constants are looked up there and at the top.
    pub(crate) fn run_in(
        &mut self,
        tree: &tree::Tree,
        path: &str,
        this: &Value,
        class: &Rc<Class>,
        around: Option<Rc<Locals>>,
    ) -> Outcome {
        let top = self.top_frame(path);
        let nesting = Rc::new(Nesting { module: class.clone(), outer: Some(top.nesting.clone()) });
        let frame = Rc::new(Frame {
            this: this.clone(),
            method: None,
            block: None,
            id: top.id,
            nesting,
            definee: class.clone(),
            visibility: std::cell::Cell::new(Visibility::Public),
            is_module_function: std::cell::Cell::new(false),
            last_match: top.last_match.clone(),
            file: path.into(),
            args: Vec::new(),
            label: top.label,
        });
        let locals = Locals::new(tree.locals.len(), around);
        self.deeper(|vm| vm.eval_top(&tree.body, Place { frame: &frame, locals: &locals }))
    }

    /// Counts what goes on; nothing may go on for ever.
    pub(crate) fn step(&mut self) -> Outcome<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(Box::new(Stop::Limit("the Ruby code takes too many steps")));
        }
        if self.steps.is_multiple_of(STEPS_TO_CHECK) && crate::bridge::is_over() {
            return Err(Box::new(Stop::Limit("the time for the compilation is over")));
        }
        Ok(())
    }

    /// Counts a new value of some size: many that are not too large alone are too large together.
    pub(crate) fn count_made(&mut self, size: usize) -> Outcome<()> {
        self.check_size(size)?;
        if size >= LARGE {
            self.made = self.made.saturating_add(size);
        }
        if self.made > MOST_MADE {
            return Err(Box::new(Stop::Limit("the values in the Ruby code are too large together")));
        }
        Ok(())
    }

    pub(crate) fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    /// Runs something one call deeper.
    pub(crate) fn deeper<T>(&mut self, work: impl FnOnce(&mut Vm) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= DEEPEST {
            return Err(self.error("SystemStackError", "stack level too deep"));
        }
        self.depth += 1;
        let outcome = bunraku_syntax::deep(|| work(self));
        self.depth -= 1;
        outcome
    }

    /// Forgets which methods were found: some class has changed.
    pub(crate) fn classes_changed(&mut self) {
        self.cache.clear();
    }

    /// The top of a file.
    fn top_frame(&mut self, path: &str) -> Rc<Frame> {
        Rc::new(Frame {
            this: self.main.clone(),
            method: None,
            block: None,
            id: self.next_serial(),
            nesting: Rc::new(Nesting { module: self.core.object.clone(), outer: None }),
            definee: self.core.object.clone(),
            visibility: std::cell::Cell::new(Visibility::Private),
            is_module_function: std::cell::Cell::new(false),
            last_match: Rc::new(RefCell::new(None)),
            file: path.into(),
            args: Vec::new(),
            label: sym::MAIN,
        })
    }

    /// Runs pieces of source one after another in one scope; the value is that of the last one.
    pub(crate) fn run_all(&mut self, sources: &[&str], path: &str) -> Outcome {
        let frame = self.top_frame(path);
        let mut scopes: Vec<std::sync::Arc<Vec<Sym>>> = Vec::new();
        let mut outer: Option<Rc<Locals>> = None;
        let mut value = Value::Nil;
        for source in sources {
            let tree = lower::lower(source, path, 1, &scopes);
            let tree =
                tree.map_err(|error| self.error("SyntaxError", &format!("{path}:{}: {}", error.line, error.message)))?;
            let locals = Locals::new(tree.locals.len(), outer.take());
            scopes.insert(0, tree.locals.clone());
            let at = Place { frame: &frame, locals: &locals };
            self.top = Some(binding::Binding::new(at, &scopes));
            value = self.eval_top(&tree.body, at)?;
            outer = Some(locals);
        }
        Ok(value)
    }

    /// Runs the code of a file.
    fn eval_top(&mut self, body: &tree::Node, at: Place<'_>) -> Outcome {
        self.enter(at.frame, 0);
        let outcome = self.eval(body, at);
        if let Err(stop) = &outcome {
            self.trace(stop, None);
        }
        self.leave();
        outcome
    }

    /// Runs a string of code with another `self`; its local variables are its own.
    pub(crate) fn run_string(&mut self, source: &str, this: &Value, file: &str, line: u32) -> Outcome {
        let tree = lower::lower(source, file, line, &[]);
        let tree =
            tree.map_err(|error| self.error("SyntaxError", &format!("{file}:{}: {}", error.line, error.message)))?;
        let definee = match this {
            Value::Class(class) => class.clone(),
            other => self.class_of(other),
        };
        let top = self.top_frame(file);
        let nesting = Rc::new(Nesting { module: definee.clone(), outer: Some(top.nesting.clone()) });
        let frame = Rc::new(Frame {
            this: this.clone(),
            method: None,
            block: None,
            id: top.id,
            nesting,
            definee,
            visibility: std::cell::Cell::new(Visibility::Public),
            is_module_function: std::cell::Cell::new(false),
            last_match: top.last_match.clone(),
            file: top.file.clone(),
            args: Vec::new(),
            label: top.label,
        });
        let locals = Locals::new(tree.locals.len(), None);
        self.deeper(|vm| vm.eval_top(&tree.body, Place { frame: &frame, locals: &locals }))
    }

    /// `require`: whether a library was not there before.
    pub(crate) fn require(&mut self, name: &str) -> Outcome<bool> {
        if library::is_present(name) {
            return Ok(false);
        }
        let Some(library) = library::named(name) else {
            return self.require_own(name);
        };
        if self.required.contains(&library.name()) {
            return Ok(false);
        }
        self.required.push(library.name());
        if let Some(define) = library.native {
            define(&self.core);
            self.classes_changed();
        }
        if let Some(tree) = library.tree() {
            let tree = tree.map_err(|error| self.error("SyntaxError", &error.message))?;
            self.run_file(&tree, library.name())?;
        }
        Ok(true)
    }

    /// Runs a file that was read.
    pub(crate) fn run_file(&mut self, tree: &tree::Tree, path: &str) -> Outcome {
        let frame = self.top_frame(path);
        let locals = Locals::new(tree.locals.len(), None);
        self.deeper(|vm| vm.eval_top(&tree.body, Place { frame: &frame, locals: &locals }))
    }

    /// The class of a value, with that of the object itself where it has one.
    pub(crate) fn class_of(&self, value: &Value) -> Rc<Class> {
        let core = &self.core;
        match value {
            Value::Nil => core.nil.clone(),
            Value::Bool(true) => core.true_class.clone(),
            Value::Bool(false) => core.false_class.clone(),
            Value::Int(_) | Value::Big(_) => core.integer.clone(),
            Value::Float(_) => core.float.clone(),
            Value::Sym(_) => core.symbol.clone(),
            Value::Str(it) => it.head.class().unwrap_or_else(|| core.string.clone()),
            Value::Array(it) => it.head.class().unwrap_or_else(|| core.array.clone()),
            Value::Hash(it) => it.head.class().unwrap_or_else(|| core.hash.clone()),
            Value::Range(_) => core.range.clone(),
            Value::Regexp(_) => core.regexp.clone(),
            Value::Match(_) => core.match_data.clone(),
            Value::Proc(_) => core.proc.clone(),
            Value::Method(it) if it.receiver.is_none() => core.unbound_method.clone(),
            Value::Method(_) => core.method.clone(),
            Value::Class(class) => self.class_of_class(class),
            Value::Object(it) => it.class.borrow().clone(),
        }
    }

    fn class_of_class(&self, class: &Rc<Class>) -> Rc<Class> {
        if let Some(singleton) = &*class.singleton.borrow() {
            return singleton.clone();
        }
        match (&*class.superclass.borrow(), class.is_module()) {
            (_, true) => self.core.module.clone(),
            (Some(superclass), _) => self.class_of_class(superclass),
            (None, _) => self.core.class.clone(),
        }
    }

    /// The class of one object, made when it is first asked for.
    pub(crate) fn singleton_class(&mut self, value: &Value) -> Outcome<Rc<Class>> {
        use class::Kind;
        let current = self.class_of(value);
        match value {
            Value::Class(class) => {
                let made = self.core.meta(class);
                self.classes_changed();
                Ok(made)
            }
            Value::Object(object) if !current.is_singleton() => {
                let address = Rc::as_ptr(object) as usize;
                let name = format!("#<Class:#<{}:{address:#018x}>>", self.name_of(&current));
                let made = Class::new(Some(&name), Kind::Singleton, Some(current));
                *object.class.borrow_mut() = made.clone();
                Ok(made)
            }
            Value::Str(_) | Value::Array(_) | Value::Hash(_) if !current.is_singleton() => {
                let address = value.address().unwrap_or_default();
                let name = format!("#<Class:#<{}:{address:#018x}>>", self.name_of(&current));
                let made = Class::new(Some(&name), Kind::Singleton, Some(current));
                if let Some(head) = value.head() {
                    head.set_class(made.clone());
                }
                Ok(made)
            }
            Value::Nil | Value::Bool(_) => Ok(current),
            Value::Object(_) | Value::Str(_) | Value::Array(_) | Value::Hash(_) => Ok(current),
            _ => Err(self.error("TypeError", "can't define singleton")),
        }
    }

    /// The method of a name that instances of a class have.
    pub(crate) fn find_method(&mut self, class: &Rc<Class>, name: Sym) -> Option<Rc<Method>> {
        let key = (Rc::as_ptr(class) as usize, name);
        if let Some(known) = self.cache.get(&key) {
            return known.clone();
        }
        let found = class.ancestors().iter().find_map(|class| class.methods.borrow().get(&name).cloned());
        let found = found.filter(|method| !matches!(method.body, class::Body::Undefined));
        self.cache.insert(key, found.clone());
        found
    }

    /// The method that the given one takes the place of.
    pub(crate) fn find_super(&self, class: &Rc<Class>, method: &Method) -> Option<Rc<Method>> {
        let owner = method.owner.upgrade()?;
        let mut ancestors = class.ancestors().into_iter();
        ancestors.by_ref().find(|class| Rc::ptr_eq(class, &owner))?;
        let found = ancestors.find_map(|class| class.methods.borrow().get(&method.name).cloned());
        found.filter(|method| !matches!(method.body, class::Body::Undefined))
    }

    pub(crate) fn is_a(&self, value: &Value, class: &Rc<Class>) -> bool {
        self.class_of(value).is_below(class)
    }

    /// The name of the class of a value.
    pub(crate) fn class_name(&self, value: &Value) -> String {
        self.name_of(&self.class_of(value).real())
    }

    pub(crate) fn name_of(&self, class: &Class) -> String {
        match (&*class.name.borrow(), class.is_module()) {
            (Some(name), _) => name.clone(),
            (None, _) if let Some(attached) = class.attached.borrow().upgrade() => {
                format!("#<Class:{}>", self.name_of(&attached))
            }
            (None, true) => format!("#<Module:{:#018x}>", std::ptr::from_ref(class) as usize),
            (None, false) => format!("#<Class:{:#018x}>", std::ptr::from_ref(class) as usize),
        }
    }

    pub(crate) fn responds_to(&mut self, value: &Value, name: Sym) -> bool {
        let class = self.class_of(value);
        self.find_method(&class, name).is_some_and(|method| method.visibility == Visibility::Public)
    }

    /// A block's call is a step too.
    pub(crate) fn equals(&mut self, a: &Value, b: &Value) -> Outcome<bool> {
        if a.is_same(b) && !matches!(a, Value::Float(_)) {
            return Ok(true);
        }
        match (a, b) {
            (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => Ok(*a as f64 == *b),
            (Value::Big(_), Value::Float(number)) | (Value::Float(number), Value::Big(_)) => {
                Ok(order::float_of(if matches!(a, Value::Big(_)) { a } else { b }) == *number)
            }
            (Value::Float(a), Value::Float(b)) => Ok(a == b),
            (Value::Str(x), Value::Str(y)) => Ok(*x.bytes.borrow() == *y.bytes.borrow()),
            (Value::Array(x), Value::Array(y)) => {
                let (x, y) = (x.items.borrow().clone(), y.items.borrow().clone());
                if x.len() != y.len() {
                    return Ok(false);
                }
                self.deeper(|vm| {
                    for (a, b) in x.iter().zip(&y) {
                        if !vm.equals(a, b)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                })
            }
            (Value::Hash(x), Value::Hash(y)) => {
                let (x, y) = (x.entries.borrow().clone(), y.entries.borrow().clone());
                if x.len() != y.len() {
                    return Ok(false);
                }
                self.deeper(|vm| {
                    for (key, value) in &x {
                        match y.get(key) {
                            Some(other) if vm.equals(value, other)? => {}
                            _ => return Ok(false),
                        }
                    }
                    Ok(true)
                })
            }
            (Value::Object(_), _) if self.has_own_equality(a) => {
                Ok(self.send(a, sym::EQUAL, std::slice::from_ref(b))?.is_truthy())
            }
            _ => Ok(hash::is_eql(a, b)),
        }
    }

    /// Whether an object says itself what it is equal to, be it by an order of its own.
    fn has_own_equality(&mut self, object: &Value) -> bool {
        let class = self.class_of(object);
        match self.own_method(&class, sym::EQUAL) {
            Some(owner) if Rc::ptr_eq(&owner, &self.core.comparable) => self.own_method(&class, sym::COMPARE).is_some(),
            owner => owner.is_some(),
        }
    }

    /// Where a class has a method from, other than the one that every object has.
    fn own_method(&mut self, class: &Rc<Class>, name: Sym) -> Option<Rc<Class>> {
        let method = self.find_method(class, name)?;
        let owner = method.owner.upgrade()?;
        let core = &self.core;
        let is_everybodys = [&core.object, &core.kernel, &core.basic_object].iter().any(|it| Rc::ptr_eq(it, &owner));
        (!is_everybodys || !matches!(method.body, class::Body::Native(_))).then_some(owner)
    }
}
