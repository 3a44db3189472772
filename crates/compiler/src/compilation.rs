//! A compilation: everything that changes while a catalog is made for one node. It is dropped at the end.

use std::io;
use std::sync::Arc;

use ecow::{EcoString, eco_format};
use rustc_hash::{FxHashMap, FxHashSet};

use bunraku_catalog::resource_type::METAPARAMETERS;
use bunraku_environment::issues::too_much_inline_code;
use bunraku_environment::world::{Command, Output};
use bunraku_environment::{Code, Definitions, Environment, Form, LoadFailure};
use bunraku_hiera::{FunctionContext, Hiera, Session};
use bunraku_pcore::object::Object;
use bunraku_pcore::{Regexp, Type, Value};
use bunraku_syntax::{Diagnostic, FileId, Issue, Note, Severity, Span, ast, giving_up};

use crate::build::Build;
use crate::call_stack::CallStack;
use crate::eval::lambda::Parameters;
use crate::eval::text::Rendered;
use crate::exported::ExportedResources;
use crate::foreign::Foreign;
use crate::frame::Frame;
use crate::function::{Library, Native, Signature};
use crate::limits::{Clock, INLINE_CODE};
use crate::log::{Level, Log};
use crate::node::Node;
use crate::profile::Recorder;
use crate::scope::{ScopeId, Scopes};
use crate::settings::Settings;
use crate::shared_types::{Reading, SharedTypes};
use crate::unwind::{Outcome, Unwind};

/// How many regular expressions are kept for further use.
const MOST_REGEXPS: usize = 1024;

/// How many deprecations are warned of.
const MOST_DEPRECATIONS: usize = 100;

/// The state of one compilation.
#[derive(Debug)]
pub struct Compilation<'e> {
    /// Where code comes from.
    pub environment: &'e Environment,
    /// The definitions met so far.
    pub definitions: Definitions<'e>,
    /// The functions written in Rust.
    pub library: &'e Library,
    /// The node.
    pub node: &'e Node,
    /// What changes the meaning of a program.
    pub settings: Settings,
    /// How long it may take.
    pub clock: Clock,
    /// All scopes.
    pub scopes: Scopes,
    /// What was said so far.
    pub logs: Vec<Log>,
    /// What else there is to say about the error that ends the compilation.
    pub(crate) remarks: Vec<Note>,
    /// The catalog in the making.
    pub build: Build<'e>,
    /// The lookups of data.
    pub lookups: Arc<Session<'e>>,
    /// The data functions being called, with what each sees of the lookup.
    pub(crate) lookup_contexts: Vec<(Arc<Object>, Arc<FunctionContext>)>,
    /// Those that the program has made itself.
    pub(crate) own_contexts: Vec<(Arc<Object>, Arc<FunctionContext>)>,
    /// Who runs functions that are not written in Puppet or Rust.
    pub foreign: Option<&'e dyn Foreign>,
    /// What other nodes export.
    pub exported: Option<&'e ExportedResources>,
    pub(crate) rendered: Rendered,
    /// Where strings with expressions in them are put together; empty between two of them.
    pub(crate) text_buffer: String,
    pub(crate) depth: u32,
    /// The first argument of the lambda that was left with `break()`.
    pub(crate) abandoned: Value,
    /// What is attached to values: the value and the annotation.
    pub annotations: Vec<(Value, Arc<Object>)>,
    deprecated: FxHashSet<EcoString>,
    /// The calls being made.
    pub calls: CallStack,
    /// The definition whose parameters get their types.
    pub(crate) resolving: Option<Span>,
    pub(crate) data_types: FxHashMap<EcoString, Option<Type>>,
    callees: FxHashMap<EcoString, Callee<'e>>,
    function_types: FxHashMap<Span, Arc<Parameters>>,
    /// Signatures of native functions that name types of modules.
    resolved_signatures: FxHashMap<&'static str, Arc<[Signature]>>,
    regexps: FxHashMap<EcoString, Arc<Regexp>>,
    /// The code given at run time that was used, and how long it is altogether.
    inline: FxHashSet<FileId>,
    inline_bytes: usize,
    /// The types that the environment's code defines, if they are shared with other compilations.
    pub(crate) shared_types: Option<&'e SharedTypes>,
    pub(crate) reading: Reading,
    /// Whether the catalog has the version that the environment's own command tells.
    pub is_versioned: bool,
    /// Where the time goes, if somebody wants to know.
    pub(crate) recorder: Option<Box<Recorder<'e>>>,
}

