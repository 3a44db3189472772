//! Runs ERB templates and functions written in Ruby in a supervised helper process.
//!
//! The helper is a plain `ruby` that is given a small library of ours, started when it is first needed. It talks in
//! nested requests: while it renders a template it may ask for variables or call functions, and those may need it
//! again. Whatever happens to it — an endless loop, a crash, too much memory — is an error of that call alone.

mod error;
mod function;
mod host;
mod process;
mod values;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bunraku_compiler::Limits;
use bunraku_pcore::Value;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json, json};

pub use error::{RubyError, RubyErrorKind};
pub use function::{BlockParameter, Dispatch, Function, Parameter, ParameterKind, Signature};
pub(crate) use host::reply;
pub use host::{Host, HostError, HostResult, RubyBlock, Variable};
use process::Process;
use values::Values;

/// Requests inside requests beyond this depth are a recursion without end.
const DEEPEST: usize = 100;
/// A helper that has compiled this many templates, or this many bytes of them, is replaced, so that generated templates do
/// not pile up in it.
const MOST_TEMPLATES: usize = 20_000;
const MOST_TEMPLATE_BYTES: usize = 64 << 20;

/// How the helper is run.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The Ruby interpreter.
    pub ruby: PathBuf,
    /// How long one template or function may take, without what the compiler does in between.
    pub time_limit: Duration,
    /// Address space of the helper in bytes.
    pub memory_limit: u64,
    /// Size of one result in bytes.
    pub output_limit: usize,
    /// Whether templates and functions run without the helper where that is possible.
    pub native: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            ruby: PathBuf::from("ruby"),
            time_limit: Duration::from_secs(10),
            memory_limit: 1 << 30,
            output_limit: 64 << 20,
            native: true,
        }
    }
}

impl Options {
    /// Whether the interpreter is there: at its path, or in a directory of `PATH` if it is only a name.
    pub fn is_installed(&self) -> bool {
        if self.ruby.components().count() > 1 {
            return self.ruby.is_file();
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|directory| directory.join(&self.ruby).is_file())
    }
}

/// What Ruby code may know about the environment it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct RubyEnvironment {
    /// The name of the environment.
    pub name: String,
    /// The `lib` directories of its modules, in order.
    pub load_path: Vec<String>,
    /// Settings that `Puppet[:name]` gives without asking.
    pub settings: Vec<(String, Value)>,
}

/// A helper process for the code of one environment, started when it is first needed. One thread at a time may use it.
pub struct Sidecar {
    options: Options,
    environment: Arc<RubyEnvironment>,
    process: Mutex<Option<Running>>,
    values: Values,
    depth: AtomicUsize,
    started: AtomicU64,
}

/// A process with what it has been taught; all of it is lost with the process.
struct Running {
    process: Process,
    generation: u64,
    templates: FxHashMap<TemplateKey, Compiled>,
    /// How long the templates are altogether.
    template_bytes: usize,
    /// The numbers of functions by file and name, with the text of the file.
    functions: FxHashMap<(Arc<str>, String), (Arc<str>, u64)>,
    /// The files of modules that Ruby code has required, as far as nobody has asked for them.
    loaded: Vec<String>,
}

/// A template by its file, or by its text if it has none.
type TemplateKey = (Option<String>, Arc<str>);

#[derive(Clone)]
struct Compiled {
    id: u64,
    /// The variables its text names; nothing if it may use any.
    variables: Option<Arc<[String]>>,
}

impl Sidecar {
    /// A helper that is not started yet.
    pub fn new(options: Options, environment: Arc<RubyEnvironment>) -> Self {
        Sidecar {
            options,
            environment,
            process: Mutex::new(None),
            values: Values::default(),
            depth: AtomicUsize::new(0),
            started: AtomicU64::new(0),
        }
    }

    /// Renders an ERB template; `path` is nothing for an inline template.
    pub fn render_template(&self, path: Option<&str>, text: &str, host: &mut dyn Host) -> Result<String, RubyError> {
        let result = self.within(|| {
            let compiled = self.compiled(path, text, host)?;
            let variables = match &compiled.variables {
                Some(names) => self.named_variables(names, host),
                None => self.encode_variables(&host.variables()),
            };
            let request = json!({
                "op": "render",
                "id": compiled.id,
                "variables": variables,
                "outermost": self.is_outermost(),
            });
            let reply = self.converse(&request, host)?;
            for (name, value) in reply.get("changed").and_then(Json::as_object).into_iter().flatten() {
                let value = self.values.decode(value, host)?;
                host.variable_changed(name, value);
            }
            Ok(reply)
        });
        let mut reply = result.map_err(|error| error.or_at(path.unwrap_or("inline template")))?;
        match reply.get_mut("text").map(Json::take) {
            Some(Json::String(text)) => Ok(text),
            _ => Err(RubyError::protocol(&reply)),
        }
    }

