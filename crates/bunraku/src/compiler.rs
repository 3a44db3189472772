//! One generation of an environment, ready to compile: code, data, functions and Ruby, shared by all compilations.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use bunraku_catalog::Catalog;
use bunraku_compiler::function::Library;
use bunraku_compiler::{
    Compilation, Compiled, ExportedResources, Frame, Limits, Node, Options, Profile, SharedTypes, Unwind,
};
use bunraku_environment::{Environment, LoadFailure, Target};
use bunraku_hiera::Hiera;
use bunraku_pcore::convert::Context;
use bunraku_pcore::data_types::Timestamp;
use bunraku_pcore::serialize::from_data;
use bunraku_pcore::{Type, Value};
use bunraku_ruby::Ruby;
use bunraku_ruby::sidecar::Options as RubyOptions;
use bunraku_syntax::{Issue, Span};

use crate::Outcome;

/// Compiles catalogs of an environment, for any number of nodes and on any number of threads.
#[derive(Debug)]
pub struct Compiler {
    environment: Arc<Environment>,
    hiera: Arc<Hiera>,
    ruby: Ruby,
    types: Arc<SharedTypes>,
    shared: Shared,
}

/// What compilers of one world share, and hand on to their successors: all that does not change with an environment, and
/// what was read of files, as long as these do not change.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) library: Arc<Library>,
    pub(crate) code: Arc<bunraku_environment::Store>,
    pub(crate) data: Arc<bunraku_hiera::Store>,
    pub(crate) ruby: Arc<bunraku_ruby::Store>,
    pub(crate) ruby_options: RubyOptions,
    pub(crate) exported: Option<Arc<ExportedResources>>,
    pub(crate) profile: Option<Arc<Profile>>,
}

