//! Calls: finding the method, giving it its arguments, and blocks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::binding::Binding;
use super::class::{Body, Method, Visibility};
use super::code::{Args, Frame, Locals, Nesting, Place, Proc, ProcKind};

use super::symbol::{Sym, sym};
use super::tree::{BlockArgument, Call, Definition, Super};
use super::value::Value;
use super::{Outcome, Stop, Vm};

impl Vm {
    /// Calls a method with plain arguments.
    pub(crate) fn send(&mut self, receiver: &Value, name: Sym, args: &[Value]) -> Outcome {
        self.send_with(receiver, name, Args::of(args), true)
    }

    /// Calls a method; private ones too if `is_own`.
    pub(crate) fn send_with(&mut self, receiver: &Value, name: Sym, args: Args<'_>, is_own: bool) -> Outcome {
        let class = self.class_of(receiver);
        match self.find_method(&class, name) {
            Some(method) if is_own || method.visibility == Visibility::Public => self.invoke(receiver, &method, args),
            found => self.missing(receiver, name, args, found.as_deref(), None),
        }
    }

    /// There is no such method: `method_missing`, or an error in Ruby's words.
    fn missing(
        &mut self,
        receiver: &Value,
        name: Sym,
        args: Args<'_>,
        found: Option<&Method>,
        word: Option<&[Arc<Vec<Sym>>]>,
    ) -> Outcome {
        let class = self.class_of(receiver);
        if let Some(method) = self.find_method(&class, sym::METHOD_MISSING) {
            let mut all = vec![Value::Sym(name)];
            all.extend_from_slice(args.values);
            return self.invoke(receiver, &method, Args { values: &all, ..args });
        }
        if found.is_none()
            && let Some(outcome) = self.lacking_method(receiver, name, args)
        {
            return outcome;
        }
        let shown = self.receiver_shown(receiver)?;
        let (called, name) = (name, name.as_str());
        Err(match found {
            Some(method) => {
                let kind = if method.visibility == Visibility::Private { "private" } else { "protected" };
                self.name_error(
                    "NoMethodError",
                    &format!("{kind} method `{name}' called for {shown}"),
                    called,
                    receiver,
                )
            }
            None if let Some(scopes) = word => {
                let message = format!("undefined local variable or method `{name}' for {shown}");
                let stop = self.name_error("NameError", &message, called, receiver);
                if let Stop::Raise(exception) = &*stop {
                    let names = scopes.iter().flat_map(|names| names.iter()).map(|name| Value::Sym(*name));
                    exception.set_variable(sym::HIDDEN_LOCALS, Value::array(names.collect()));
                }
                stop
            }
            None => {
                let stop = self.name_error(
                    "NoMethodError",
                    &format!("undefined method `{name}' for {shown}"),
                    called,
                    receiver,
                );
                if let Stop::Raise(exception) = &*stop {
                    exception.set_variable(sym::HIDDEN_ARGS, Value::array(args.values.to_vec()));
                }
                stop
            }
        })
    }

    pub(super) fn call(&mut self, call: &Call, at: Place<'_>) -> Outcome {
        let receiver = match &call.receiver {
            Some(receiver) => self.eval(receiver, at)?,
            None => at.frame.this.clone(),
        };
        if call.is_safe && receiver.is_nil() {
            return Ok(Value::Nil);
        }
        let (values, keywords) = self.arguments(&call.args, at)?;
        let (block, tag) = self.block_of(call.block.as_ref(), at)?;
        if call.line > 0 {
            self.line = call.line;
        }
        let args = Args { values: &values, block: block.as_ref(), keywords };
        if let Some(scopes) = &call.special
            && let Some(outcome) = self.own_word(call, args, scopes, at)
        {
            return self.caught(outcome, tag);
        }
        let class = self.class_of(&receiver);
        let outcome = match self.find_method(&class, call.name) {
            Some(method) if call.is_own || self.may_call(&method, at) => self.invoke_seen(&receiver, &method, args, at),
            found => self.missing(&receiver, call.name, args, found.as_deref(), call.word.as_deref()),
        };
        let value = self.caught(outcome, tag)?;
        Ok(match call.is_assignment {
            true => values.last().cloned().unwrap_or(value),
            false => value,
        })
    }

