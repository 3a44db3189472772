//! What the compiler is given: the functions, templates and resource types in Ruby of one environment.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::ThreadId;

use bunraku_catalog::ResourceType;
use bunraku_compiler::foreign::{Foreign, Returned, Template};
use bunraku_compiler::function::Block;
use bunraku_compiler::{Frame, Outcome, Unwind, issues};
use bunraku_environment::Environment;
use bunraku_environment::ruby_files::RubyFile;
use bunraku_pcore::object::Object;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::{Issue, Span};

use crate::bridge::{self, Failure};
use crate::data_types::{CALL_MEMBER, DataTypeFile};
use crate::forecast;
use crate::frame_host::FrameHost;
use crate::interpreter::Vm;
use crate::legacy;
use crate::module_types::{ModuleTypes, library_directories};
use crate::sidecar::{Host, Options, RubyEnvironment, RubyError, RubyErrorKind, Sidecar};
use crate::signatures::{Callable, Implementation};
use crate::store::{Helper, Store};

/// The exceptions of data providers.
const DATA_ERRORS: [&str; 2] = ["Puppet::DataBinding::LookupError", "Puppet::DataBinding::RecursiveLookupError"];

/// The Ruby of one environment, shared by all compilations in it.
pub struct Ruby {
    environment: Arc<Environment>,
    options: Options,
    context: OnceLock<Arc<RubyEnvironment>>,
    /// Whether there is a Ruby for the helper.
    has_ruby: OnceLock<bool>,
    types: OnceLock<ModuleTypes>,
    /// Functions by their files.
    functions: Mutex<HashMap<String, Arc<Callable>>>,
    /// Functions that loaded files of the old kind define besides their own, by name.
    others: Mutex<HashMap<String, Arc<Callable>>>,
    /// The helper processes at work. A thread has its own while it runs Ruby, so that calls from Ruby back into Ruby
    /// meet the same process.
    active: Mutex<HashMap<ThreadId, Arc<Helper>>>,
    store: Arc<Store>,
}

impl Ruby {
    /// The Ruby of an environment; nothing is read or started before it is needed.
    pub fn new(environment: Arc<Environment>, options: Options) -> Self {
        Ruby {
            environment,
            options,
            context: OnceLock::new(),
            has_ruby: OnceLock::new(),
            types: OnceLock::new(),
            functions: Mutex::default(),
            others: Mutex::default(),
            active: Mutex::default(),
            store: Arc::default(),
        }
    }

    /// The same with what has been read before.
    pub fn with_store(self, store: Arc<Store>) -> Self {
        Ruby { store, ..self }
    }

    /// Runs something with the helper of this thread.
    fn with_helper<T>(&self, work: impl FnOnce(&Sidecar) -> T) -> T {
        let thread = std::thread::current().id();
        let running = lock(&self.active).get(&thread).cloned();
        if let Some(helper) = running {
            return work(&helper.sidecar);
        }
        let world = self.environment.world();
        let helper = self.store.helper(&self.context(), &self.options, world);
        lock(&self.active).insert(thread, helper.clone());
        let result = work(&helper.sidecar);
        lock(&self.active).remove(&thread);
        helper.note_loaded(world);
        self.store.put_back(helper);
        result
    }

    /// Runs Ruby in the interpreter of this program; nothing where that cannot be done and nothing has happened yet.
    fn interpreted<T>(
        &self,
        host: &mut FrameHost<'_, '_, '_>,
        work: impl FnOnce(&mut Vm) -> Result<T, Failure>,
    ) -> Result<Option<T>, RubyError> {
        if !self.options.native {
            return Ok(None);
        }
        let logs = host.frame.compilation.logs.len();
        let has_ruby = self.has_ruby();
        match bridge::with_session(&self.context(), self.environment.shared_world(), has_ruby, host, work) {
            Ok(value) => Ok(Some(value)),
            Err(Failure::Unsupported { is_clean: true, .. }) if has_ruby => {
                host.frame.compilation.logs.truncate(logs);
                Ok(None)
            }
            Err(failure) => Err(failure.into_error((!has_ruby).then_some(self.options.ruby.as_path()))),
        }
    }

