//! Runs the tree: expressions, variables and control flow. Calls are in `call`, definitions in `define`.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::class::Class;
use super::code::{Place, Proc, ProcKind};
use super::hash::Entries;
use super::regexp::{self, Regexp};
use super::symbol::{Sym, sym};
use super::tree::{Argument, Case, Literal, Node, Pair, Protected, StrKind, While};
use super::value::{Encoding, Str, Value};
use super::{Outcome, Stop, Vm};

impl Vm {
    pub(crate) fn eval(&mut self, node: &Node, at: Place<'_>) -> Outcome {
        Ok(match node {
            Node::Nil => Value::Nil,
            Node::True => Value::Bool(true),
            Node::False => Value::Bool(false),
            Node::This => at.frame.this.clone(),
            Node::Int(number) => Value::Int(*number),
            Node::Big(number) => Value::Big(Rc::new(number.as_ref().clone())),
            Node::Float(number) => Value::Float(*number),
            Node::Str(bytes, StrKind::Frozen) => self.literal_string(bytes),
            Node::Str(bytes, kind) => string(bytes, *kind),
            Node::Symbol(name) => Value::Sym(*name),
            Node::Interpolation(parts) => Value::str(self.interpolate(parts, at)?),
            Node::InterpolatedSymbol(parts) => {
                let name = self.interpolate(parts, at)?;
                Value::Sym(self.intern(&String::from_utf8_lossy(&name))?)
            }
            Node::Regexp(literal) => self.literal(literal)?,
            Node::InterpolatedRegexp(parts, options) => {
                let source = self.interpolate(parts, at)?;
                let regexp = self.regexp(&String::from_utf8_lossy(&source), *options)?;
                regexp.frozen.set(true);
                Value::Regexp(regexp)
            }
            Node::Array(items) => {
                let (values, _) = self.arguments(items, at)?;
                Value::array(values)
            }
            Node::Hash(pairs) => Value::hash(self.pairs(pairs, at)?),
            Node::Range(start, end, excludes_end) => {
                let (start, end) = (self.eval(start, at)?, self.eval(end, at)?);
                self.make_range(start, end, *excludes_end)?
            }
            Node::Local(depth, slot) => at.locals.get(*depth, *slot),
            Node::SetLocal(depth, slot, value) => {
                let value = self.eval(value, at)?;
                at.locals.set(*depth, *slot, value.clone());
                value
            }
            Node::Variable(name) => at.frame.this.variable(*name).unwrap_or(Value::Nil),
            Node::SetVariable(name, value) => {
                let value = self.eval(value, at)?;
                self.check_frozen(&at.frame.this)?;
                at.frame.this.set_variable(*name, value.clone());
                value
            }
            Node::Global(name) => self.global(*name, at),
            Node::SetGlobal(name, value) => {
                let value = self.eval(value, at)?;
                if name.as_str() == "$~" {
                    *at.frame.last_match.borrow_mut() = match &value {
                        Value::Match(found) => Some(found.clone()),
                        Value::Nil => None,
                        other => {
                            let class = self.class_name(other);
                            let message = format!("wrong argument type {class} (expected MatchData)");
                            return Err(self.type_error(&message));
                        }
                    };
                    return Ok(value);
                }
                self.globals.insert(*name, value.clone());
                value
            }
            Node::ClassVariable(name) => self.class_variable(*name, at)?,
            Node::SetClassVariable(name, value) => {
                let value = self.eval(value, at)?;
                self.set_class_variable(*name, value.clone(), at);
                value
            }
            Node::Constant(name, line) => {
                self.see(*line);
                self.constant(*name, at)?
            }
            Node::ScopedConstant(scope, name, line) => {
                self.see(*line);
                let scope = match scope {
                    Some(scope) => self.eval(scope, at)?,
                    None => Value::Class(self.core.object.clone()),
                };
                self.constant_inside(&scope, *name)?
            }
            Node::SetConstant(scope, name, value) => {
                let scope = match scope {
                    Some(scope) => Some(self.eval(scope, at)?),
                    None => None,
                };
                let value = self.eval(value, at)?;
                self.set_constant(scope, *name, value.clone(), at);
                value
            }
            Node::Group(number) => match &*at.frame.last_match.borrow() {
                Some(found) => found.value(*number as usize),
                None => Value::Nil,
            },
            Node::MatchPart(part) => match &*at.frame.last_match.borrow() {
                None => Value::Nil,
                Some(found) => match part {
                    '&' => found.value(0),
                    '`' => Value::from(found.before()),
                    '\'' => Value::from(found.after()),
                    _ => (1..found.groups.len()).rev().find_map(|it| found.group(it)).map_or(Value::Nil, Value::from),
                },
            },
            Node::And(left, right) => {
                let left = self.eval(left, at)?;
                if left.is_truthy() { self.eval(right, at)? } else { left }
            }
            Node::Or(left, right) => {
                let left = self.eval(left, at)?;
                if left.is_truthy() { left } else { self.eval(right, at)? }
            }
            Node::OrSet(read, set) => {
                let present = match &**read {
                    Node::Constant(..) | Node::ClassVariable(_) => {
                        if self.defined(read, at)?.is_nil() {
                            Value::Nil
                        } else {
                            self.eval(read, at)?
                        }
                    }
                    read => self.eval(read, at)?,
                };
                if present.is_truthy() { present } else { self.eval(set, at)? }
            }
            Node::Not(value) => {
                let value = self.eval(value, at)?;
                match value {
                    Value::Object(_) => self.send(&value, sym::NOT, &[])?,
                    value => Value::Bool(!value.is_truthy()),
                }
            }
            Node::Defined(node) => self.defined(node, at)?,
            Node::If(condition, then, otherwise) => {
                let branch = if self.eval(condition, at)?.is_truthy() { then } else { otherwise };
                self.eval(branch, at)?
            }
            Node::While(node) => self.repeat(node, at)?,
            Node::Case(case) => self.case(case, at)?,
            Node::Match(case) => self.case_in(case, at)?,
            Node::MatchOne(value, pattern, asks) => self.match_one(value, pattern, *asks, at)?,
            Node::Protected(protected) => self.protected(protected, at)?,
            Node::Sequence(nodes) => {
                let mut value = Value::Nil;
                for node in nodes {
                    value = self.eval(node, at)?;
                }
                value
            }
            Node::Call(call) => self.call(call, at)?,
            Node::Super(node) => self.call_super(node, at)?,
            Node::Yield(args, line) => {
                self.see(*line);
                let (values, keywords) = self.arguments(args, at)?;
                let Some(block) = at.frame.block.clone() else {
                    return Err(self.error("LocalJumpError", "no block given (yield)"));
                };
                self.call_block_with(&block, &values, keywords, None)?
            }
            Node::Update(update) => self.update(update, at)?,
            Node::Assign(targets, value) => {
                let value = self.eval(value, at)?;
                let items = self.spread(&value)?;
                self.assign_all(targets, &items, at)?;
                value
            }
            Node::Define(definition) => self.define(definition, at)?,
            Node::DefineOn(receiver, definition) => self.define_on(receiver, definition, at)?,
            Node::Class(body) => self.class_body(body, at)?,
            Node::Lambda(code) => Value::Proc(self.make_block(code, at, true)),
            Node::Return(value) => {
                let value = self.eval(value, at)?;
                return Err(Box::new(Stop::Return(at.frame.id, value)));
            }
            Node::Break(value) => {
                let value = self.eval(value, at)?;
                return Err(Box::new(Stop::Break(u64::MAX, value)));
            }
            Node::Next(value) => {
                let value = self.eval(value, at)?;
                return Err(Box::new(Stop::Next(value)));
            }
            Node::Retry => return Err(Box::new(Stop::Retry)),
            Node::Redo => return Err(Box::new(Stop::Redo)),
            Node::Alias(new, old) => {
                let (new, old) = (self.eval(new, at)?, self.eval(old, at)?);
                let class = at.frame.definee.clone();
                self.alias(&class, &new, &old)?
            }
            Node::AliasGlobal(new, old) => {
                let value = self.global(*old, at);
                self.globals.insert(*new, value);
                Value::Nil
            }
            Node::Undefine(names) => {
                for name in names {
                    let name = self.eval(name, at)?;
                    let class = at.frame.definee.clone();
                    self.undefine(&class, &name)?;
                }
                Value::Nil
            }
            Node::MatchWrite(call, targets) => {
                let value = self.eval(call, at)?;
                let found = at.frame.last_match.borrow().clone();
                for (name, depth, slot) in targets {
                    let group = found.as_ref().and_then(|found| found.named(name.as_str()));
                    at.locals.set(*depth, *slot, group.unwrap_or(Value::Nil));
                }
                value
            }
            Node::File => Value::str(&*at.frame.file),
            Node::Line(line) => Value::Int(i64::from(*line)),
            Node::Refused(reason) => return Err(self.error("NotImplementedError", reason)),
        })
    }