    /// What only the interpreter can answer, since it is about the calling code.
    fn own_word(&mut self, call: &Call, args: Args<'_>, scopes: &[Arc<Vec<Sym>>], at: Place<'_>) -> Option<Outcome> {
        let name = call.name;
        Some(match name.as_str() {
            "block_given?" => Ok(Value::Bool(at.frame.block.is_some())),
            "lambda" => {
                let block = args.block?;
                let ProcKind::Code { code, frame, locals } = &block.kind else { return None };
                // A proc that is passed on stays one.
                if matches!(call.block, Some(BlockArgument::Pass(_))) {
                    return Some(Ok(Value::Proc(block.clone())));
                }
                let kind = ProcKind::Code { code: code.clone(), frame: frame.clone(), locals: locals.clone() };
                Ok(Value::Proc(Rc::new(Proc { kind, is_lambda: true, tag: block.tag })))
            }
            "proc" => Ok(Value::Proc(args.block?.clone())),
            "binding" => {
                let binding = Binding::new(at, scopes);
                Ok(self.binding_value(binding))
            }
            "local_variables" => {
                let names = Binding::new(at, scopes).names();
                Ok(Value::array(names.into_iter().map(Value::Sym).collect()))
            }
            "eval" => {
                let binding = match args.at(1) {
                    Value::Nil => Ok(Binding::new(at, scopes)),
                    given => self.binding_argument(given),
                };
                let others: Vec<Value> =
                    args.values.first().into_iter().chain(args.values.iter().skip(2)).cloned().collect();
                binding.and_then(|binding| super::binding::eval_text(self, &binding, Args::of(&others)))
            }
            "nesting" => {
                let modules = std::iter::successors(Some(&at.frame.nesting), |nesting| nesting.outer.as_ref());
                let is_top = |nesting: &&Rc<Nesting>| nesting.outer.is_none();
                Ok(Value::array(modules.filter(|it| !is_top(it)).map(|it| Value::Class(it.module.clone())).collect()))
            }
            "__dir__" => Ok(Value::str(match at.frame.file.rsplit_once('/') {
                Some(("", _)) => "/",
                Some((directory, _)) => directory,
                None => ".",
            })),
            "require_relative" => {
                let directory = at.frame.file.rsplit_once('/').map_or(".", |(directory, _)| directory).to_owned();
                self.path_text(args.at(0)).and_then(|name| self.require_file(&directory, &name))
            }
            "__method__" | "__callee__" => {
                Ok(at.frame.method.as_ref().map_or(Value::Nil, |method| Value::Sym(method.name)))
            }
            "private" | "public" | "protected" | "module_function" if args.values.is_empty() => {
                at.frame.is_module_function.set(name.as_str() == "module_function");
                at.frame.visibility.set(match name.as_str() {
                    "private" => Visibility::Private,
                    "protected" => Visibility::Protected,
                    _ => Visibility::Public,
                });
                Ok(Value::Nil)
            }
            _ => return None,
        })
    }

    fn may_call(&self, method: &Method, at: Place<'_>) -> bool {
        match method.visibility {
            Visibility::Public => true,
            Visibility::Private => false,
            Visibility::Protected => method.owner.upgrade().is_some_and(|owner| self.is_a(&at.frame.this, &owner)),
        }
    }

    /// Calls a method that may leave a match behind for the calling code.
    fn invoke_seen(&mut self, receiver: &Value, method: &Rc<Method>, args: Args<'_>, at: Place<'_>) -> Outcome {
        if matches!(method.body, Body::Native(_)) {
            self.left = None;
            let outcome = self.invoke(receiver, method, args);
            if let Some(found) = self.left.take() {
                *at.frame.last_match.borrow_mut() = found;
            }
            return outcome;
        }
        self.invoke(receiver, method, args)
    }

    /// What `$~` is to be in the code that calls.
    pub(crate) fn leave_match(&mut self, found: Option<Rc<super::regexp::Match>>) {
        self.left = Some(found);
    }

    /// What a method has left of a match.
    pub(crate) fn left_match(&mut self) -> Option<Option<Rc<super::regexp::Match>>> {
        self.left.take()
    }

    fn block_of(&mut self, block: Option<&BlockArgument>, at: Place<'_>) -> Outcome<(Option<Rc<Proc>>, u64)> {
        match block {
            None => Ok((None, 0)),
            Some(BlockArgument::Code(code)) => {
                let block = self.make_block(code, at, false);
                let tag = block.tag;
                Ok((Some(block), tag))
            }
            Some(BlockArgument::Pass(node)) => {
                let value = self.eval(node, at)?;
                Ok((self.to_block(&value)?, 0))
            }
        }
    }

    /// `&value`.
    pub(crate) fn to_block(&mut self, value: &Value) -> Outcome<Option<Rc<Proc>>> {
        Ok(Some(match value {
            Value::Nil => return Ok(None),
            Value::Proc(proc) => proc.clone(),
            Value::Sym(name) => Rc::new(Proc { kind: ProcKind::Symbol(*name), is_lambda: true, tag: 0 }),
            Value::Method(method) => Rc::new(Proc { kind: ProcKind::Method(method.clone()), is_lambda: true, tag: 0 }),
            other if self.responds_to(other, sym::TO_PROC) => match self.send(other, sym::TO_PROC, &[])? {
                Value::Proc(proc) => proc,
                _ => return Err(self.type_error("can't convert to Proc")),
            },
            other => {
                let class = self.class_name(other);
                return Err(self.type_error(&format!("wrong argument type {class} (expected Proc)")));
            }
        }))
    }

