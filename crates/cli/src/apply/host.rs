//! What a run asks of the environment: values that are known only now, and files of modules.

use std::path::PathBuf;

use bunraku::apply::Host;
use bunraku::catalog::setting_type::SettingType;
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

    fn setting_type(&self, name: &str) -> Option<SettingType> {
        let declaration = self.compiler.environment().ruby_files().resource_type(name)?;
        let path = std::path::Path::new(&*declaration.path);
        let providers = path.parent()?.with_file_name("provider").join(name);
        let is_ruby = |path: &PathBuf| path.extension().is_some_and(|it| it == "rb");
        let found = std::fs::read_dir(providers).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let found: Vec<PathBuf> = found.filter(is_ruby).collect();
        // With several providers it takes more to tell which one is meant.
        let [provider] = found.as_slice() else { return None };
        let read = |path: &std::path::Path| std::fs::read_to_string(path).ok();
        bunraku::read_setting_type(&read(path)?, &read(provider)?)
    }
}
