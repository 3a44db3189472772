//! The Ruby files of the modules that extend the language: functions, resource types and data types.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::autoload::ruby_name;
use crate::module::Modules;
use crate::world::{World, join};

/// Folders deeper than this are not searched for code.
const DEPTH_LIMIT: usize = 16;

/// A Ruby file that defines something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RubyFile {
    /// Where it is.
    pub path: String,
    /// The module it belongs to; nothing for the environment's own.
    pub module: Option<String>,
}

/// Files by the name of what they define, several with one name in the order of the modules.
type ByName = IndexMap<String, Vec<RubyFile>, FxBuildHasher>;

/// The index of all of them, made once for an environment.
#[derive(Debug, Default)]
pub struct RubyFiles {
    functions: ByName,
    legacy_functions: ByName,
    resource_types: ByName,
    data_types: ByName,
}

impl RubyFiles {
    pub(crate) fn list(world: &dyn World, environment: Option<&str>, modules: &Modules) -> Self {
        let mut files = RubyFiles::default();
        let environment = environment.map(|folder| (None, folder));
        let modules = modules.values().map(|module| (Some(module.name.as_str()), module.path.as_str()));
        for (module, root) in environment.into_iter().chain(modules) {
            let root = join(root, "lib/puppet");
            // Most modules have few of these folders, so one look tells which to enter.
            for entry in world.list(&root).unwrap_or_default() {
                let (folder, names) = match entry.name.as_str() {
                    "functions" => ("functions", &mut files.functions),
                    "parser" => ("parser/functions", &mut files.legacy_functions),
                    "type" => ("type", &mut files.resource_types),
                    "datatypes" => ("datatypes", &mut files.data_types),
                    _ => continue,
                };
                list_below(world, &join(&root, folder), "", module, DEPTH_LIMIT, names);
            }
        }
        files
    }

    /// The function of this name; that of the calling module goes first.
    pub fn function(&self, name: &str, caller: Option<&str>) -> Option<&RubyFile> {
        choose(&self.functions, name, caller)
    }

    /// The function of this name written for the interface of release 3.
    pub fn legacy_function(&self, name: &str, caller: Option<&str>) -> Option<&RubyFile> {
        choose(&self.legacy_functions, name, caller)
    }

    /// The resource type of this name.
    pub fn resource_type(&self, name: &str) -> Option<&RubyFile> {
        choose(&self.resource_types, name, None)
    }

    /// The data type of this name, in lower case.
    pub fn data_type(&self, name: &str) -> Option<&RubyFile> {
        choose(&self.data_types, name, None)
    }

    /// The names of all functions, of both interfaces.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().chain(self.legacy_functions.keys()).map(String::as_str)
    }

    /// The names of all resource types.
    pub fn resource_type_names(&self) -> impl Iterator<Item = &str> {
        self.resource_types.keys().map(String::as_str)
    }
}

fn choose<'f>(names: &'f ByName, name: &str, caller: Option<&str>) -> Option<&'f RubyFile> {
    let files = names.get(name)?;
    let own = files.iter().find(|file| caller.is_some() && file.module.as_deref() == caller);
    own.or_else(|| files.first())
}

fn list_below(world: &dyn World, root: &str, folder: &str, module: Option<&str>, depth: usize, names: &mut ByName) {
    for entry in world.list(&join(root, folder)).unwrap_or_default() {
        let path = join(folder, &entry.name);
        if entry.is_folder {
            if depth > 0 {
                list_below(world, root, &path, module, depth - 1, names);
            }
        } else if let Some(name) = ruby_name(&path) {
            let file = RubyFile { path: join(root, &path), module: module.map(str::to_owned) };
            // Hardly any name is that of two files.
            names.entry(name).or_insert_with(|| Vec::with_capacity(1)).push(file);
        }
    }
}