    pub(super) fn see(&mut self, line: u32) {
        if line > 0 {
            self.line = line;
        }
    }

    pub(crate) fn intern(&mut self, name: &str) -> Outcome<Sym> {
        Sym::of_data(name).ok_or_else(|| Box::new(Stop::Limit("the Ruby code makes too many symbols")))
    }

    /// A frozen string of the source: equal ones are the same object.
    fn literal_string(&mut self, bytes: &[u8]) -> Value {
        if let Some(known) = self.strings.get(bytes) {
            return Value::Str(known.clone());
        }
        let made = Rc::new(Str::new(bytes));
        made.head.frozen.set(true);
        self.strings.insert(bytes.into(), made.clone());
        Value::Str(made)
    }

    fn literal(&mut self, literal: &Literal) -> Outcome {
        let compiled = match literal.compiled.get() {
            Some(compiled) => compiled.clone(),
            None => {
                let compiled = regexp::compile(&literal.source, literal.options)
                    .map_err(|message| self.error("SyntaxError", &format!("{message}: /{}/", literal.source)))?;
                literal.compiled.get_or_init(|| compiled).clone()
            }
        };
        let (source, options) = (literal.source.clone(), literal.options);
        Ok(Value::Regexp(Rc::new(Regexp { source, options, compiled, frozen: Cell::new(true) })))
    }