    /// The value of a call that its block ended.
    fn caught(&mut self, outcome: Outcome, tag: u64) -> Outcome {
        match outcome.map_err(|stop| *stop) {
            Ok(value) => Ok(value),
            Err(Stop::Break(ended, value)) if ended == tag && tag != 0 => Ok(value),
            Err(stop) => Err(Box::new(stop)),
        }
    }

    pub(crate) fn invoke(&mut self, receiver: &Value, method: &Rc<Method>, args: Args<'_>) -> Outcome {
        self.step()?;
        match &method.body {
            Body::Native(native) => {
                let most = usize::try_from(native.most).ok();
                let fewest = usize::from(native.fewest);
                let is_level = args.block.is_some();
                if is_level {
                    self.enter_native(method.name);
                }
                let outcome = if args.len() < fewest || most.is_some_and(|most| args.len() > most) {
                    Err(self.wrong_count(args.len(), fewest, most))
                } else {
                    self.deeper(|vm| (native.run)(vm, receiver, args))
                };
                if let Err(stop) = &outcome {
                    self.trace(stop, (!is_level).then_some(method.name));
                }
                if is_level {
                    self.leave();
                }
                outcome
            }
            Body::Code(definition, nesting) => {
                self.deeper(|vm| vm.run_method(receiver, method, definition, nesting, args))
            }
            Body::Proc(proc) => {
                let proc = proc.clone();
                self.deeper(|vm| vm.run_block(&proc, args, Some((receiver, Some(method)))))
            }
            Body::Reader(name) => {
                if !args.values.is_empty() {
                    return Err(self.wrong_count(args.len(), 0, Some(0)));
                }
                Ok(receiver.variable(*name).unwrap_or(Value::Nil))
            }
            Body::Writer(name) => {
                self.check_frozen(receiver)?;
                receiver.set_variable(*name, args.at(0).clone());
                Ok(args.at(0).clone())
            }
            Body::Member(name) => {
                if !args.values.is_empty() {
                    return Err(self.wrong_count(args.len(), 0, Some(0)));
                }
                self.member(receiver, *name)
            }
            Body::SetMember(name) => self.set_member(receiver, *name, args.at(0)),
            Body::Undefined => self.missing(receiver, method.name, args, None, None),
        }
    }

    fn run_method(
        &mut self,
        receiver: &Value,
        method: &Rc<Method>,
        definition: &Definition,
        nesting: &Rc<Nesting>,
        args: Args<'_>,
    ) -> Outcome {
        let id = self.next_serial();
        let frame = Rc::new(Frame {
            this: receiver.clone(),
            method: Some(method.clone()),
            block: args.block.cloned(),
            id,
            nesting: nesting.clone(),
            definee: nesting.module.clone(),
            visibility: Cell::new(Visibility::Public),
            is_module_function: Cell::new(false),
            last_match: Rc::new(RefCell::new(None)),
            file: definition.path.clone(),
            args: Vec::new(),
            label: method.name,
        });
        let locals = Locals::new(definition.locals.len(), None);
        self.enter(&frame, 0);
        let at = Place { frame: &frame, locals: &locals };
        let outcome = match self.bind(&definition.parameters, args, true, at) {
            Ok(()) => self.eval(&definition.body, at),
            Err(stop) => Err(stop),
        };
        if let Err(stop) = &outcome {
            self.trace(stop, None);
        }
        self.leave();
        match outcome.map_err(|stop| *stop) {
            Ok(value) => Ok(value),
            Err(Stop::Return(ended, value)) if ended == id => Ok(value),
            Err(stop) => Err(Box::new(stop)),
        }
    }

    pub(super) fn call_super(&mut self, node: &Super, at: Place<'_>) -> Outcome {
        let Some(method) = at.frame.method.clone() else {
            return Err(self.error("NoMethodError", "super called outside of method"));
        };
        let (values, keywords) = match &node.args {
            Some(args) => self.arguments(args, at)?,
            None if matches!(method.body, Body::Proc(_)) => (at.frame.args.clone(), false),
            None => self.arguments(&node.own, at)?,
        };
        let (block, tag) = self.block_of(node.block.as_ref(), at)?;
        let block = if node.block.is_some() { block } else { at.frame.block.clone() };
        let this = &at.frame.this;
        let Some(above) = self.find_super(&self.class_of(this), &method) else {
            if method.name == sym::INITIALIZE || method.name == sym::RESPOND_TO_MISSING {
                return Ok(Value::Nil);
            }
            if method.name == sym::METHOD_MISSING {
                let (name, shown) =
                    (self.to_s(&values.first().cloned().unwrap_or(Value::Nil))?, self.receiver_shown(this)?);
                return Err(self.error("NoMethodError", &format!("undefined method `{name}' for {shown}")));
            }
            let shown = self.receiver_shown(this)?;
            let message = format!("super: no superclass method `{}' for {shown}", method.name.as_str());
            return Err(self.error("NoMethodError", &message));
        };
        if node.line > 0 {
            self.line = node.line;
        }
        let args = Args { values: &values, block: block.as_ref(), keywords };
        let outcome = self.invoke(this, &above, args);
        self.caught(outcome, tag)
    }