    /// Whether there is a Ruby on the machine.
    fn has_ruby(&self) -> bool {
        *self.has_ruby.get_or_init(|| self.options.is_installed())
    }

    /// What Ruby code may know about the environment.
    fn context(&self) -> Arc<RubyEnvironment> {
        let make = || {
            let settings = &self.environment.settings;
            let strict = settings.text("strict").unwrap_or_else(|_| "error".to_string());
            let log_level = settings.text("log_level").unwrap_or_default();
            Arc::new(RubyEnvironment {
                name: self.environment.name.clone(),
                load_path: library_directories(&self.environment).collect(),
                settings: vec![
                    ("strict".to_string(), Value::string(strict)),
                    ("log_level".to_string(), Value::string(log_level)),
                    ("puppetversion".to_string(), Value::string(crate::PUPPET_VERSION)),
                    ("environment".to_string(), Value::string(self.environment.name.as_str())),
                ],
            })
        };
        self.context.get_or_init(make).clone()
    }

    /// Calls the function that a file defines. Where there is no Ruby to run it, a native function may stand in.
    pub(crate) fn call_file(&self, file: &RubyFile, args: Vec<Value>, host: &mut FrameHost<'_, '_, '_>) -> Outcome {
        let (block, span) = (host.block, host.span);
        let outcome = self.run_file(file, &args, block, host);
        let outcome = outcome.map(|value| host.frame.compilation.build.carry_bytes_over(&args, value));
        if host.lacks_ruby
            && let Some(outcome) = host.frame.call_stand_in(&file.name, args, block, span)
        {
            return outcome;
        }
        outcome
    }

    fn run_file(
        &self,
        file: &RubyFile,
        args: &[Value],
        block: Option<&Block<'_>>,
        host: &mut FrameHost<'_, '_, '_>,
    ) -> Outcome {
        let callable = self.callable(&file.path, host)?;
        callable.check_name(&file.name)?;
        self.call_function(&callable, args, block, host)
    }

    fn call_function(
        &self,
        callable: &Arc<Callable>,
        args: &[Value],
        block: Option<&Block<'_>>,
        host: &mut FrameHost<'_, '_, '_>,
    ) -> Outcome {
        host.callable = Some(callable.clone());
        let dispatch = callable.choose_for_call(args, block)?;
        let arity = block.map(|block| i64::try_from(block.parameter_count()).unwrap_or(-1));
        if callable.is_interpreted() {
            let is_by_ruby = host.is_called_by_ruby();
            let function = callable.function();
            let called = self
                .interpreted(host, |vm| bridge::function::call(vm, function, dispatch, args, arity, is_by_ruby))
                .map_err(|error| function_failure(error, host))?;
            if let Some(value) = called {
                return callable.check_returned(dispatch, value);
            }
        }
        let called = self.with_helper(|helper| helper.call_function(callable.function(), dispatch, args, arity, host));
        let value = called.map_err(|error| function_failure(error, host))?;
        callable.check_returned(dispatch, value)
    }

    /// The function of a file with its signatures, loaded once.
    fn callable(&self, path: &str, host: &mut FrameHost<'_, '_, '_>) -> Outcome<Arc<Callable>> {
        if let Some(known) = lock(&self.functions).get(path) {
            return Ok(known.clone());
        }
        let text = self.environment.text(path);
        let text = text.map_err(|error| issues::runtime(format!("{path}: {error}")))?;
        let described = match self.has_ruby() && forecast::leaves_file(&text) {
            true => None,
            false => {
                let described = self.interpreted(host, |vm| bridge::function::describe(vm, path, &text));
                described.map_err(|error| function_failure(error, host))?
            }
        };
        let implementation = match described {
            Some(function) => Implementation::Interpreter(function),
            None => {
                let described = self.with_helper(|helper| helper.describe_function(path, &text, host));
                Implementation::Helper(described.map_err(|error| function_failure(error, host))?)
            }
        };
        for other in &implementation.function().others {
            let callable = Arc::new(Callable::new(implementation.other(other.clone()), host.frame)?);
            lock(&self.others).insert(other.name.clone(), callable);
        }
        let callable = Arc::new(Callable::new(implementation, host.frame)?);
        lock(&self.functions).insert(path.to_string(), callable.clone());
        Ok(callable)
    }