    fn interpolate(&mut self, parts: &[Node], at: Place<'_>) -> Outcome<Vec<u8>> {
        let mut text = Vec::new();
        for part in parts {
            match part {
                Node::Str(bytes, _) => text.extend_from_slice(bytes),
                part => match self.eval(part, at)? {
                    Value::Str(string) => text.extend_from_slice(&string.bytes.borrow()),
                    Value::Regexp(regexp) => text.extend_from_slice(regexp.to_s().as_bytes()),
                    value => text.extend_from_slice(self.to_s(&value)?.as_bytes()),
                },
            }
            self.check_size(text.len())?;
        }
        self.count_made(text.len())?;
        Ok(text)
    }

    pub(crate) fn check_size(&mut self, size: usize) -> Outcome<()> {
        if size > super::LONGEST { Err(Box::new(Stop::Limit("a value in the Ruby code is too large"))) } else { Ok(()) }
    }

    /// The values of arguments, and whether the last one is a hash of keywords.
    pub(crate) fn arguments(&mut self, args: &[Argument], at: Place<'_>) -> Outcome<(Vec<Value>, bool)> {
        let mut values = Vec::with_capacity(args.len());
        let mut keywords = false;
        for arg in args {
            match arg {
                Argument::One(node) => values.push(self.eval(node, at)?),
                Argument::Splat(node) => {
                    let value = self.eval(node, at)?;
                    values.extend(self.splat(&value)?);
                }
                Argument::Keywords(pairs) => {
                    let is_splat = pairs.iter().all(|pair| matches!(pair, Pair::Splat(_)));
                    let entries = self.pairs(pairs, at)?;
                    if !(is_splat && entries.is_empty()) {
                        values.push(Value::hash(entries));
                        keywords = true;
                    }
                }
            }
        }
        Ok((values, keywords))
    }

    /// `*value`.
    pub(crate) fn splat(&mut self, value: &Value) -> Outcome<Vec<Value>> {
        Ok(match value {
            Value::Array(array) => array.items.borrow().clone(),
            Value::Nil => Vec::new(),
            Value::Hash(_) | Value::Range(_) => self.items(value)?,
            other if self.responds_to(other, sym::TO_A) => match self.send(other, sym::TO_A, &[])? {
                Value::Array(array) => array.items.borrow().clone(),
                _ => vec![other.clone()],
            },
            other => vec![other.clone()],
        })
    }

    /// What a value gives to several variables.
    pub(crate) fn spread(&mut self, value: &Value) -> Outcome<Vec<Value>> {
        Ok(match value {
            Value::Array(array) => array.items.borrow().clone(),
            Value::Object(_) if self.responds_to(value, sym::TO_ARY) => match self.send(value, sym::TO_ARY, &[])? {
                Value::Array(array) => array.items.borrow().clone(),
                _ => vec![value.clone()],
            },
            other => vec![other.clone()],
        })
    }

    fn pairs(&mut self, pairs: &[Pair], at: Place<'_>) -> Outcome<Entries> {
        let mut entries = Entries::default();
        for pair in pairs {
            match pair {
                Pair::One(key, value) => {
                    let key = self.eval(key, at)?;
                    let value = self.eval(value, at)?;
                    let key = self.key_to_add(&key)?;
                    entries.insert(key, value);
                }
                Pair::Splat(node) => match self.eval(node, at)? {
                    Value::Hash(hash) => {
                        for (key, value) in hash.entries.borrow().iter() {
                            entries.insert(key.clone(), value.clone());
                        }
                    }
                    other => return Err(self.no_conversion(&other, "Hash")),
                },
            }
        }
        Ok(entries)
    }