    /// Loads the function a Ruby file defines and tells its signatures.
    pub fn describe_function(&self, path: &str, text: &Arc<str>, host: &mut dyn Host) -> Result<Function, RubyError> {
        let description = self.within(|| self.loaded(path, text, host));
        Function::from_json(path, text, &description.map_err(|error| error.or_at(path))?)
    }

    /// Calls a function by one of its dispatches, or by its own choice, with a block if the caller has one.
    pub fn call_function(
        &self,
        function: &Function,
        dispatch: Option<usize>,
        args: &[Value],
        block_arity: Option<i64>,
        host: &mut dyn Host,
    ) -> Result<Value, RubyError> {
        let block = block_arity.map(|arity| json!({ "arity": arity }));
        self.call(function, dispatch, self.values.encode_all(args), block, host)
    }

    /// The files of modules that Ruby code has required since the last time.
    pub fn take_loaded(&self) -> Vec<String> {
        self.with_process(|running| std::mem::take(&mut running.loaded)).unwrap_or_default()
    }

    fn call(
        &self,
        function: &Function,
        dispatch: Option<usize>,
        args: Json,
        block: Option<Json>,
        host: &mut dyn Host,
    ) -> Result<Value, RubyError> {
        let result = self.within(|| {
            let id = match self.number(function)? {
                Some(id) => id,
                None => {
                    let reply = self.loaded(&function.path, &function.text, host)?;
                    self.number(function)?.ok_or_else(|| RubyError::protocol(&reply))?
                }
            };
            let request = json!({
                "op": "call",
                "function": id,
                "dispatch": dispatch,
                "args": args,
                "block": block,
                "by_ruby": host.is_called_by_ruby(),
                "outermost": self.is_outermost(),
            });
            let result = self.converse(&request, host)?;
            Ok(self.values.decode(&result, host)?)
        });
        result.map_err(|error| error.or_at(&function.path))
    }

    fn compiled(&self, path: Option<&str>, text: &str, host: &mut dyn Host) -> Result<Compiled, RubyError> {
        let key: TemplateKey = (path.map(str::to_string), Arc::from(text));
        if let Some(known) = self.with_process(|running| running.templates.get(&key).cloned())? {
            return Ok(known);
        }
        let reply = self.converse(&json!({ "op": "compile", "path": path, "text": text }), host)?;
        let id = reply.get("id").and_then(Json::as_u64).ok_or_else(|| RubyError::protocol(&reply))?;
        let names = reply.get("variables").and_then(Json::as_array);
        let names = names.map(|names| names.iter().filter_map(Json::as_str).map(str::to_string).collect());
        let compiled = Compiled { id, variables: names };
        self.with_process(|running| {
            running.template_bytes = running.template_bytes.saturating_add(text.len());
            running.templates.insert(key, compiled.clone());
        })?;
        Ok(compiled)
    }

    /// The number a function has in the running process, if it was loaded there.
    fn number(&self, function: &Function) -> Result<Option<u64>, RubyError> {
        let key = (function.path.clone(), function.name.clone());
        self.with_process(|running| match running.functions.get(&key) {
            Some((text, id)) if *text == function.text => Some(*id),
            _ => None,
        })
    }

    /// Has the process load a file with functions; gives their description.
    fn loaded(&self, path: &str, text: &Arc<str>, host: &mut dyn Host) -> Result<Json, RubyError> {
        let reply = self.converse(&json!({ "op": "describe", "path": path, "text": &**text }), host)?;
        let others = reply.get("others").and_then(Json::as_array).into_iter().flatten();
        for described in others.chain([&reply]) {
            let id = described.get("id").and_then(Json::as_u64).ok_or_else(|| RubyError::protocol(&reply))?;
            let name = described.get("name").and_then(Json::as_str).unwrap_or_default().to_string();
            self.with_process(|running| running.functions.insert((Arc::from(path), name), (text.clone(), id)))?;
        }
        Ok(reply)
    }

