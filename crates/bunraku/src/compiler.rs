//! An environment ready to compile: code, data, functions and Ruby, shared by all compilations.

use std::sync::Arc;

use bunraku_compiler::function::{Library, StandIns};
use bunraku_compiler::{Compilation, Compiled, ExportedResources, Node, Options};
use bunraku_environment::{Environment, LoadFailure};
use bunraku_hiera::Hiera;
use bunraku_ruby::Ruby;
use bunraku_ruby::sidecar::Options as RubyOptions;
use bunraku_syntax::Issue;

use crate::Outcome;

/// Compiles catalogs of an environment, for any number of nodes and on any number of threads.
#[derive(Debug)]
pub struct Compiler {
    environment: Arc<Environment>,
    library: Library,
    hiera: Arc<Hiera>,
    ruby: Ruby,
    exported: Option<Arc<ExportedResources>>,
}

impl Compiler {
    /// A compiler for an environment. Nothing is read before a compilation needs it.
    pub fn new(environment: Environment, ruby: RubyOptions) -> Result<Compiler, Issue> {
        let environment = Arc::new(environment);
        let hiera = Arc::new(Hiera::of(&environment)?);
        let ruby = Ruby::new(environment.clone(), ruby);
        let library = crate::library(environment.settings.target);
        Ok(Compiler { environment, library, hiera, ruby, exported: None })
    }

    /// The compiler with what nodes export.
    pub fn with_exported(self, exported: Arc<ExportedResources>) -> Compiler {
        Compiler { exported: Some(exported), ..self }
    }

    /// The compiler with another rule for native functions that stand in for functions of modules.
    pub fn with_stand_ins(self, stand_ins: StandIns) -> Compiler {
        Compiler { library: self.library.with_stand_ins(stand_ins), ..self }
    }

    /// The compiler with other functions in Rust.
    pub fn with_library(self, library: Library) -> Compiler {
        Compiler { library, ..self }
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The functions written in Rust.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Compiles what the agent of a node gets.
    pub fn compile(&self, node: &Node) -> Outcome {
        self.compile_complete(node).into()
    }

    /// Compiles the catalog with the virtual and exported resources that no agent gets.
    pub fn compile_complete(&self, node: &Node) -> Compiled {
        let options =
            Options { foreign: Some(&self.ruby), hiera: Some(&self.hiera), exported: self.exported.as_deref() };
        bunraku_compiler::compile(&self.environment, &self.library, node, options)
    }

    /// A compilation that has not begun, for those who want more than a catalog of it.
    pub fn compilation<'e>(&'e self, node: &'e Node) -> Result<Compilation<'e>, LoadFailure> {
        let mut compilation = Compilation::new(&self.environment, &self.library, node)?;
        compilation.foreign = Some(&self.ruby);
        Ok(compilation.with_hiera(self.hiera.clone()))
    }
}