    pub(crate) fn make_range(&mut self, start: Value, end: Value, excludes_end: bool) -> Outcome {
        let is_open = start.is_nil() || end.is_nil();
        if !is_open && self.compare(&start, &end)?.is_none() {
            return Err(self.argument_error("bad value for range"));
        }
        Ok(Value::range(start, end, excludes_end))
    }

    fn global(&mut self, name: Sym, at: Place<'_>) -> Value {
        match name.as_str() {
            "$~" => at.frame.last_match.borrow().clone().map_or(Value::Nil, Value::Match),
            _ => match self.globals.get(&name) {
                Some(value) => value.clone(),
                None => self.first_value(name),
            },
        }
    }

    pub(crate) fn make_block(&mut self, code: &Arc<super::tree::Block>, at: Place<'_>, is_lambda: bool) -> Rc<Proc> {
        let kind = ProcKind::Code { code: code.clone(), frame: at.frame.clone(), locals: at.locals.clone() };
        Rc::new(Proc { kind, is_lambda, tag: self.next_serial() })
    }

    fn repeat(&mut self, node: &While, at: Place<'_>) -> Outcome {
        let mut is_first = node.body_first;
        loop {
            self.step()?;
            if !is_first && self.eval(&node.condition, at)?.is_truthy() == node.until {
                return Ok(Value::Nil);
            }
            is_first = false;
            match self.again(&node.body, at).map_err(|stop| *stop) {
                Ok(_) | Err(Stop::Next(_)) => {}
                Err(Stop::Break(u64::MAX, value)) => return Ok(value),
                Err(stop) => return Err(Box::new(stop)),
            }
        }
    }

    /// Runs the body of a loop or block, once more for each `redo`.
    pub(super) fn again(&mut self, body: &Node, at: Place<'_>) -> Outcome {
        loop {
            match self.eval(body, at) {
                Err(stop) if matches!(*stop, Stop::Redo) => self.step()?,
                outcome => return outcome,
            }
        }
    }

    fn case(&mut self, case: &Case, at: Place<'_>) -> Outcome {
        let subject = match &case.subject {
            Some(subject) => Some(self.eval(subject, at)?),
            None => None,
        };
        for (conditions, body) in &case.branches {
            for condition in conditions {
                for condition in self.arguments(std::slice::from_ref(condition), at)?.0 {
                    let applies = match &subject {
                        Some(subject) => self.case_equals(&condition, subject, at)?,
                        None => condition.is_truthy(),
                    };
                    if applies {
                        return self.eval(body, at);
                    }
                }
            }
        }
        self.eval(&case.otherwise, at)
    }

    /// `pattern === value`, with what a match leaves behind.
    pub(super) fn case_equals(&mut self, pattern: &Value, value: &Value, at: Place<'_>) -> Outcome<bool> {
        match (pattern, value) {
            (Value::Regexp(regexp), Value::Str(text)) => {
                let found = self.find(regexp, text, 0)?;
                *at.frame.last_match.borrow_mut() = found.clone();
                Ok(found.is_some())
            }
            (Value::Class(class), value) if class.singleton.borrow().is_none() => Ok(self.is_a(value, class)),
            _ => Ok(self.send(pattern, sym::CASE_EQUAL, std::slice::from_ref(value))?.is_truthy()),
        }
    }

    fn protected(&mut self, node: &Protected, at: Place<'_>) -> Outcome {
        let outcome = self.rescued(node, at);
        if let Some(ensure) = &node.ensure {
            // What limits stop runs nothing any more.
            if !matches!(outcome.as_ref().err().map(|stop| &**stop), Some(Stop::Limit(_) | Stop::Unsupported(_))) {
                let raised = match outcome.as_ref().err().map(|stop| &**stop) {
                    Some(Stop::Raise(exception)) => Some(exception.clone()),
                    _ => None,
                };
                let before = raised.map(|exception| self.globals.insert(sym::LAST_ERROR, exception));
                self.eval(ensure, at)?;
                if let Some(before) = before {
                    self.globals.insert(sym::LAST_ERROR, before.unwrap_or(Value::Nil));
                }
            }
        }
        outcome
    }

