//! The compiler as Ruby code sees it: everything is answered from the frame of the call.

use std::fmt;
use std::sync::Arc;

use bunraku_compiler::change::{Replaced, place};
use bunraku_compiler::frame::Place;
use bunraku_compiler::function::{Block, ForeignBlock};
use bunraku_compiler::log::Level;
use bunraku_compiler::{Frame, Limits, Outcome, Unwind};
use bunraku_pcore::{Value, mismatch};
use bunraku_syntax::{Diagnostic, Span, deep};

use crate::ruby::{Ruby, function_failure};
use crate::sidecar::{Host, HostError, HostResult, RubyBlock, Variable};
use crate::signatures::Callable;

/// A frame that answers questions of Ruby code.
pub(crate) struct FrameHost<'h, 'c, 'e> {
    pub(crate) ruby: &'h Ruby,
    pub(crate) frame: &'h mut Frame<'c, 'e>,
    /// The running function.
    pub(crate) callable: Option<Arc<Callable>>,
    /// The block the running function was given.
    pub(crate) block: Option<&'h Block<'h>>,
    /// The call.
    pub(crate) span: Span,
    /// Why the compiler leaves the call, while it passes through Ruby.
    pub(crate) unwinding: Option<Unwind>,
    /// Whether Ruby code calls a function of the old interface as a method of the scope.
    pub(crate) is_called_by_ruby: bool,
    /// Whether the call failed because there is no Ruby to run it.
    pub(crate) lacks_ruby: bool,
    /// Where the frame belongs while it is at the top.
    pub(crate) place: Option<Place>,
    /// Errors that Ruby code was told; one that it does not rescue goes on as it was.
    errors: Vec<Diagnostic>,
}

impl<'h, 'c, 'e> FrameHost<'h, 'c, 'e> {
    pub(crate) fn new(
        ruby: &'h Ruby,
        frame: &'h mut Frame<'c, 'e>,
        block: Option<&'h Block<'h>>,
        span: Span,
    ) -> FrameHost<'h, 'c, 'e> {
        FrameHost {
            ruby,
            frame,
            callable: None,
            block,
            span,
            unwinding: None,
            is_called_by_ruby: false,
            lacks_ruby: false,
            place: None,
            errors: Vec::new(),
        }
    }

    /// The error that Ruby code was told under a number.
    pub(crate) fn take_error(&mut self, number: usize) -> Option<Unwind> {
        let is_known = number < self.errors.len();
        is_known.then(|| self.errors.swap_remove(number).into())
    }

    /// An error is one for Ruby code too; a jump passes through it.
    fn outcome<T>(&mut self, outcome: Outcome<T>) -> Result<T, HostError> {
        outcome.map_err(|unwind| match unwind {
            Unwind::Issue(issue) => issue.into(),
            Unwind::Error(diagnostic) => {
                let (message, number) = (self.message(&diagnostic), Some(self.errors.len()));
                // Those have no code in the reference.
                let is_lookup_error = diagnostic.issue.code().is_empty();
                self.errors.push(*diagnostic);
                HostError::Message { message, file: None, line: None, number, is_lookup_error }
            }
            jump => {
                self.unwinding = Some(jump);
                HostError::Unwind
            }
        })
    }

    /// A message with its place, as the exception of an evaluation has it.
    fn message(&self, diagnostic: &Diagnostic) -> String {
        let message = diagnostic.issue.message();
        let source = diagnostic.file().and_then(|file| self.frame.compilation.environment.source(file));
        match (source, diagnostic.span()) {
            (Some(source), Some(span)) => {
                let (line, column) = source.line_column(span.start);
                match &source.path {
                    Some(path) => format!("{message} (file: {path}, line: {line}, column: {column})"),
                    None => format!("{message} (line: {line}, column: {column})"),
                }
            }
            _ => message.to_string(),
        }
    }

    /// What is said of a variable that is not there.
    fn missing(&mut self, name: &str) -> Variable {
        match self.frame.missing_variable(name) {
            Some(missing) => Variable::NotFound { name: missing.name.into(), reason: missing.reason.into() },
            None => Variable::Found(Value::Undef),
        }
    }
}

