//! `binding` and `eval`: code that is given as text, and the variables it sees.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::class::Kind;
use super::code::{Args, Frame, Locals, Place};
use super::lower;
use super::session::{Core, Row};
use super::symbol::Sym;
use super::value::{Object, Value};
use super::{Outcome, Vm};

/// A place in code that is remembered.
pub(crate) struct Binding {
    pub(crate) frame: Rc<Frame>,
    scopes: RefCell<Scopes>,
}

/// The local variables and their names, scope by scope, innermost first.
type Scopes = (Rc<Locals>, Vec<Arc<Vec<Sym>>>);

impl Binding {
    pub(crate) fn new(at: Place<'_>, names: &[Arc<Vec<Sym>>]) -> Rc<Binding> {
        Rc::new(Binding { frame: at.frame.clone(), scopes: RefCell::new((at.locals.clone(), names.to_vec())) })
    }

    /// Where a local variable is.
    fn find(&self, name: Sym) -> Option<(Rc<Locals>, u32, u32)> {
        let scopes = self.scopes.borrow();
        scopes.1.iter().enumerate().find_map(|(depth, names)| {
            let slot = names.iter().position(|known| *known == name)?;
            Some((scopes.0.clone(), u32::try_from(depth).ok()?, u32::try_from(slot).ok()?))
        })
    }

    pub(crate) fn get(&self, name: Sym) -> Option<Value> {
        self.find(name).map(|(locals, depth, slot)| locals.get(depth, slot))
    }

    /// Sets a local variable; one that is not there is added.
    pub(crate) fn set(&self, name: Sym, value: Value) {
        if let Some((locals, depth, slot)) = self.find(name) {
            return locals.set(depth, slot, value);
        }
        let mut scopes = self.scopes.borrow_mut();
        let locals = Locals::new(1, Some(scopes.0.clone()));
        locals.set(0, 0, value);
        scopes.0 = locals;
        scopes.1.insert(0, Arc::new(vec![name]));
    }

    /// The same place with variables of its own in front.
    pub(crate) fn with_own(&self, names: Vec<Sym>) -> Rc<Binding> {
        let (outer, mut scopes) = self.scopes.borrow().clone();
        let locals = Locals::new(names.len(), Some(outer));
        scopes.insert(0, Arc::new(names));
        Rc::new(Binding { frame: self.frame.clone(), scopes: RefCell::new((locals, scopes)) })
    }

    /// The names of the local variables.
    pub(crate) fn names(&self) -> Vec<Sym> {
        let mut all = Vec::new();
        for name in self.scopes.borrow().1.iter().flat_map(|names| names.iter()) {
            if is_word(*name) && !all.contains(name) {
                all.push(*name);
            }
        }
        all
    }
}

/// Whether a name is one that code can have given; parameters without a name have names that are none.
fn is_word(name: Sym) -> bool {
    name.as_str().starts_with(|letter: char| letter.is_lowercase() || letter == '_' || !letter.is_ascii())
}

pub(crate) fn define(core: &Core) {
    let class = core.class_named("Binding", Kind::Class, Some(&core.object));
    core.add(&class, ROWS);
}

const ROWS: &[Row] = &[
    Row("eval", 1, 3, |vm, this, args| {
        let binding = vm.binding_argument(this)?;
        eval_text(vm, &binding, args)
    }),
    Row("local_variable_get", 1, 1, |vm, this, args| {
        let (binding, name) = (vm.binding_argument(this)?, vm.name(args.at(0))?);
        match binding.get(name) {
            Some(value) => Ok(value),
            None => {
                let shown = vm.inspect(this)?;
                let message = format!("local variable `{}' is not defined for {shown}", name.as_str());
                Err(vm.name_error("NameError", &message, name, this))
            }
        }
    }),
    Row("local_variable_set", 2, 2, |vm, this, args| {
        let (binding, name) = (vm.binding_argument(this)?, vm.name(args.at(0))?);
        binding.set(name, args.at(1).clone());
        Ok(args.at(1).clone())
    }),
    Row("local_variable_defined?", 1, 1, |vm, this, args| {
        let (binding, name) = (vm.binding_argument(this)?, vm.name(args.at(0))?);
        Ok(Value::Bool(binding.get(name).is_some()))
    }),
    Row("local_variables", 0, 0, |vm, this, _| {
        let binding = vm.binding_argument(this)?;
        Ok(Value::array(binding.names().into_iter().map(Value::Sym).collect()))
    }),
    Row("receiver", 0, 0, |vm, this, _| Ok(vm.binding_argument(this)?.frame.this.clone())),
    Row("source_location", 0, 0, |vm, this, _| {
        let file = Value::str(&*vm.binding_argument(this)?.frame.file);
        Ok(Value::pair(file, Value::Int(i64::from(vm.line))))
    }),
];

/// `eval(text, file, line)` in a place.
pub(crate) fn eval_text(vm: &mut Vm, binding: &Binding, args: Args<'_>) -> Outcome {
    let source = vm.text(args.at(0))?;
    let file = match args.at(1) {
        Value::Nil => "(eval)".to_owned(),
        file => vm.text(file)?,
    };
    let line = match args.at(2) {
        Value::Nil => 1,
        line => vm.to_int(line)?,
    };
    vm.eval_in(&source, binding, &file, u32::try_from(line).unwrap_or(1))
}

impl Vm {
    /// A place in code as a value.
    pub(crate) fn binding_value(&mut self, binding: Rc<Binding>) -> Value {
        let object = Object::new(self.constant_class("Binding"));
        *object.data.borrow_mut() = Some(binding);
        Value::Object(Rc::new(object))
    }

    pub(crate) fn binding_argument(&mut self, value: &Value) -> Outcome<Rc<Binding>> {
        let found = match value {
            Value::Object(object) => object.data::<Binding>(),
            _ => None,
        };
        match found {
            Some(binding) => Ok(binding),
            None => {
                let class = self.class_name(value);
                Err(self.type_error(&format!("wrong argument type {class} (expected binding)")))
            }
        }
    }

    /// Runs text as code of a place; the variables it adds stay there.
    pub(crate) fn eval_in(&mut self, source: &str, binding: &Binding, file: &str, line: u32) -> Outcome {
        let (outer, mut names) = binding.scopes.borrow().clone();
        let tree = lower::lower(source, file, line, &names);
        let tree =
            tree.map_err(|error| self.error("SyntaxError", &format!("{file}:{}: {}", error.line, error.message)))?;
        let locals = Locals::new(tree.locals.len(), Some(outer));
        if !tree.locals.is_empty() {
            names.insert(0, tree.locals.clone());
            *binding.scopes.borrow_mut() = (locals.clone(), names);
        }
        let frame = Rc::new(binding.frame.in_file(file));
        self.deeper(|vm| {
            vm.enter(&frame, 0);
            let outcome = vm.eval(&tree.body, Place { frame: &frame, locals: &locals });
            if let Err(stop) = &outcome {
                vm.trace(stop, None);
            }
            vm.leave();
            outcome
        })
    }
}
