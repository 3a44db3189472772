//! Runs the tree of a template.
//!
//! Nothing that happens here can be seen from outside before the template has ended: where it must be left to Ruby,
//! Ruby starts from the beginning.

use bunraku_syntax::deep;
use std::rc::Rc;

use bunraku_pcore::Value as PuppetValue;
use ecow::EcoString;

use super::class::Class;
use super::compare;
use super::method::Method;
use super::pattern::{Match, Options, Pattern};
use super::run::Run;
use super::show;
use super::tree::{Argument, Block, Call, Code, Node, Operator, Parameters, Rescue, Target, Tree, Update};
use super::value::{Entries, Key, Outcome, Range, Stop, Value};

/// A text that grows beyond this is left to Ruby and its limits.
pub(super) const LONGEST: usize = 16 << 20;
/// Definitions that call themselves more deeply are left to Ruby.
const DEEPEST: usize = 300;

/// One template while it runs.
pub(super) struct Interpreter<'t, 'r, 'h> {
    pub(super) run: &'r mut Run<'h>,
    tree: &'t Tree,
    output: String,
    /// Instance variables that were used already.
    variables: Vec<Option<Value>>,
    /// Which methods are defined by now.
    defined: Vec<bool>,
    /// The local variables of all running methods, those of the innermost from `base` on.
    locals: Vec<Value>,
    base: usize,
    last_match: Option<Rc<Match>>,
}

impl<'t, 'r, 'h> Interpreter<'t, 'r, 'h> {
    fn new(tree: &'t Tree, run: &'r mut Run<'h>) -> Self {
        Interpreter {
            run,
            tree,
            output: String::new(),
            variables: vec![None; tree.variables.len()],
            defined: vec![false; tree.definitions.len()],
            locals: vec![Value::Nil; tree.locals],
            base: 0,
            last_match: None,
        }
    }

    /// Runs a template and gives what it writes.
    pub(super) fn render(tree: &'t Tree, run: &'r mut Run<'h>) -> Outcome<String> {
        let mut interpreter = Interpreter::new(tree, run);
        match interpreter.eval(&tree.body) {
            Ok(_) => Ok(interpreter.output),
            // A template that returns has written nothing.
            Err(Stop::Return(Value::Nil)) => Ok(String::new()),
            Err(_) => Err(Stop::Unsupported),
        }
    }

    /// Calls a method of a tree that has nothing but methods.
    pub(super) fn call_method(tree: &'t Tree, number: usize, args: &[PuppetValue], run: &'r mut Run<'h>) -> Outcome {
        let mut interpreter = Interpreter::new(tree, run);
        interpreter.defined.fill(true);
        let args = args.iter().map(|arg| interpreter.given(arg)).collect::<Outcome<_>>()?;
        interpreter.call_definition(number, args)
    }

    /// A value that the compiler hands over; it belongs to the Ruby code, which may change it.
    pub(super) fn given(&self, value: &PuppetValue) -> Outcome {
        let value = Value::from_puppet(value);
        if self.tree.is_changing { value.own_copy() } else { Ok(value) }
    }

    /// Whether values may be changed in place.
    pub(super) fn is_changing(&self) -> bool {
        self.tree.is_changing
    }

