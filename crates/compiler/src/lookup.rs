//! The border to Hiera: what a lookup sees of an evaluation, and how its failures are shown.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use bunraku_hiera::{
    Context, DataFunction, DataSource, Error, Explain, Explanation, Found, FunctionCall, FunctionContext, Kind,
    Missing, Request, WrongOption, line_of,
};
use bunraku_pcore::data_type::DataType;
use bunraku_pcore::issues::string_of;
use bunraku_pcore::iterator::Iterator;
use bunraku_pcore::object::Object;
use bunraku_pcore::{Hash, Type, Value, mismatch, parse};
use bunraku_syntax::{FileId, Issue, Note, Span, nearest};

use crate::build::illegal_jump;
use crate::compilation::Callee;
use crate::eval::call;
use crate::eval::lambda;
use crate::frame::Frame;
use crate::function::Block;
use crate::issues::{self, LOOKUP_NOT_FOUND};
use crate::log::{Level, Log};
use crate::unwind::{Outcome, Unwind};

/// The place of a lookup that no code asks for.
const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

impl Frame<'_, '_> {
    /// Looks names up in the data, as seen from here.
    pub fn lookup(&mut self, request: &Request<'_>, span: Span) -> Outcome<Option<Found>> {
        let session = self.compilation.lookups.clone();
        let found = session.lookup(request, &mut Scope { frame: self, span });
        found.map_err(|error| self.lookup_failure(error))
    }

    /// The failure of a lookup, with remarks about the data files it was in.
    fn lookup_failure(&mut self, error: Error) -> Unwind {
        let compilation = &mut *self.compilation;
        for (key, path) in &error.trail {
            let source = DataSource { path: path.clone(), line: line_of(key, path, compilation.environment.world()) };
            // What is shown of the file says it all.
            let at = error.cause.as_ref().map(|cause| cause.at.clone());
            compilation.remarks.push(Note { message: eco_format!("'{key}' is looked up in {source}"), at });
        }
        if let Some(option) = error.wrong_option.as_deref() {
            for source in self.option_sources(option) {
                let message = eco_format!("the lookup options of '{}' come from {source}", option.entry);
                let at = source.at(self.compilation.environment.world());
                self.compilation.remarks.push(Note { message, at });
            }
        }
        error.into()
    }

    /// The places in data files that have a wrong option.
    fn option_sources(&mut self, option: &WrongOption) -> Vec<DataSource> {
        let request = Request { names: std::slice::from_ref(&option.key), ..Request::default() };
        let session = self.compilation.lookups.clone();
        if session.is_explaining() {
            return Vec::new();
        }
        let explained = session.explain(&request, Explain::OnlyOptions, &mut Scope { frame: self, span: NOWHERE });
        let Ok((_, explanation)) = explained else { return Vec::new() };
        explanation.option_sources(option, self.compilation.environment.world())
    }

    /// Looks names up and gives an account of it.
    pub fn explain_lookup(
        &mut self,
        request: &Request<'_>,
        covers: Explain,
        span: Span,
    ) -> Outcome<(Option<Found>, Explanation)> {
        let session = self.compilation.lookups.clone();
        Ok(session.explain(request, covers, &mut Scope { frame: self, span })?)
    }

    /// Looks the value of a parameter up in the data: `class::name::parameter`.
    pub fn lookup_parameter(&mut self, key: &str, span: Span) -> Outcome<Option<Value>> {
        let session = self.compilation.lookups.clone();
        let found = session.search(key, &mut Scope { frame: self, span });
        found.map_err(|error| self.lookup_failure(error))
    }

    /// The data of a file, as `yaml_data` and its kin give it to a lookup.
    pub fn data_hash(&mut self, function: &str, path: &str, span: Span) -> Outcome {
        let session = self.compilation.lookups.clone();
        Ok(session.data_hash(function, path, &mut Scope { frame: self, span })?)
    }

    /// A decrypted value, as `eyaml_lookup_key` gives it to a lookup.
    pub fn eyaml_lookup_key(&mut self, key: &str, options: &Hash, span: Span) -> Outcome {
        let session = self.compilation.lookups.clone();
        let found = session.eyaml_lookup_key(key, options, &mut Scope { frame: self, span })?;
        found.ok_or_else(|| issues::lookup_not_found().into())
    }

