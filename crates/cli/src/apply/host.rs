//! What a run asks of the environment: values that are known only now, and files of modules.

use std::path::PathBuf;

use bunraku::apply::Host;
use bunraku::{Compiler, Disk, Node, Value, World};

/// The environment of a run.
pub(super) struct ProjectHost<'a> {
    pub(super) compiler: &'a Compiler,
    pub(super) node: &'a Node,
}

impl Host for ProjectHost<'_> {
    fn resolve(&self, value: &Value) -> Result<Value, String> {
        self.compiler.resolve(self.node, value)
    }

    fn file(&self, path: &str) -> Option<PathBuf> {
        let (module, rest) = path.strip_prefix("modules/")?.split_once('/').unwrap_or((path, ""));
        let module = self.compiler.environment().module(module)?;
        let file = format!("{}/files/{rest}", module.path);
        Disk.stamp(&file).map(|_| file.into())
    }
}