/// What a name calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee<'e> {
    Native(&'e Native),
    Puppet(&'e ast::Function),
    Foreign(&'e dyn Foreign),
    Unknown,
}

impl<'e> Compilation<'e> {
    /// A compilation that has not begun: the main manifests are loaded, nothing is evaluated.
    pub fn new(
        environment: &'e Environment,
        library: &'e Library,
        node: &'e Node,
    ) -> Result<Compilation<'e>, LoadFailure> {
        let mut compilation = Compilation {
            environment,
            definitions: Definitions::new(environment, &METAPARAMETERS)?,
            library,
            node,
            settings: Settings::of(environment)?,
            clock: Clock::default(),
            scopes: Scopes::default(),
            logs: Vec::new(),
            remarks: Vec::new(),
            build: Build::default(),
            lookups: Arc::new(Session::new(Arc::new(Hiera::of(environment)?), environment.world())),
            lookup_contexts: Vec::new(),
            own_contexts: Vec::new(),
            foreign: None,
            exported: None,
            rendered: Rendered::default(),
            text_buffer: String::new(),
            depth: 0,
            abandoned: Value::Undef,
            annotations: Vec::new(),
            deprecated: FxHashSet::default(),
            calls: CallStack::default(),
            resolving: None,
            data_types: FxHashMap::default(),
            callees: FxHashMap::default(),
            function_types: FxHashMap::default(),
            resolved_signatures: FxHashMap::default(),
            regexps: FxHashMap::default(),
            inline: FxHashSet::default(),
            inline_bytes: 0,
            shared_types: None,
            reading: Reading::default(),
            is_versioned: false,
            recorder: None,
        };
        compilation.check_type_names()?;
        for notice in &environment.notices {
            let level = if notice.severity == Severity::Error { Level::Err } else { Level::Warning };
            compilation.logs.push(log_of(level, notice));
        }
        compilation.log_load_warnings();
        Ok(compilation)
    }

    /// The compilation with data that other compilations of the environment share.
    pub fn with_hiera(mut self, hiera: Arc<Hiera>) -> Compilation<'e> {
        self.lookups = Arc::new(Session::new(hiera, self.environment.world()));
        self
    }

    /// Code given at run time. It lives as long as this generation of the environment, which all its compilations share: so
    /// there is a limit to what one of them may add.
    pub fn inline(&mut self, text: &str, form: Form) -> Result<&'e Code, Issue> {
        let limit = INLINE_CODE;
        if text.len() > limit {
            return Err(too_much_inline_code(limit));
        }
        let code = self.environment.inline(text, form)?;
        if self.inline.insert(code.id) {
            self.inline_bytes = self.inline_bytes.saturating_add(text.len());
        }
        if self.inline_bytes > limit { Err(too_much_inline_code(limit)) } else { Ok(code) }
    }

    /// The regular expression of a pattern. A pattern that is used again is not read and compiled again.
    pub fn regexp(&mut self, source: &str) -> Result<Arc<Regexp>, Issue> {
        if let Some(known) = self.regexps.get(source) {
            return Ok(known.clone());
        }
        let regexp = self.library.regexps.get(source)?;
        // Patterns that a program makes up as it goes must not pile up.
        if self.regexps.len() >= MOST_REGEXPS {
            self.regexps.clear();
        }
        self.regexps.insert(source.into(), regexp.clone());
        Ok(regexp)
    }

    /// Logs what is questionable about code that was loaded since the last time.
    pub(crate) fn log_load_warnings(&mut self) {
        let findings = Findings::new(self.definitions.take_warnings(), &self.settings);
        self.logs.extend(findings.logs);
    }

    /// Runs a command, which ends at the latest when the compilation must.
    pub fn run(&self, command: Command<'_>) -> io::Result<Output> {
        let limits = &self.clock.limits;
        let command = Command { deadline: limits.deadline, cancelled: limits.cancelled.as_deref(), ..command };
        self.environment.world().run(&command)
    }

    /// Warns of an issue at a place.
    pub fn warn(&mut self, issue: Issue, span: Span) {
        let message = issue.message().into();
        self.say(Log { level: Level::Warning, message, source: None, issue: Some(issue.code()), span: Some(span) });
    }

    /// Says something that belongs to no place.
    pub fn log(&mut self, level: Level, message: &str) {
        self.say(Log { level, message: message.into(), source: None, issue: None, span: None });
    }

    /// Adds a message.
    pub fn say(&mut self, log: Log) {
        self.clock.hold((size_of::<Log>() + log.message.len()) as u64);
        self.logs.push(log);
    }

    /// Warns once for each key of something that a later version will not have, unless such warnings are turned off.
    ///
    /// Compatibility: what is warned of after a hundred keys is not said.
    pub fn deprecate(&mut self, key: &str, message: impl FnOnce(&Self) -> EcoString) {
        if !self.settings.deprecations
            || self.deprecated.len() >= MOST_DEPRECATIONS
            || !self.deprecated.insert(key.into())
        {
            return;
        }
        let message = message(self);
        self.say(Log { level: Level::Warning, message, source: None, issue: None, span: None });
    }

    /// What a name calls. A function of the site's own manifests wins over the language's, which wins over those of modules: first those
    /// written in Puppet, then those in Ruby, for which a native function may stand in.
    pub(crate) fn callee(&mut self, name: &str) -> Outcome<Callee<'e>> {
        if let Some(callee) = self.callees.get(name) {
            return Ok(*callee);
        }
        let callee = self.find_callee(name)?;
        self.callees.insert(name.into(), callee);
        Ok(callee)
    }

    fn find_callee(&mut self, name: &str) -> Outcome<Callee<'e>> {
        let name = name.strip_prefix("::").unwrap_or(name);
        if let Some(definition) = self.definitions.loaded_function(name) {
            return Ok(Callee::Puppet(definition.definition));
        }
        if let Some(native) = self.library.first(name, self.environment) {
            return Ok(Callee::Native(native));
        }
        let loaded = self.definitions.function(name);
        self.log_load_warnings();
        match loaded {
            Ok(Some(definition)) => return Ok(Callee::Puppet(definition.definition)),
            Ok(None) => {}
            Err(failure) => return Err(self.load_failure(failure)),
        }
        if let Some(native) = self.library.stand_in(name, self.environment) {
            return Ok(Callee::Native(native));
        }
        Ok(match self.foreign {
            Some(foreign) if foreign.has_function(name) => Callee::Foreign(foreign),
            Some(_) => Callee::Unknown,
            None => self.last_resort(name).map_or(Callee::Unknown, Callee::Native),
        })
    }

    /// The signatures of a native function with the types of modules that they name.
    pub(crate) fn resolved_signatures(&mut self, native: &Native) -> Outcome<Arc<[Signature]>> {
        if let Some(signatures) = self.resolved_signatures.get(native.function.name) {
            return Ok(Arc::clone(signatures));
        }
        let signatures: Arc<[Signature]> = native.signatures_with(&mut |name| self.data_type(name))?.into();
        self.resolved_signatures.insert(native.function.name, Arc::clone(&signatures));
        Ok(signatures)
    }

    /// Logs what is questionable about code that is about to be run, and fails if it cannot be.
    pub fn check_code(&mut self, code: &Code) -> Outcome<()> {
        let diagnostics = &code.diagnostics;
        if diagnostics.is_empty() {
            return Ok(());
        }
        if code.errors().next().is_some() {
            return Err(self.load_failure(LoadFailure::Diagnostics(diagnostics.clone())));
        }
        self.logs.extend(Findings::new(diagnostics.clone(), &self.settings).logs);
        Ok(())
    }

    /// Code that cannot be used: one error is that error, of several each is logged and their number is the error.
    pub(crate) fn load_failure(&mut self, failure: LoadFailure) -> Unwind {
        let Findings { mut errors, logs, warnings } = match failure {
            LoadFailure::Issue(issue) => return issue.into(),
            LoadFailure::Diagnostics(diagnostics) => Findings::new(diagnostics, &self.settings),
        };
        self.logs.extend(logs);
        if errors.len() == 1
            && let Some(error) = errors.pop()
        {
            return error.into();
        }
        self.logs.extend(errors.iter().map(|error| log_of(Level::Err, error)));
        Unwind::from(Issue::new("", giving_up(errors.len(), warnings)).nowhere())
    }

    /// The types of a function's parameters, evaluated once.
    pub(crate) fn function_types(&mut self, definition: &ast::Function) -> Outcome<Arc<Parameters>> {
        if let Some(types) = self.function_types.get(&definition.span) {
            return Ok(types.clone());
        }
        let mut frame = Frame::top(self);
        let types = Parameters::evaluate(&definition.parameters, definition.return_type.as_ref(), &mut frame)?;
        let types = Arc::new(types);
        self.function_types.insert(definition.span, types.clone());
        Ok(types)
    }

    /// `Scope(Class[main])`: how a log names the scope it comes from.
    pub(crate) fn scope_label(&self, scope: ScopeId) -> EcoString {
        match self.build.resource_of(scope) {
            Some(reference) => eco_format!("Scope({reference})"),
            None => "Scope(Class[main])".into(),
        }
    }
}