    /// The places in data files that make up the value of a key.
    pub fn lookup_sources(&mut self, key: &EcoString, span: Option<Span>) -> Vec<DataSource> {
        let request = Request { names: std::slice::from_ref(key), ..Request::default() };
        let span = span.unwrap_or(NOWHERE);
        match self.explain_lookup(&request, Explain::Data, span) {
            Ok((_, explanation)) => explanation.sources(key, self.compilation.environment.world()),
            Err(_) => Vec::new(),
        }
    }

    /// The key in the data files of a lookup that was probably meant by one which none of them has.
    pub fn nearest_key(&mut self, key: &EcoString, span: Span) -> Option<EcoString> {
        let request = Request { names: std::slice::from_ref(key), ..Request::default() };
        // What was said when the key was looked up is not said again.
        let said = self.compilation.logs.len();
        let known = self.explain_lookup(&request, Explain::Data, span).map(|(_, it)| self.known_keys(&it, span));
        self.compilation.logs.truncate(said);
        nearest(key, known.ok()?)
    }

    /// The keys in the data files that a lookup has asked.
    fn known_keys(&mut self, explanation: &Explanation, span: Span) -> Vec<EcoString> {
        let mut known: Vec<EcoString> = Vec::new();
        for file in explanation.files() {
            let function = if file.ends_with(".json") { "json_data" } else { "yaml_data" };
            if let Ok(Value::Hash(hash)) = self.data_hash(function, file, span) {
                known.extend(hash.keys().filter_map(Value::as_str).map(EcoString::from));
            }
        }
        known
    }

    /// Calls a method of the `Puppet::LookupContext` that a data function in another language was given; nothing if it is
    /// none of a call under way, or has no such method.
    pub fn call_lookup_context(
        &mut self,
        context: &Value,
        method: &str,
        args: &[Value],
        span: Span,
    ) -> Option<Outcome> {
        let Value::Object(object) = context else { return None };
        let contexts = &self.compilation.lookup_contexts;
        contexts.iter().rev().find(|(other, _)| Arc::ptr_eq(other, object))?;
        let session = self.compilation.lookups.clone();
        match (method, args) {
            ("is_explaining", []) => Some(Ok(Value::Boolean(session.is_explaining()))),
            ("explain", [text]) => {
                session.remark(&text.to_string());
                Some(Ok(Value::Undef))
            }
            _ => match context_method(object, method, args, None, span, self)? {
                // A lazy sequence cannot leave the language; its elements can.
                Ok(Value::Iterator(entries)) => Some(Ok(Value::array(entries.values()))),
                outcome => Some(outcome),
            },
        }
    }
}

/// Failures of data are shown as they stand; all others belong to the place of the call.
impl From<Error> for Unwind {
    fn from(error: Error) -> Unwind {
        if let Some(diagnostic) = error.diagnostic {
            return Unwind::Error(diagnostic);
        }
        let issue = match error.kind {
            Kind::Lookup => Issue::new(error.code.unwrap_or_default(), error.to_string()),
            Kind::General | Kind::Call => issues::runtime(error.message),
        };
        let issue = match error.cause {
            Some(cause) => issue.with_headline(cause.headline).with_primary(cause.advice, cause.at),
            None => issue,
        };
        match error.kind {
            Kind::Lookup => issue.nowhere().into(),
            Kind::General | Kind::Call => issue.into(),
        }
    }
}

/// The evaluation around a lookup.
struct Scope<'f, 'c, 'e> {
    frame: &'f mut Frame<'c, 'e>,
    span: Span,
}