    pub(super) fn eval(&mut self, node: &'t Node) -> Outcome {
        self.run.step()?;
        Ok(match node {
            Node::Text(text) => self.write(text)?,
            Node::Write(value) => self.write_value(value)?,
            Node::Sequence(nodes) => {
                let mut last = Value::Nil;
                for node in nodes {
                    last = self.eval(node)?;
                }
                last
            }
            Node::Call(call) => return deep(|| self.call(call)),
            Node::Entry(call, key) => return self.entry(call, key),
            Node::EqualsText(left, text, wanted) => Value::Boolean(self.equals_text(left, text, *wanted)?),
            Node::Local(slot) => self.locals.get(self.base + slot).cloned().unwrap_or(Value::Nil),
            Node::SetLocal(slot, value) => {
                let value = self.eval(value)?;
                self.set_local(*slot, value.clone());
                value
            }
            Node::Variable(number) => return self.variable(*number),
            Node::SetVariable(number, value) => {
                let value = self.eval(value)?;
                self.set_variable(*number, value.clone());
                value
            }
            Node::If(condition, then, otherwise) => {
                let branch = if self.is_true(condition)? { then } else { otherwise };
                return self.eval(branch);
            }
            Node::And(left, right) => match self.eval(left)? {
                left if left.is_truthy() => return self.eval(right),
                left => left,
            },
            Node::Or(left, right) => match self.eval(left)? {
                left if left.is_truthy() => left,
                _ => return self.eval(right),
            },
            Node::Not(value) => Value::Boolean(!self.is_true(value)?),
            Node::String(text) => Value::string(text.clone()),
            Node::Interpolation(parts) => Value::string(self.interpolate(parts)?),
            Node::Nil => Value::Nil,
            Node::Boolean(value) => Value::Boolean(*value),
            Node::Integer(value) => Value::Integer(*value),
            Node::Float(value) => Value::Float(*value),
            Node::Symbol(name) => Value::Symbol(name.clone()),
            Node::InterpolatedSymbol(parts) => Value::Symbol(self.interpolate(parts)?),
            Node::Regexp(pattern) => Value::Regexp(pattern.clone()),
            Node::InterpolatedRegexp(parts, options) => self.regexp(parts, *options)?,
            Node::Constant(class) => Value::Class(*class),
            Node::Scope => Value::Scope,
            Node::Output => Value::Output,
            Node::Array(elements) => Value::array(self.arguments(elements)?),
            Node::Hash(pairs) => self.hash(pairs)?,
            Node::Range(start, end, excludes_end) => {
                let (start, end) = (self.eval(start)?, self.eval(end)?);
                Value::Range(Rc::new(Range { start, end, excludes_end: *excludes_end }))
            }
            Node::ScopeFunction(name, args) => {
                let args = self.arguments(args)?;
                return self.scope_function(name, &args);
            }
            Node::Kernel(kernel, args) => {
                let args = self.arguments(args)?;
                return self.kernel(*kernel, &args);
            }
            _ => return self.eval_rest(node),
        })
    }

    /// The nodes that few templates have.
    fn eval_rest(&mut self, node: &'t Node) -> Outcome {
        Ok(match node {
            Node::AppendToOutput(value) => match self.eval(value)? {
                Value::String(text) => self.write(&text.get())?,
                _ => return Err(Stop::Unsupported),
            },
            Node::Group(number) => match &self.last_match {
                Some(found) => found.group_value(*number),
                None => Value::Nil,
            },
            Node::Assign(targets, value) => {
                let value = self.eval(value)?;
                let values = spread(value.clone());
                self.bind(targets, values)?;
                value
            }
            Node::UpdateAt(update) => return self.update(update),
            Node::While { condition, until, body } => return self.repeat(condition, *until, body),
            Node::Case { subject, branches, otherwise } => {
                let subject = match subject {
                    Some(subject) => Some(self.eval(subject)?),
                    None => None,
                };
                for (conditions, body) in branches {
                    if self.applies(conditions, subject.as_ref())? {
                        return self.eval(body);
                    }
                }
                return self.eval(otherwise);
            }
            Node::Define(number) => {
                if let Some(defined) = self.defined.get_mut(*number) {
                    *defined = true;
                }
                Value::Symbol(self.tree.definitions.get(*number).map(|one| one.name.clone()).unwrap_or_default())
            }
            Node::CallDefinition(number, args) => {
                let args = self.arguments(args)?;
                return self.call_definition(*number, args);
            }
            Node::Break(value) => return Err(Stop::Break(self.eval(value)?)),
            Node::Next(value) => return Err(Stop::Next(self.eval(value)?)),
            Node::Return(value) => return Err(Stop::Return(self.eval(value)?)),
            Node::Defined(what) => Value::string(*what),
            Node::DefinedVariable(number) => match self.variable(*number)? {
                Value::Nil => Value::Nil,
                _ => Value::string("instance-variable"),
            },
            Node::Protected { body, rescues, otherwise, ensure } => {
                let outcome = match (self.eval(body), otherwise) {
                    (Ok(_), Some(otherwise)) => self.eval(otherwise),
                    (Err(Stop::Raise(class)), _) => self.rescue(class, rescues),
                    (outcome, _) => outcome,
                };
                if let (Some(ensure), false) = (ensure, matches!(outcome, Err(Stop::Unsupported))) {
                    self.eval(ensure)?;
                }
                return outcome;
            }
            _ => return Err(Stop::Unsupported),
        })
    }