    /// Checks the file of a function of the old kind, as the reference does when it is called by its name.
    fn check_legacy(&self, name: &str, path: &str, host: &mut FrameHost<'_, '_, '_>) -> Outcome<()> {
        if !lock(&self.functions).contains_key(path) {
            let text = self.environment.text(path);
            let text = text.map_err(|error| issues::runtime(format!("{path}: {error}")))?;
            legacy::check(path, &text, self.environment.settings.target.product())?;
        }
        let callable = self.callable(path, host)?;
        Ok(legacy::check_result(name, path, callable.function())?)
    }

    /// The function of a name with its signatures.
    fn callable_named(&self, name: &str, host: &mut FrameHost<'_, '_, '_>) -> Outcome<Arc<Callable>> {
        let files = self.environment.ruby_files();
        if let Some(file) = files.any_function(name) {
            if self.is_legacy(name) {
                self.check_legacy(name, &file.path, host)?;
            }
            let callable = self.callable(&file.path, host)?;
            callable.check_name(&file.name)?;
            return Ok(callable);
        }
        let other = lock(&self.others).get(name).cloned();
        other.ok_or_else(|| issues::unknown_function(name).into())
    }

    /// The text of a file that creates a data type, and what it says.
    fn data_type_file(&self, path: &str, name: &str) -> Outcome<(Arc<str>, DataTypeFile)> {
        let text = self.environment.text(path).map_err(|error| issues::runtime(format!("{path}: {error}")))?;
        let file = DataTypeFile::read(path, &text, name)?;
        Ok((text, file))
    }

    /// Calls a function that is part of the helper.
    fn call_helper_function(
        &self,
        path: &str,
        text: &str,
        args: &[Value],
        host: &mut FrameHost<'_, '_, '_>,
    ) -> Outcome {
        let text = Arc::from(text);
        let called = self.with_helper(|helper| {
            let function = helper.describe_function(path, &text, host)?;
            helper.call_function(&function, Some(0), args, None, host)
        });
        called.map_err(|error| function_failure(error, host))
    }

    /// Whether the function of a name is of the old kind.
    fn is_legacy(&self, name: &str) -> bool {
        let files = self.environment.ruby_files();
        files.function(name, None).is_none() && files.legacy_function(name, None).is_some()
    }

    /// Where a function written for the old interface is.
    pub(crate) fn legacy_function(&self, name: &str) -> Option<&RubyFile> {
        self.environment.ruby_files().legacy_function(name, None)
    }
}

impl Foreign for Ruby {
    fn resource_type(&self, name: &str) -> Option<&ResourceType> {
        self.types.get_or_init(|| ModuleTypes::list(&self.environment)).get(name, &self.environment, &self.store)
    }

    fn data_type(&self, name: &str) -> Outcome<Option<String>> {
        let Some(file) = self.environment.ruby_files().data_type(name) else { return Ok(None) };
        Ok(Some(self.data_type_file(&file.path, name)?.1.declaration()))
    }

    fn call_member(
        &self,
        data_type: &str,
        object: &Object,
        name: &str,
        args: &[Value],
        span: Span,
        frame: &mut Frame<'_, '_>,
    ) -> Option<Outcome> {
        let path = &self.environment.ruby_files().data_type(data_type)?.path;
        let (text, file) = match self.data_type_file(path, data_type) {
            Ok(file) => file,
            Err(unwind) => return Some(Err(unwind)),
        };
        if !file.is_implemented {
            return None;
        }
        let attributes = object.object_type().attributes().into_iter();
        let attributes: Hash =
            attributes.filter_map(|it| Some((Value::from(it.name.as_str()), object.get(&it.name)?))).collect();
        let mut given = vec![Value::from(&**path), Value::from(&*text), Value::from(attributes), Value::from(name)];
        given.extend_from_slice(args);
        let host = &mut FrameHost::new(self, frame, None, span);
        Some(self.call_helper_function("bunraku/call_member.rb", CALL_MEMBER, &given, host))
    }