impl Context for Scope<'_, '_, '_> {
    fn variable(&mut self, name: &str) -> Result<Value, Missing> {
        match self.frame.variable(name) {
            Ok(Some(value)) => Ok(value),
            _ => self.frame.missing_variable(name).map_or(Ok(Value::Undef), Err),
        }
    }

    fn function(&mut self, name: &str) -> Result<Option<DataFunction>, Error> {
        let compilation = &mut *self.frame.compilation;
        Ok(match compilation.callee(name).map_err(failure)? {
            Callee::Unknown => None,
            Callee::Native(_) | Callee::Foreign(_) => Some(DataFunction::default()),
            Callee::Puppet(definition) => {
                let types = compilation.function_types(definition).map_err(failure)?;
                Some(DataFunction {
                    returned: types.returned().filter(|returned| !matches!(returned, Type::Any)).cloned(),
                })
            }
        })
    }

    fn call_function(&mut self, call: FunctionCall<'_>) -> Result<Option<Value>, Error> {
        let mut args = call.arguments;
        let open = self.frame.compilation.lookup_contexts.len();
        if let (Some(context), Some(Type::Object(context_type))) =
            (call.context, Type::by_name("Puppet::LookupContext"))
        {
            let value = context_type.new_instance(&[Value::from(context.module_name.clone())])?;
            args.push(value.clone());
            if let Value::Object(object) = value {
                self.frame.compilation.lookup_contexts.push((object, Arc::clone(context)));
            }
        }
        let is_accepted = self.accepts(call.name, &args);
        let outcome = call::function(call.name, args, None, self.span, self.frame);
        self.frame.compilation.lookup_contexts.truncate(open);
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(Unwind::Issue(issue)) if issue.code() == LOOKUP_NOT_FOUND => Ok(None),
            Err(Unwind::Error(diagnostic)) if diagnostic.issue.code() == LOOKUP_NOT_FOUND => Ok(None),
            // What is wrong is the value that a function written in Puppet returns: the data, not the call.
            Err(Unwind::Issue(issue)) if is_accepted => Err(Error::general(issue.message())),
            Err(unwind) => Err(failure(unwind)),
        }
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, Error> {
        let compilation = &mut *self.frame.compilation;
        let parsed = parse::parse_type(text, &mut |name| compilation.data_type(name));
        parsed.map_err(|unwind| Error::general(message(&unwind)))
    }

    fn new_instance(&mut self, data_type: &Value, arguments: Vec<Value>) -> Result<Value, Error> {
        let args = std::iter::once(data_type.clone()).chain(arguments).collect();
        call::function("new", args, None, self.span, self.frame).map_err(|unwind| Error::general(message(&unwind)))
    }

    fn warn(&mut self, message: &str) {
        let log = Log { level: Level::Warning, message: message.into(), source: None, issue: None, span: None };
        self.frame.compilation.logs.push(log);
    }
}

impl Scope<'_, '_, '_> {
    /// Whether a function is written in Puppet and takes the arguments.
    fn accepts(&mut self, name: &str, args: &[Value]) -> bool {
        let compilation = &mut *self.frame.compilation;
        let Ok(Callee::Puppet(definition)) = compilation.callee(name) else { return false };
        compilation.function_types(definition).is_ok_and(|types| types.accepts(args))
    }
}

/// The failure of a data function: one inside of it keeps its place, one of the call belongs to the lookup.
fn failure(unwind: Unwind) -> Error {
    match illegal_jump(unwind) {
        Unwind::Error(diagnostic) => Error::evaluation(*diagnostic),
        other => Error::call(message(&other)),
    }
}

fn message(unwind: &Unwind) -> EcoString {
    match unwind {
        Unwind::Error(diagnostic) => diagnostic.issue.message().into(),
        Unwind::Issue(issue) => issue.message().into(),
        _ => EcoString::new(),
    }
}

/// Whether a value is the `Puppet::LookupContext` of a call that is under way, or one that the program has made.
pub(crate) fn is_context(value: &Value, frame: &mut Frame<'_, '_>) -> bool {
    let Value::Object(object) = value else { return false };
    if object.object_type().name() != "Puppet::LookupContext" {
        return false;
    }
    let compilation = &mut *frame.compilation;
    let mut known = compilation.lookup_contexts.iter().chain(&compilation.own_contexts);
    if !known.any(|(context, _)| Arc::ptr_eq(context, object)) {
        let module = object.get("module_name").and_then(|name| name.as_str().map(EcoString::from));
        let context = FunctionContext::new(compilation.environment.name.as_str().into(), module);
        compilation.own_contexts.push((object.clone(), Arc::new(context)));
    }
    true
}