    /// What the first `rescue` that is for an exception gives; without one the exception goes on.
    fn rescue(&mut self, class: Class, rescues: &'t [Rescue]) -> Outcome {
        for rescue in rescues {
            let mut is_meant = rescue.classes.is_empty() && class.is_a(Class::StandardError);
            for wanted in self.arguments(&rescue.classes)? {
                match wanted {
                    Value::Class(wanted) => is_meant |= class.is_a(wanted),
                    _ => return Err(Stop::Unsupported),
                }
            }
            if is_meant {
                if let Some(variable) = &rescue.variable {
                    self.assign(variable, Value::Opaque(class))?;
                }
                return self.eval(&rescue.body);
            }
        }
        Err(Stop::Raise(class))
    }

    fn write(&mut self, text: &str) -> Outcome {
        if self.output.len() + text.len() > LONGEST {
            return Err(Stop::Unsupported);
        }
        self.output.push_str(text);
        Ok(Value::Output)
    }

    fn write_value(&mut self, node: &'t Node) -> Outcome {
        let value = self.eval(node)?;
        match &value {
            Value::String(text) => self.write(&text.look()),
            value => {
                let text = show::to_s(value)?;
                self.write(&text)
            }
        }
    }

    fn set_local(&mut self, slot: usize, value: Value) {
        if let Some(local) = self.locals.get_mut(self.base + slot) {
            *local = value;
        }
    }

    /// The value that a node names, where it need not be looked for.
    pub(super) fn held(&self, node: &Node) -> Option<&Value> {
        match node {
            Node::Local(slot) => self.locals.get(self.base + slot),
            Node::Variable(number) => self.variables.get(*number)?.as_ref(),
            _ => None,
        }
    }

    /// An instance variable: what the template set it to, or the variable of Puppet.
    fn variable(&mut self, number: usize) -> Outcome {
        if let Some(Some(known)) = self.variables.get(number) {
            return Ok(known.clone());
        }
        let Some(name) = self.tree.variables.get(number) else { return Ok(Value::Nil) };
        let value = self.run.variable(name, self.tree.is_changing)?.unwrap_or(Value::Nil);
        self.set_variable(number, value.clone());
        Ok(value)
    }

    /// An instance variable by its name.
    pub(super) fn variable_named(&mut self, name: &str) -> Outcome {
        match self.tree.variables.iter().position(|known| known == name) {
            Some(number) => self.variable(number),
            None => Ok(self.run.variable(name, self.tree.is_changing)?.unwrap_or(Value::Nil)),
        }
    }

    fn set_variable(&mut self, number: usize, value: Value) {
        if let Some(variable) = self.variables.get_mut(number) {
            *variable = Some(value);
        }
    }

    fn interpolate(&mut self, parts: &'t [Node]) -> Outcome<EcoString> {
        let mut text = EcoString::new();
        for part in parts {
            match part {
                Node::String(part) => text.push_str(part),
                part => text.push_str(&show::to_s(&self.eval(part)?)?),
            }
            if text.len() > LONGEST {
                return Err(Stop::Unsupported);
            }
        }
        Ok(text)
    }

    fn regexp(&mut self, parts: &'t [Node], options: Options) -> Outcome {
        let source = self.interpolate(parts)?;
        Ok(Value::Regexp(self.run.pattern(&source, options)?))
    }