impl Host for FrameHost<'_, '_, '_> {
    fn limits(&self) -> Limits {
        self.frame.compilation.clock.limits.clone()
    }

    fn at_top(&mut self, is_at_top: bool) {
        if is_at_top {
            self.place = Some(self.frame.move_to_top());
        } else if let Some(place) = self.place.take() {
            self.frame.move_to(place);
        }
    }

    fn variable(&mut self, name: &str) -> Variable {
        match self.frame.variable(name) {
            Ok(Some(value)) => Variable::Found(value),
            _ => self.missing(name),
        }
    }

    fn variables(&mut self) -> Vec<(String, Value)> {
        let variables = self.frame.visible_variables();
        let known = variables.into_iter().filter(|(_, value)| !value.is_undef());
        known.map(|(name, value)| (name.to_string(), value)).collect()
    }

    fn set_variable(&mut self, name: &str, value: Value) -> HostResult {
        let outcome = self.frame.set_variable(name, value);
        self.outcome(outcome).map(|()| Value::Undef)
    }

    fn variable_changed(&mut self, name: &str, value: Value) {
        self.frame.replace_variable(name, value);
    }

    fn values_changed(&mut self, replaced: &Replaced) {
        self.frame.replace_values(replaced);
    }

    fn has_function(&mut self, name: &str) -> bool {
        self.frame.compilation.has_function(name).unwrap_or(false)
    }

    fn call_function(&mut self, name: &str, args: Vec<Value>, block: Option<&dyn RubyBlock>) -> HostResult {
        if !self.has_function(name) {
            return Err(HostError::message(format!("Unknown function '{name}'")));
        }
        let given = block.map(|block| GivenBlock { ruby: self.ruby, block, span: self.span });
        let block = given.as_ref().map(|given| Block::foreign(given, self.frame));
        let outcome = self.frame.call_function(name, args, block.as_ref(), self.span);
        self.outcome(outcome)
    }

    fn call_legacy_function(&mut self, name: &str, args: Vec<Value>, block: Option<&dyn RubyBlock>) -> HostResult {
        if !self.has_legacy_function(name)
            || self.frame.compilation.has_native_function(name).unwrap_or(false)
            || block.is_some()
        {
            return self.call_function(name, args, block);
        }
        self.call_legacy_file(name, args)
    }

    fn has_legacy_function(&mut self, name: &str) -> bool {
        self.ruby.legacy_function(name).is_some()
    }

    fn call_legacy_file(&mut self, name: &str, args: Vec<Value>) -> HostResult {
        let Some(file) = self.ruby.legacy_function(name) else {
            return Err(HostError::message(format!("Unknown function '{name}'")));
        };
        let mut host = FrameHost::new(self.ruby, self.frame, None, self.span);
        host.is_called_by_ruby = true;
        let outcome = self.ruby.call_file(file, args, &mut host);
        self.outcome(outcome)
    }

    fn is_called_by_ruby(&self) -> bool {
        self.is_called_by_ruby
    }

    fn is_fact(&self, value: &Value) -> bool {
        let facts = self.frame.compilation.node.facts.values();
        place(value).is_some_and(|place| facts.into_iter().any(|fact| is_within(fact, place)))
    }

    fn has_default(&mut self, type_name: &str, attribute: &str) -> bool {
        self.frame.has_default(type_name, attribute)
    }

    fn choose_dispatch(&mut self, args: &[Value]) -> Result<usize, HostError> {
        let Some(callable) = self.callable.clone() else {
            return Err(HostError::message("only a function has dispatches"));
        };
        let outcome = callable.choose(args, self.block);
        self.outcome(outcome)
    }

    fn call_block(&mut self, args: Vec<Value>) -> HostResult {
        let Some(block) = self.block else { return Err(HostError::message("no block given (yield)")) };
        let outcome = self.frame.call_block(block, args);
        self.outcome(outcome)
    }

    fn log(&mut self, level: &str, message: &str, once: Option<&str>) {
        let compilation = &mut *self.frame.compilation;
        if once.is_some() && compilation.logs.iter().any(|log| log.message == message) {
            return;
        }
        compilation.log(level_of(level), message);
    }

    fn deprecate(&mut self, key: &str, message: &str) {
        self.frame.compilation.deprecate(key, |_| message.into());
    }

    fn byte_text(&mut self, text: &str) -> Value {
        self.frame.compilation.build.byte_text(text)
    }

    fn describe_mismatch(&mut self, name: &str, expected: &Value, actual: &Value) -> Result<String, HostError> {
        match (expected, actual) {
            (Value::Type(expected), Value::Type(actual)) => Ok(mismatch::describe_mismatch(name, expected, actual)),
            _ => Err(HostError::message("only data types can be compared")),
        }
    }

    fn classes(&mut self) -> Vec<String> {
        self.frame.compilation.build.classes().iter().map(ToString::to_string).collect()
    }

    fn tags(&mut self) -> Vec<String> {
        self.frame.compilation.build.tags().iter().map(ToString::to_string).collect()
    }

    fn catalog_resource(&mut self, resource_type: &str, title: &str) -> Value {
        match self.frame.compilation.resource_parameters(resource_type, title) {
            Some(parameters) => {
                Value::hash(parameters.map(|(name, value)| (Value::string(name.clone()), value.clone())))
            }
            None => Value::Undef,
        }
    }

    fn resource(&mut self) -> String {
        let reference = self.frame.compilation.build.resource_of(self.frame.scope);
        reference.map_or_else(|| "Class[main]".to_string(), ToString::to_string)
    }

    fn source(&mut self) -> [String; 3] {
        let (kind, name, module) = self.frame.compilation.build.source_of(self.frame.scope);
        [kind.to_string(), name.to_string(), module.to_string()]
    }

    fn setting(&mut self, name: &str) -> Value {
        self.frame.variable(&format!("settings::{name}")).ok().flatten().unwrap_or_default()
    }

    fn find_file(&mut self, directory: &str, name: &str) -> Option<String> {
        let environment = self.frame.compilation.environment;
        if directory == "templates" { environment.find_template(name) } else { environment.find_file(name) }
    }

    fn module_path(&mut self, name: &str) -> Option<String> {
        self.frame.compilation.environment.module(name).map(|module| module.path.clone())
    }

    fn parse_type(&mut self, text: &str) -> HostResult {
        let outcome = self.frame.data_type(text, &[]);
        self.outcome(outcome).map(Value::Type)
    }

    fn is_instance(&mut self, data_type: &Value, value: &Value) -> Result<bool, HostError> {
        match data_type {
            Value::Type(data_type) => Ok(data_type.is_instance(value)),
            _ => Err(HostError::message("only a data type has instances")),
        }
    }

    fn stacktrace(&mut self) -> Vec<(String, u32)> {
        self.frame.compilation.callers().map(|(path, line)| (path.to_string(), line)).collect()
    }

    fn lookup_context(&mut self, context: &Value, method: &str, args: Vec<Value>) -> HostResult {
        match self.frame.call_lookup_context(context, method, &args, self.span) {
            Some(outcome) => self.outcome(outcome),
            None => Err(HostError::message(format!("a lookup context does not answer '{method}' here"))),
        }
    }
}