/// Calls a method of a `Puppet::LookupContext`; nothing if the receiver is none, or has no such method.
pub(crate) fn context_method(
    receiver: &Arc<Object>,
    name: &str,
    args: &[Value],
    block: Option<&Block<'_>>,
    span: Span,
    frame: &mut Frame<'_, '_>,
) -> Option<Outcome> {
    let compilation = &frame.compilation;
    let mut contexts = compilation.lookup_contexts.iter().rev().chain(&compilation.own_contexts);
    let context = contexts.find(|(object, _)| Arc::ptr_eq(object, receiver))?.1.clone();
    let is_looking_up = !compilation.lookup_contexts.is_empty();
    let session = frame.compilation.lookups.clone();
    if let Some(mismatch) = argument_mismatch(receiver, name, args, block) {
        return Some(Err(issues::runtime(mismatch).into()));
    }
    Some(match (name, args) {
        ("environment_name", []) => Ok(Value::Symbol(context.environment_name.clone())),
        ("module_name", []) => Ok(Value::from(context.module_name.clone())),
        ("not_found", []) if is_looking_up => Err(issues::lookup_not_found().into()),
        // Compatibility: the words are those of Ruby.
        ("not_found", []) => Err(issues::runtime("uncaught throw :no_such_key").into()),
        ("interpolate", [value]) => session.interpolate(value, &mut Scope { frame, span }).map_err(Unwind::from),
        ("explain", []) => explain(block, frame),
        ("cache", [key, value]) => {
            context.cache(key.clone(), value.clone());
            Ok(value.clone())
        }
        ("cache_all", [Value::Hash(entries)]) => {
            context.cache_all(entries);
            Ok(Value::Undef)
        }
        ("cache_has_key", [key]) => Ok(Value::Boolean(context.cache_has_key(key))),
        ("cached_value", [key]) => Ok(context.cached_value(key).unwrap_or_default()),
        ("cached_entries", []) => cached_entries(&context, block, frame),
        ("cached_file_data", [Value::String(path)]) => {
            session.read_file(path).map_err(Unwind::from).and_then(|bytes| {
                let text = Value::from(string_of(bytes.to_vec())?);
                match block {
                    Some(block) => lambda::call(block, vec![text], frame),
                    None => Ok(text),
                }
            })
        }
        _ => return None,
    })
}

/// Why a method does not take the arguments; nothing if it does, or if there is no such method.
fn argument_mismatch(receiver: &Object, name: &str, args: &[Value], block: Option<&Block<'_>>) -> Option<String> {
    let object_type = receiver.object_type();
    let Type::Callable(callable) = &object_type.function(name)?.data_type else { return None };
    let block = block.map(Block::data_type);
    if callable.is_callable_with(args, block.as_ref()) {
        return None;
    }
    let signature = mismatch::Signature { callable, names: &[], block_name: "block" };
    let label = format!("function {}[{name}]", DataType::name(&**object_type));
    Some(mismatch::describe_signatures(&label, &[signature], args, block.as_ref()))
}

fn explain(block: Option<&Block<'_>>, frame: &mut Frame<'_, '_>) -> Outcome {
    let session = frame.compilation.lookups.clone();
    if let (Some(block), true) = (block, session.is_explaining()) {
        let text = lambda::call(block, Vec::new(), frame)?;
        session.remark(&text.to_string());
    }
    Ok(Value::Undef)
}

fn cached_entries(context: &FunctionContext, block: Option<&Block<'_>>, frame: &mut Frame<'_, '_>) -> Outcome {
    let entries: Hash = context.cached_entries();
    let Some(block) = block else {
        let iterator = Iterator::on(&Value::Hash(Arc::new(entries)));
        return Ok(iterator.map_or(Value::Undef, |iterator| Value::Iterator(Arc::new(iterator))));
    };
    for (key, value) in entries.iter() {
        let (key, value) = (key.clone(), value.clone());
        let args = if block.takes(2) { vec![key, value] } else { vec![Value::array([key, value])] };
        lambda::call(block, args, frame)?;
    }
    Ok(Value::Undef)
}