/// What was found in code, taken apart.
pub(crate) struct Findings {
    /// Why it cannot be used.
    pub(crate) errors: Vec<Diagnostic>,
    /// What is questionable about it, as it is logged: of each file up to a number of warnings.
    pub(crate) logs: Vec<Log>,
    /// How many warnings there are, logged or not.
    pub(crate) warnings: usize,
}

impl Findings {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>, settings: &Settings) -> Findings {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        let (errors, others): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(is_error);
        let mut counts = FxHashMap::default();
        let is_logged = |warning: &&Diagnostic| {
            if !warning.is_of_validation() {
                return true;
            }
            let count: &mut usize = counts.entry((warning.file(), warning.severity)).or_default();
            *count += 1;
            match warning.severity {
                Severity::Deprecation => settings.deprecations && *count <= settings.max_deprecations,
                _ => *count <= settings.max_warnings,
            }
        };
        let logs = others.iter().filter(is_logged).map(|warning| log_of(Level::Warning, warning)).collect();
        Findings { errors, logs, warnings: others.iter().filter(|warning| warning.is_of_validation()).count() }
    }
}

fn log_of(level: Level, diagnostic: &Diagnostic) -> Log {
    let issue = Some(diagnostic.issue.code()).filter(|code| !code.is_empty());
    Log { level, message: diagnostic.issue.message().into(), source: None, issue, span: diagnostic.span() }
}