    fn has_function(&self, name: &str) -> bool {
        self.environment.ruby_files().any_function(name).is_some() || lock(&self.others).contains_key(name)
    }

    fn returned(&self, name: &str, args: &[Value], frame: &mut Frame<'_, '_>) -> Outcome<Returned> {
        let host = &mut FrameHost::new(self, frame, None, Span::default());
        Ok(self.callable_named(name, host)?.returned(args))
    }

    fn call(
        &self,
        name: &str,
        args: Vec<Value>,
        block: Option<&Block<'_>>,
        span: Span,
        frame: &mut Frame<'_, '_>,
    ) -> Outcome {
        let host = &mut FrameHost::new(self, frame, block, span);
        match self.environment.ruby_files().any_function(name) {
            Some(file) => {
                // Without Ruby nothing can be checked; a native function may stand in all the same.
                if self.is_legacy(name)
                    && let Err(unwind) = self.check_legacy(name, &file.path, host)
                    && !host.lacks_ruby
                {
                    return Err(unwind);
                }
                self.call_file(file, args, host)
            }
            None => {
                let callable = self.callable_named(name, host)?;
                self.call_function(&callable, &args, block, host)
            }
        }
    }

    fn render(&self, template: Template<'_>, span: Span, frame: &mut Frame<'_, '_>) -> Outcome {
        let host = &mut FrameHost::new(self, frame, None, span);
        let (path, text) = match template {
            Template::Inline(text) => (None, &Arc::from(text)),
            Template::File { path, text, .. } => (Some(path), text),
        };
        let read = self.store.templates.read(text, path);
        let rendered = match read.is_left && self.has_ruby() {
            true => Ok(None),
            false => self.interpreted(host, |vm| read.render(vm, path, text)),
        };
        match rendered {
            Ok(Some(rendered)) => return Ok(Value::string(rendered)),
            Ok(None) => {}
            Err(error) => return Err(template_failure(error, template, host)),
        }
        let rendered = self.with_helper(|helper| helper.render_template(path, text, host));
        rendered.map(Value::string).map_err(|error| template_failure(error, template, host))
    }
}

impl fmt::Debug for Ruby {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Ruby").field("environment", &self.environment.name).finish_non_exhaustive()
    }
}

/// An error of a function: what it raised is the message; of other failures the place matters too.
pub(crate) fn function_failure(error: RubyError, host: &mut FrameHost<'_, '_, '_>) -> Unwind {
    if let Some(passed) = error.number.and_then(|number| host.take_error(number)) {
        return passed;
    }
    host.lacks_ruby |= error.kind == RubyErrorKind::Missing;
    match (error.kind, host.unwinding.take()) {
        (RubyErrorKind::Unwound, Some(unwinding)) => unwinding,
        (RubyErrorKind::NotFound, _) => issues::lookup_not_found().into(),
        (RubyErrorKind::NoValue, _) => issues::no_value(error.message).into(),
        // What is wrong with data is said as it stands.
        (RubyErrorKind::Raised, _) if error.class.as_deref().is_some_and(|class| DATA_ERRORS.contains(&class)) => {
            Issue::new("", error.message).nowhere().into()
        }
        (RubyErrorKind::Raised, _) => issues::runtime(error.message).into(),
        // A syntax error names its place itself.
        _ if error.class.as_deref() == Some("SyntaxError") => issues::runtime(error.message).into(),
        _ => issues::runtime(error.to_string()).into(),
    }
}

/// An error of a template in the words of the reference.
fn template_failure(error: RubyError, template: Template<'_>, host: &mut FrameHost<'_, '_, '_>) -> Unwind {
    if error.kind != RubyErrorKind::Raised {
        return function_failure(error, host);
    }
    let detail = &error.message;
    let message = match template {
        Template::Inline(_) => format!("Failed to parse inline template: {detail}"),
        Template::File { name, path, .. } => {
            let file = error.file.as_deref().unwrap_or(path);
            let line = error.line.map(|line| line.to_string()).unwrap_or_default();
            format!("Failed to parse template {name}:\n  Filepath: {file}\n  Line: {line}\n  Detail: {detail}\n")
        }
    };
    issues::runtime(message).into()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
