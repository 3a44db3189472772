//! What a run asks of the environment: values that are known only now, and files of modules.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bunraku::apply::{FileCopy, Host, Log, WebAnswer, WebQuestion};
use bunraku::catalog::setting_type::SettingType;
use bunraku::{Compiler, Disk, Node, Value, World, compat};

use super::network::Network;

/// How often the line about progress changes.
const PAUSE: Duration = Duration::from_millis(100);

/// The environment of a run.
pub(crate) struct ProjectHost<'a> {
    compiler: &'a Compiler,
    node: &'a Node,
    network: Network,
    /// When progress was shown last; nothing if nobody watches.
    shown: Option<Cell<Instant>>,
}

impl<'a> ProjectHost<'a> {
    /// The environment of a compiler, for a node; what the network has to say goes to a log.
    pub(crate) fn new(compiler: &'a Compiler, node: &'a Node, log: &Log) -> Self {
        let is_watched = std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
        let environment = compiler.environment();
        let network = Network::new(&environment.settings, &environment.name, log);
        ProjectHost { compiler, node, network, shown: is_watched.then(|| Cell::new(Instant::now())) }
    }

    /// The line about progress goes.
    pub(crate) fn finish(&self) {
        if self.shown.is_some() {
            // Whether a terminal can still be written to makes no difference to the run.
            _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Host for ProjectHost<'_> {
    fn resolve(&self, value: &Value) -> Result<Value, String> {
        self.compiler.resolve(self.node, value)
    }

    fn modulepath(&self) -> Vec<String> {
        self.compiler.environment().modulepath.clone()
    }

    fn libraries(&self) -> Vec<String> {
        let modules = self.compiler.environment().modules();
        let libraries = modules.map(|module| format!("{}/lib", module.path));
        libraries.filter(|directory| Disk.is_dir(directory)).collect()
    }

    fn progress(&self, done: usize, all: usize, resource: &str) {
        if let Some(shown) = self.shown.as_ref().filter(|shown| shown.get().elapsed() >= PAUSE) {
            shown.set(Instant::now());
            let resource: String = resource.chars().filter(|it| !it.is_control()).take(60).collect();
            // The line is overwritten by whatever comes next.
            _ = write!(std::io::stderr(), "\r\x1b[K{done} of {all}: {resource}\r");
        }
    }

    fn file(&self, path: &str) -> Result<Option<PathBuf>, String> {
        let in_module = path.strip_prefix("modules/").and_then(|path| path.split_once('/'));
        let file = in_module.and_then(|(module, rest)| {
            let module = self.compiler.environment().module(module)?;
            Some(format!("{}/files/{rest}", module.path))
        });
        Ok(file.filter(|file| Disk.stamp(file).is_some()).map(PathBuf::from))
    }

    fn web(&self, question: &WebQuestion<'_>) -> Result<WebAnswer, String> {
        self.network.web(question)
    }

    fn keep_copy(&self, copy: &FileCopy<'_>) -> Result<(), String> {
        self.network.keep_copy(copy)
    }

    fn kept_copy(&self, sum: &str) -> Result<Option<Vec<u8>>, String> {
        self.network.kept_copy(sum)
    }

    fn setting_type(&self, name: &str) -> Option<SettingType> {
        compat::setting_type(name, self.compiler.environment())
    }
}