    pub(super) fn arguments(&mut self, arguments: &'t [Argument]) -> Outcome<Vec<Value>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                Argument::One(node) => values.push(self.eval(node)?),
                Argument::Splat(node) => match self.eval(node)? {
                    Value::Nil => {}
                    Value::Hash(table) => {
                        values.extend(table.pairs().into_iter().map(|(key, value)| Value::pair(key, value)));
                    }
                    Value::Range(range) => values.extend(self.range_items(&range)?),
                    other => values.extend(spread(other)),
                },
            }
        }
        Ok(values)
    }

    fn hash(&mut self, pairs: &'t [(Node, Node)]) -> Outcome {
        let mut entries = Entries::default();
        for (key, value) in pairs {
            let key = Key::of(&self.eval(key)?)?;
            entries.insert(key, self.eval(value)?);
        }
        Ok(Value::hash(entries))
    }

    fn call(&mut self, call: &'t Call) -> Outcome {
        let receiver = self.eval(&call.receiver)?;
        if call.is_safe && matches!(receiver, Value::Nil) {
            return Ok(Value::Nil);
        }
        let block = call.block.as_ref();
        let outcome = match call.args.as_slice() {
            [] => self.send(&receiver, call.method, &[], block),
            [Argument::One(arg)] => {
                let arg = self.eval(arg)?;
                self.send(&receiver, call.method, std::slice::from_ref(&arg), block)
            }
            args => {
                let args = self.arguments(args)?;
                self.send(&receiver, call.method, &args, block)
            }
        };
        match outcome {
            Err(Stop::Break(value)) if call.block.is_some() => Ok(value),
            outcome => outcome,
        }
    }

    fn update(&mut self, update: &'t Update) -> Outcome {
        let (receiver, index) = (self.eval(&update.receiver)?, self.eval(&update.index)?);
        let present = self.send(&receiver, Method::At, std::slice::from_ref(&index), None)?;
        let value = match update.operator {
            Operator::Or if present.is_truthy() => return Ok(present),
            Operator::And if !present.is_truthy() => return Ok(present),
            Operator::Or | Operator::And => self.eval(&update.value)?,
            Operator::Method(method) => {
                let value = self.eval(&update.value)?;
                self.send(&present, method, &[value], None)?
            }
        };
        self.send(&receiver, Method::SetAt, &[index, value.clone()], None)?;
        Ok(value)
    }

    fn repeat(&mut self, condition: &'t Node, until: bool, body: &'t Node) -> Outcome {
        while self.eval(condition)?.is_truthy() != until {
            match self.eval(body) {
                Ok(_) | Err(Stop::Next(_)) => {}
                Err(Stop::Break(value)) => return Ok(value),
                Err(stop) => return Err(stop),
            }
        }
        Ok(Value::Nil)
    }

    /// Whether a branch of `case` applies.
    fn applies(&mut self, conditions: &'t [Argument], subject: Option<&Value>) -> Outcome<bool> {
        for condition in conditions {
            for condition in self.arguments(std::slice::from_ref(condition))? {
                let applies = match subject {
                    Some(subject) => self.case_equals(&condition, subject)?,
                    None => condition.is_truthy(),
                };
                if applies {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// `pattern === value`.
    pub(super) fn case_equals(&mut self, pattern: &Value, value: &Value) -> Outcome<bool> {
        Ok(match pattern {
            Value::Class(class) => show::is_a(value, *class)?,
            Value::Range(range) => compare::covers(range, value)?,
            Value::Regexp(pattern) => match value {
                Value::String(text) => self.find(pattern, &text.get())?.is_some(),
                Value::Symbol(text) => self.find(pattern, text)?.is_some(),
                Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
                    self.last_match = None;
                    false
                }
                _ => return Err(Stop::Unsupported),
            },
            pattern => compare::equals(pattern, value)?,
        })
    }

    /// The first match, which `$1` and its like are then about.
    pub(super) fn find(&mut self, pattern: &std::sync::Arc<Pattern>, text: &EcoString) -> Outcome<Option<Rc<Match>>> {
        self.last_match = pattern.find(text, 0)?.map(Rc::new);
        Ok(self.last_match.clone())
    }

    pub(super) fn set_last_match(&mut self, found: Option<Match>) {
        self.last_match = found.map(Rc::new);
    }

    fn call_definition(&mut self, number: usize, args: Vec<Value>) -> Outcome {
        let tree = self.tree;
        let Some(definition) = tree.definitions.get(number) else { return Err(Stop::Unsupported) };
        let parameters = &definition.parameters;
        let required = parameters.required.len() + parameters.last.len();
        let most = required + parameters.optional.len();
        let fits = args.len() >= required && (args.len() <= most || parameters.rest.is_some());
        if !fits || self.defined.get(number) != Some(&true) {
            return Err(Stop::Unsupported);
        }
        let (base, last_match) = (self.base, self.last_match.take());
        self.base = self.locals.len();
        self.locals.resize(self.base + definition.locals, Value::Nil);
        let outcome = self.deeper(|running| {
            running.bind(parameters, args)?;
            running.eval(&definition.body)
        });
        self.locals.truncate(self.base);
        self.base = base;
        self.last_match = last_match;
        match outcome {
            Ok(value) | Err(Stop::Return(value)) => Ok(value),
            Err(_) => Err(Stop::Unsupported),
        }
    }

    fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.run.depth >= DEEPEST {
            return Err(Stop::Unsupported);
        }
        self.run.depth += 20;
        let outcome = deep(|| work(self));
        self.run.depth -= 20;
        outcome
    }

    /// Calls a block with one value.
    pub(super) fn give(&mut self, block: &'t Block, value: Value) -> Outcome {
        self.give_all(block, vec![value])
    }

    /// Calls a block with several values.
    pub(super) fn give_all(&mut self, block: &'t Block, mut values: Vec<Value>) -> Outcome {
        self.run.step()?;
        match block {
            Block::Symbol(method) => {
                if values.is_empty() {
                    return Err(Stop::Unsupported);
                }
                let receiver = values.remove(0);
                self.send(&receiver, *method, &values, None)
            }
            Block::Code(code) => self.run_code(code, values),
        }
    }

    fn run_code(&mut self, code: &'t Code, values: Vec<Value>) -> Outcome {
        for slot in code.locals.clone() {
            self.set_local(slot, Value::Nil);
        }
        let values = match &*values {
            [Value::Array(list)] if code.parameters.takes_several() => list.items(),
            _ => values,
        };
        self.bind(&code.parameters, values)?;
        match self.eval(&code.body) {
            Err(Stop::Next(value)) => Ok(value),
            outcome => outcome,
        }
    }

    /// Assigns values one after another; what is missing is nil.
    fn bind(&mut self, parameters: &'t Parameters, values: Vec<Value>) -> Outcome<()> {
        let mut values = values.into_iter();
        for target in &parameters.required {
            let value = values.next().unwrap_or(Value::Nil);
            self.assign(target, value)?;
        }
        for (slot, default) in &parameters.optional {
            let value = match values.len() > parameters.last.len() {
                true => values.next().unwrap_or(Value::Nil),
                false => self.eval(default)?,
            };
            self.set_local(*slot, value);
        }
        if let Some(rest) = parameters.rest {
            let count = values.len().saturating_sub(parameters.last.len());
            let taken: Vec<Value> = values.by_ref().take(count).collect();
            if let Some(slot) = rest {
                self.set_local(slot, Value::array(taken));
            }
        }
        for target in &parameters.last {
            let value = values.next().unwrap_or(Value::Nil);
            self.assign(target, value)?;
        }
        Ok(())
    }

    fn assign(&mut self, target: &'t Target, value: Value) -> Outcome<()> {
        match target {
            Target::Local(slot) => self.set_local(*slot, value),
            Target::Variable(number) => self.set_variable(*number, value),
            Target::Nested(parameters) => return self.bind(parameters, spread(value)),
        }
        Ok(())
    }
}

impl Parameters {
    /// Whether a list given alone is taken apart.
    fn takes_several(&self) -> bool {
        let count = self.required.len() + self.optional.len() + self.last.len();
        count > 1 || (count == 1 && (self.rest.is_some() || self.has_trailing_comma))
    }
}

/// The items of a list, or the value alone.
fn spread(value: Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list.items(),
        other => vec![other],
    }
}