    fn rescued(&mut self, node: &Protected, at: Place<'_>) -> Outcome {
        loop {
            self.step()?;
            let exception = match self.eval(&node.body, at).map_err(|stop| *stop) {
                Ok(value) => match &node.otherwise {
                    Some(otherwise) => return self.eval(otherwise, at),
                    None => return Ok(value),
                },
                Err(Stop::Raise(exception)) => exception,
                Err(stop) => return Err(Box::new(stop)),
            };
            self.trace(&Stop::Raise(exception.clone()), None);
            let Some(rescue) = self.rescue_for(node, &exception, at)? else {
                return Err(Box::new(Stop::Raise(exception)));
            };
            let before = self.globals.insert(sym::LAST_ERROR, exception.clone());
            if let Some(target) = &rescue.target {
                self.assign(target, exception, at)?;
            }
            let outcome = self.eval(&rescue.body, at);
            match outcome.as_ref().err().map(|stop| &**stop) {
                Some(Stop::Retry) => continue,
                Some(Stop::Raise(_)) => {}
                _ => {
                    self.globals.insert(sym::LAST_ERROR, before.unwrap_or(Value::Nil));
                }
            }
            return outcome;
        }
    }

    fn rescue_for<'n>(
        &mut self,
        node: &'n Protected,
        exception: &Value,
        at: Place<'_>,
    ) -> Outcome<Option<&'n super::tree::Rescue>> {
        for rescue in &node.rescues {
            if rescue.classes.is_empty() && self.is_a(exception, &self.core.standard_error.clone()) {
                return Ok(Some(rescue));
            }
            // What stands behind a class that fits is not looked at.
            for class in &rescue.classes {
                for class in self.arguments(std::slice::from_ref(class), at)?.0 {
                    if !matches!(class, Value::Class(_)) {
                        return Err(self.type_error("class or module required for rescue clause"));
                    }
                    if self.case_equals(&class, exception, at)? {
                        return Ok(Some(rescue));
                    }
                }
            }
        }
        Ok(None)
    }

    /// `defined?(…)`.
    fn defined(&mut self, node: &Node, at: Place<'_>) -> Outcome {
        let is_known = match node {
            Node::Variable(name) => at.frame.this.variable(*name).is_some(),
            Node::Global(name) => self.globals.contains_key(name) || name.as_str() == "$~",
            Node::Constant(name, _) => self.find_constant(*name, at).is_some(),
            Node::ScopedConstant(..) | Node::ClassVariable(_) => self.eval(node, at).is_ok(),
            Node::Group(_) | Node::MatchPart(_) => !self.eval(node, at)?.is_nil(),
            Node::Yield(..) => at.frame.block.is_some(),
            Node::Super(_) => match &at.frame.method {
                Some(method) => self.find_super(&self.class_of(&at.frame.this), method).is_some(),
                None => false,
            },
            Node::Call(call) => {
                let receiver = match &call.receiver {
                    Some(receiver) if self.defined(receiver, at)?.is_nil() => return Ok(Value::Nil),
                    Some(receiver) => match self.eval(receiver, at) {
                        Ok(receiver) => receiver,
                        Err(_) => return Ok(Value::Nil),
                    },
                    None => at.frame.this.clone(),
                };
                let class: Rc<Class> = self.class_of(&receiver);
                self.find_method(&class, call.name).is_some()
            }
            Node::Not(inner) => !self.defined(inner, at)?.is_nil(),
            _ => true,
        };
        let word = match node {
            Node::Nil => "nil",
            Node::Local(..) => "local-variable",
            Node::Variable(_) => "instance-variable",
            Node::Global(_) | Node::Group(_) | Node::MatchPart(_) => "global-variable",
            Node::ClassVariable(_) => "class variable",
            Node::Constant(..) | Node::ScopedConstant(..) => "constant",
            Node::Call(call) if call.is_assignment => "assignment",
            Node::Call(_) => "method",
            Node::Yield(..) => "yield",
            Node::Super(_) => "super",
            Node::This => "self",
            Node::True => "true",
            Node::False => "false",
            Node::SetLocal(..)
            | Node::SetVariable(..)
            | Node::SetGlobal(..)
            | Node::SetConstant(..)
            | Node::SetClassVariable(..)
            | Node::OrSet(..)
            | Node::Update(_)
            | Node::Assign(..) => "assignment",
            _ => "expression",
        };
        Ok(if is_known { Value::str(word) } else { Value::Nil })
    }
}

fn string(bytes: &[u8], kind: StrKind) -> Value {
    let string = Str::new(bytes);
    match kind {
        StrKind::Plain | StrKind::Frozen => {}
        StrKind::Binary => string.encoding.set(Encoding::Binary),
    }
    Value::Str(Rc::new(string))
}