impl Shared {
    /// Nothing has been read yet; the functions are those of a release.
    pub(crate) fn new(target: Target) -> Self {
        Shared {
            library: Arc::new(crate::library(target)),
            code: Arc::default(),
            data: Arc::default(),
            ruby: Arc::default(),
            ruby_options: RubyOptions::default(),
            exported: None,
            profile: None,
        }
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Compiler {
    /// A compiler for an environment. Nothing is read before a compilation needs it.
    pub fn new(environment: Environment, ruby: RubyOptions) -> Result<Compiler, Issue> {
        let shared = Shared { ruby_options: ruby, ..Shared::new(environment.settings.target) };
        Compiler::sharing(environment, shared)
    }

    pub(crate) fn sharing(environment: Environment, shared: Shared) -> Result<Compiler, Issue> {
        let environment = Arc::new(environment);
        let hiera = Arc::new(Hiera::of(&environment)?.with_store(shared.data.clone()));
        let ruby = Ruby::new(environment.clone(), shared.ruby_options.clone()).with_store(shared.ruby.clone());
        Ok(Compiler { environment, hiera, ruby, types: Arc::default(), shared })
    }

    /// A compiler for the environment as it is now, which takes over whatever has not changed.
    pub fn successor(&self) -> Result<Compiler, Issue> {
        let successor = Compiler::sharing(self.environment.successor()?, self.shared.clone())?;
        Ok(Compiler { types: self.types.clone(), ..successor })
    }

    /// The compiler with what nodes export.
    pub fn with_exported(self, exported: Arc<ExportedResources>) -> Compiler {
        Compiler { shared: Shared { exported: Some(exported), ..self.shared }, ..self }
    }

    /// The compiler with somebody who wants to know where the time goes.
    pub fn with_profile(self, profile: Arc<Profile>) -> Compiler {
        Compiler { shared: Shared { profile: Some(profile), ..self.shared }, ..self }
    }

    /// The compiler with other functions in Rust.
    pub fn with_library(self, library: Library) -> Compiler {
        Compiler { shared: Shared { library: Arc::new(library), ..self.shared }, ..self }
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The functions written in Rust.
    pub fn library(&self) -> &Library {
        &self.shared.library
    }

    /// Compiles what the agent of a node gets.
    pub fn compile(&self, node: &Node) -> Outcome {
        self.compile_within(node, &Limits::default())
    }

    /// The same, unless it takes too long or is not wanted any more.
    pub fn compile_within(&self, node: &Node, limits: &Limits) -> Outcome {
        self.complete(node, limits).into()
    }

    /// The complete catalog with what nodes export, instead of what the compiler knows of it.
    pub(crate) fn compile_collecting(
        &self,
        node: &Node,
        exported: Option<&ExportedResources>,
        limits: &Limits,
    ) -> Compiled {
        self.compile_with(node, Options { is_versioned: true, exported, limits: Some(limits), ..self.options() })
    }

    /// Compiles the catalog with the virtual and exported resources that no agent gets.
    pub fn compile_complete(&self, node: &Node) -> Compiled {
        self.complete(node, &Limits::default())
    }

    fn complete(&self, node: &Node, limits: &Limits) -> Compiled {
        self.compile_with(node, Options { is_versioned: true, limits: Some(limits), ..self.options() })
    }

    /// Evaluates everything as for a catalog, for the value of the last statement: nobody gets the catalog, so the
    /// environment is not asked for its version.
    pub fn evaluate(&self, node: &Node) -> Outcome {
        self.compile_with(node, self.options()).into()
    }

    fn options(&self) -> Options<'_> {
        Options {
            foreign: Some(&self.ruby),
            hiera: Some(&self.hiera),
            types: Some(&self.types),
            exported: self.shared.exported.as_deref(),
            profile: self.shared.profile.as_deref(),
            ..Options::default()
        }
    }

    fn compile_with(&self, node: &Node, options: Options<'_>) -> Compiled {
        bunraku_compiler::compile(&self.environment, &self.shared.library, node, options)
    }

    /// A compilation that has not begun, for those who want more than a catalog of it.
    pub fn compilation<'e>(&'e self, node: &'e Node) -> Result<Compilation<'e>, LoadFailure> {
        let mut compilation = Compilation::new(&self.environment, &self.shared.library, node)?;
        compilation.foreign = Some(&self.ruby);
        Ok(compilation.with_hiera(self.hiera.clone()))
    }

    /// A catalog that was read from a file or a server, with the values that its rich data stands for.
    pub fn revive(&self, node: &Node, catalog: Catalog) -> Result<Catalog, String> {
        let mut compilation = self.compilation(node).map_err(|_| "the environment cannot be used".to_owned())?;
        if let Err(unwind) = compilation.prepare() {
            return Err(compilation.diagnostic(unwind).issue.message().to_owned());
        }
        let mut types = Types(&mut compilation);
        let revived = catalog.with_values(|value| match is_plain(value) {
            true => Ok(value.clone()),
            false => from_data(value, &mut types),
        });
        revived.map_err(|issue| issue.message().to_owned())
    }

    /// The value with every call in it made that waits for the one who applies a catalog; the error is what is said.
    pub fn resolve(&self, node: &Node, value: &Value) -> Result<Value, String> {
        let mut compilation = self.compilation(node).map_err(|_| "the environment cannot be used".to_owned())?;
        let resolved = compilation.prepare().and_then(|()| resolved(&mut Frame::top(&mut compilation), value));
        resolved.map_err(|unwind| compilation.diagnostic(unwind).issue.message().to_owned())
    }
}

/// Whether a value stands for itself.
fn is_plain(value: &Value) -> bool {
    bunraku_syntax::deep(|| match value {
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(hash) => hash.get_str("__ptype").is_none() && hash.values().all(is_plain),
        _ => true,
    })
}

/// Finds the types of values that were written down.
struct Types<'c, 'e>(&'c mut Compilation<'e>);

impl Context for Types<'_, '_> {
    fn now(&self) -> Timestamp {
        let now = self.0.environment.world().now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_nanoseconds(i128::try_from(now.as_nanos()).unwrap_or(0))
    }

    fn utc_offset(&self) -> i32 {
        self.0.environment.world().utc_offset()
    }

    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Issue> {
        Ok(self.0.known_data_type(name))
    }
}

fn resolved(frame: &mut Frame<'_, '_>, value: &Value) -> Result<Value, Unwind> {
    bunraku_syntax::deep(|| match value {
        Value::Object(object) if object.object_type().type_name().is_some_and(|name| name == "Deferred") => {
            let outcome = frame.call_native_function("call", vec![value.clone()], Span::default());
            outcome.unwrap_or_else(|| Ok(value.clone()))
        }
        Value::Array(elements) => {
            let elements: Result<Vec<Value>, Unwind> = elements.iter().map(|it| resolved(frame, it)).collect();
            elements.map(Value::array)
        }
        Value::Hash(hash) => {
            let entries = hash.iter().map(|(key, value)| Ok((key.clone(), resolved(frame, value)?)));
            entries.collect::<Result<Vec<_>, Unwind>>().map(Value::hash)
        }
        Value::Sensitive(secret) => Ok(Value::Sensitive(Arc::new(resolved(frame, secret)?))),
        other => Ok(other.clone()),
    })
}