/// Whether an array or hash is a value or part of it.
fn is_within(value: &Value, wanted: usize) -> bool {
    place(value) == Some(wanted)
        || deep(|| match value {
            Value::Array(items) => items.iter().any(|item| is_within(item, wanted)),
            Value::Hash(hash) => hash.values().any(|value| is_within(value, wanted)),
            _ => false,
        })
}

/// A block of Ruby that a function of the compiler calls.
struct GivenBlock<'b> {
    ruby: &'b Ruby,
    block: &'b dyn RubyBlock,
    span: Span,
}

impl ForeignBlock for GivenBlock<'_> {
    fn call(&self, args: Vec<Value>, frame: &mut Frame<'_, '_>) -> Outcome {
        let (ruby, span) = (self.ruby, self.span);
        let mut host = FrameHost::new(ruby, frame, None, span);
        let called = self.block.call(&mut host, &args);
        called.map_err(|error| function_failure(error, &mut host))
    }

    fn arity(&self) -> (usize, Option<usize>) {
        let arity = self.block.arity();
        let count = |number: i64| usize::try_from(number).unwrap_or(0);
        if arity < 0 { (count(-arity - 1), None) } else { (count(arity), Some(count(arity))) }
    }
}

impl fmt::Debug for GivenBlock<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a block of Ruby")
    }
}

fn level_of(name: &str) -> Level {
    match name {
        "debug" => Level::Debug,
        "info" => Level::Info,
        "warning" => Level::Warning,
        "err" => Level::Err,
        "alert" => Level::Alert,
        "crit" => Level::Crit,
        "emerg" => Level::Emerg,
        _ => Level::Notice,
    }
}