    /// Calls a block.
    pub(crate) fn call_block(&mut self, block: &Rc<Proc>, args: &[Value]) -> Outcome {
        self.call_block_with(block, args, false, None)
    }

    /// Calls a block with one value.
    pub(crate) fn give(&mut self, block: &Rc<Proc>, value: Value) -> Outcome {
        self.call_block_with(block, std::slice::from_ref(&value), false, None)
    }

    pub(crate) fn call_block_with(
        &mut self,
        block: &Rc<Proc>,
        values: &[Value],
        keywords: bool,
        given: Option<&Rc<Proc>>,
    ) -> Outcome {
        self.step()?;
        self.run_block(block, Args { values, block: given, keywords }, None)
    }

    /// Runs a block, with another `self` if there is one.
    pub(crate) fn run_block(
        &mut self,
        block: &Rc<Proc>,
        args: Args<'_>,
        this: Option<(&Value, Option<&Rc<Method>>)>,
    ) -> Outcome {
        match &block.kind {
            ProcKind::Symbol(name) => match args.values.split_first() {
                Some((receiver, others)) => self.send_with(receiver, *name, Args { values: others, ..args }, false),
                None => Err(self.argument_error("no receiver given")),
            },
            ProcKind::Method(method) => match &method.receiver {
                Some(receiver) => self.invoke(receiver, &method.method.clone(), args),
                None => Err(self.type_error("an unbound method cannot be called")),
            },
            ProcKind::Native(work, _) => work(self, args.values),
            ProcKind::Code { code, frame, locals } => {
                let is_method = this.is_some_and(|(_, method)| method.is_some());
                let is_strict = block.is_lambda || is_method;
                let id = if is_strict { self.next_serial() } else { frame.id };
                let own = (is_strict || this.is_some()).then(|| self.block_frame(frame, id, args, this));
                let frame = own.as_ref().unwrap_or(frame);
                let locals = Locals::new(code.locals.len(), Some(locals.clone()));
                let at = Place { frame, locals: &locals };
                self.enter(frame, code.depth);
                let outcome = self.bind(&code.parameters, args, is_strict, at);
                let outcome = match outcome {
                    Ok(()) => self.deeper(|vm| vm.again(&code.body, at)),
                    Err(stop) => Err(stop),
                };
                if let Err(stop) = &outcome {
                    self.trace(stop, None);
                }
                self.leave();
                match outcome.map_err(|stop| *stop) {
                    Ok(value) | Err(Stop::Next(value)) => Ok(value),
                    Err(Stop::Return(ended, value)) if is_strict && ended == id => Ok(value),
                    Err(Stop::Break(u64::MAX, value)) if is_strict => Ok(value),
                    Err(Stop::Break(u64::MAX, value)) => Err(Box::new(Stop::Break(block.tag, value))),
                    Err(stop) => Err(Box::new(stop)),
                }
            }
        }
    }

    fn block_frame(
        &mut self,
        frame: &Rc<Frame>,
        id: u64,
        args: Args<'_>,
        this: Option<(&Value, Option<&Rc<Method>>)>,
    ) -> Rc<Frame> {
        let method = this.and_then(|(_, method)| method.cloned());
        let is_method = method.is_some();
        let this = this.map_or_else(|| frame.this.clone(), |(this, _)| this.clone());
        let definee = match &this {
            _ if this.is_same(&frame.this) || is_method => frame.definee.clone(),
            Value::Class(class) => class.clone(),
            other => self.singleton_class(other).unwrap_or_else(|_| frame.definee.clone()),
        };
        Rc::new(Frame {
            this,
            method: method.or_else(|| frame.method.clone()),
            block: if is_method { args.block.cloned() } else { frame.block.clone() },
            id,
            nesting: frame.nesting.clone(),
            definee,
            visibility: Cell::new(Visibility::Public),
            is_module_function: Cell::new(false),
            last_match: frame.last_match.clone(),
            file: frame.file.clone(),
            args: if is_method { args.values.to_vec() } else { Vec::new() },
            label: frame.label,
        })
    }
}