    /// The values of variables a template names, undefined ones left out.
    fn named_variables(&self, names: &[String], host: &mut dyn Host) -> Map<String, Json> {
        let mut variables = Map::new();
        for name in names {
            if let Variable::Found(value) = host.variable(name) {
                variables.insert(name.clone(), self.values.encode(&value));
            }
        }
        variables
    }

    fn encode_variables(&self, variables: &[(String, Value)]) -> Map<String, Json> {
        variables.iter().map(|(name, value)| (name.clone(), self.values.encode(value))).collect()
    }

    /// Runs a call, one level deeper than the call it is made from.
    fn within<T>(&self, call: impl FnOnce() -> Result<T, RubyError>) -> Result<T, RubyError> {
        let depth = self.depth.fetch_add(1, Ordering::Relaxed);
        let result = if depth < DEEPEST { self.prepare(depth == 0).and_then(|()| call()) } else { Err(too_deep()) };
        self.depth.fetch_sub(1, Ordering::Relaxed);
        if depth == 0 {
            self.values.clear();
        }
        result
    }

    /// Whether the running call was not made from Ruby.
    fn is_outermost(&self) -> bool {
        self.depth.load(Ordering::Relaxed) == 1
    }

    /// Sees to it that a helper runs.
    fn prepare(&self, outermost: bool) -> Result<(), RubyError> {
        let mut slot = self.lock();
        let is_full = |running: &Running| {
            running.templates.len() >= MOST_TEMPLATES || running.template_bytes >= MOST_TEMPLATE_BYTES
        };
        if outermost && slot.as_ref().is_some_and(is_full) {
            *slot = None;
        }
        match &*slot {
            Some(_) => Ok(()),
            // A call that came from Ruby cannot go on once that Ruby is gone.
            None if !outermost => Err(RubyError::gone()),
            None => {
                *slot = Some(self.start()?);
                Ok(())
            }
        }
    }

    /// Starts a helper and tells it where it is.
    fn start(&self) -> Result<Running, RubyError> {
        let mut process = Process::start(&self.options)?;
        process.send(&json!({
            "op": "environment",
            "name": self.environment.name,
            "load_path": self.environment.load_path,
            "settings": self.encode_variables(&self.environment.settings),
        }))?;
        process.receive(&Limits::default()).and_then(error::outcome)?;
        let generation = self.started.fetch_add(1, Ordering::Relaxed);
        Ok(Running {
            process,
            generation,
            templates: FxHashMap::default(),
            template_bytes: 0,
            functions: FxHashMap::default(),
            loaded: Vec::new(),
        })
    }

    /// Sends a request and answers what the helper asks until it has answered.
    fn converse(&self, request: &Json, host: &mut dyn Host) -> Result<Json, RubyError> {
        let generation = self.with_process(|running| running.generation)?;
        let limits = host.limits();
        self.exchange(generation, |process| process.send(request))?;
        loop {
            let message = self.exchange(generation, |process| process.receive(&limits))?;
            let Some(callback) = message.get("callback").and_then(Json::as_str) else {
                let loaded = message.get("loaded").and_then(Json::as_array).into_iter().flatten();
                let loaded: Vec<String> = loaded.filter_map(Json::as_str).map(str::to_owned).collect();
                self.with_process(|running| running.loaded.extend(loaded))?;
                return error::outcome(message);
            };
            let reply = host::answer(self, callback, &message, host);
            self.exchange(generation, |process| process.send(&reply))?;
        }
    }

    /// One step of a conversation; a process that fails is given up, and so are all conversations with it.
    fn exchange<T>(
        &self,
        generation: u64,
        step: impl FnOnce(&mut Process) -> Result<T, RubyError>,
    ) -> Result<T, RubyError> {
        let mut slot = self.lock();
        let running = slot.as_mut().filter(|running| running.generation == generation);
        let result = step(&mut running.ok_or_else(RubyError::gone)?.process);
        if result.is_err() {
            *slot = None;
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_process<T>(&self, use_it: impl FnOnce(&mut Running) -> T) -> Result<T, RubyError> {
        self.lock().as_mut().map(use_it).ok_or_else(RubyError::gone)
    }
}

fn too_deep() -> RubyError {
    RubyError::new(RubyErrorKind::Limit, "calls between Puppet and Ruby are nested too deeply")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]
mod tests;
