//! Compiles a catalog for whoever asks, within the limits of the server, and tells the journal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bunraku::{Catalog, Compiler, Environment, Failure, Issue, Level, Limits, Log, Node, Outcome};

use crate::{Refusal, Server};

impl Server {
    /// The environment that a node is compiled in: the one it is given, or the one it asks for, or the default one. One
    /// that nobody knows is not the end: the agent comes back from the one that it is given.
    pub(crate) fn compiler_for(&self, classified: Option<&str>, wanted: &str) -> Result<Arc<Compiler>, Refusal> {
        match classified {
            Some(environment) => self.compiler(environment),
            None => match self.compiler(wanted) {
                Ok(compiler) => Ok(compiler),
                Err(_) => self.compiler(&self.setting("environment")?),
            },
        }
    }

    /// The catalog of a node as its agent gets it, and what was said while it was made. The error is what the client is
    /// told.
    pub(crate) fn compile(
        &self,
        compiler: &Compiler,
        node: &Node,
        cancelled: &Arc<AtomicBool>,
    ) -> Result<(Catalog, Vec<Log>), String> {
        self.compile_by(compiler, node, cancelled, &|limits| self.project.compile(compiler, node, limits))
    }

    /// The same with what the node exports, which is kept if `keeps`.
    pub(crate) fn compile_with_exported(
        &self,
        compiler: &Compiler,
        node: &Node,
        cancelled: &Arc<AtomicBool>,
        keeps: bool,
    ) -> Result<(Catalog, Vec<Log>), String> {
        let compile = |limits: &Limits| self.project.compile_with_exported(compiler, node, limits, keeps);
        self.compile_by(compiler, node, cancelled, &compile)
    }

    fn compile_by(
        &self,
        compiler: &Compiler,
        node: &Node,
        cancelled: &Arc<AtomicBool>,
        compile: &dyn Fn(&Limits) -> Result<Outcome, Issue>,
    ) -> Result<(Catalog, Vec<Log>), String> {
        let begun = Instant::now();
        let limits = Limits {
            deadline: begun.checked_add(self.configuration.compile_time),
            cancelled: Some(Arc::clone(cancelled)),
        };
        let environment = compiler.environment();
        let outcome = compile(&limits).map_err(|issue| issue.to_string());
        self.metrics.compiled(begun.elapsed(), outcome.as_ref().is_ok_and(|outcome| outcome.catalog.is_ok()));
        let outcome = outcome?;
        for log in &outcome.logs {
            self.tell(log, environment);
        }
        let catalog = outcome.catalog.map_err(|failure| self.failed(&failure, &node.name))?;
        Ok((catalog, outcome.logs))
    }

    /// The identity of an environment's code, where programs of the site tell it.
    pub(crate) fn versioned_code_id(&self, environment: &str) -> Option<String> {
        let versioned = self.configuration.versioned_code.as_ref()?;
        match versioned.code_id(&*self.world, environment) {
            Ok(code_id) => Some(code_id),
            Err(error) => {
                self.journal.error(&error);
                None
            }
        }
    }

    fn tell(&self, log: &Log, environment: &Environment) {
        let message = log.located(environment);
        match log.level {
            Level::Debug => self.journal.debug(&message),
            Level::Info | Level::Notice => self.journal.info(&message),
            Level::Warning => self.journal.warning(&message),
            _ => self.journal.error(&message),
        }
    }

    fn failed(&self, failure: &Failure, name: &str) -> String {
        for message in failure.messages() {
            self.journal.error(&format!("{message} on node {name}"));
        }
        format!("{} on node {name}", failure.messages().last().map_or("", String::as_str))
    }
}
