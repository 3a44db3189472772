//! The Ruby files of the modules that extend the language: functions, resource types and data types.

use std::sync::OnceLock;

use ecow::EcoString;
use sha2::{Digest, Sha256};

use crate::World;
use crate::autoload::ruby_name;
use crate::module::Modules;
use crate::world::{Entry, join};

/// Directories deeper than this are not searched for code.
const DEPTH_LIMIT: usize = 16;

/// A Ruby file that defines something.
#[derive(Debug)]
pub struct RubyFile {
    /// The name of what it defines.
    pub name: EcoString,
    /// Where it is.
    pub path: Box<str>,
    /// The module it belongs to; nothing for the environment's own.
    pub module: Option<EcoString>,
    /// The digest of its content; nothing if it cannot be read.
    digest: OnceLock<Option<[u8; 32]>>,
}

impl RubyFile {
    /// The SHA-256 of the content, computed once; nothing if it cannot be read.
    pub fn digest(&self, world: &dyn World) -> Option<&[u8; 32]> {
        let compute = || Some(Sha256::digest(world.read(&self.path).ok()?).into());
        self.digest.get_or_init(compute).as_ref()
    }
}

/// Files sorted by the name of what they define, several with one name in the order of the modules.
type ByName = Box<[RubyFile]>;

/// The index of all of them, made once for an environment.
#[derive(Debug, Default)]
pub struct RubyFiles {
    functions: ByName,
    legacy_functions: ByName,
    resource_types: ByName,
    data_types: ByName,
}

impl RubyFiles {
    pub(crate) fn list(list: &List<'_>, environment: Option<&str>, modules: &Modules) -> Self {
        let (mut functions, mut legacy_functions) = (Vec::new(), Vec::new());
        let (mut resource_types, mut data_types) = (Vec::new(), Vec::new());
        let environment = environment.map(|directory| (None, directory));
        let modules = modules.values().map(|module| (Some(module.name.as_str()), module.path.as_str()));
        for (module, root) in environment.into_iter().chain(modules) {
            let root = join(root, "lib/puppet");
            // Most modules have few of these directories, so one look tells which to enter.
            for entry in list(&root) {
                let (directory, files) = match entry.name.as_str() {
                    "functions" => ("functions", &mut functions),
                    "parser" => ("parser/functions", &mut legacy_functions),
                    "type" => ("type", &mut resource_types),
                    "datatypes" => ("datatypes", &mut data_types),
                    _ => continue,
                };
                list_below(list, &join(&root, directory), "", module, DEPTH_LIMIT, files);
            }
        }
        let [functions, legacy_functions, resource_types, data_types] =
            [functions, legacy_functions, resource_types, data_types].map(by_name);
        RubyFiles { functions, legacy_functions, resource_types, data_types }
    }

    /// The function of this name; that of the calling module goes first.
    pub fn function(&self, name: &str, caller: Option<&str>) -> Option<&RubyFile> {
        choose(&self.functions, name, caller)
    }

    /// The function of this name written for the interface of release 3.
    pub fn legacy_function(&self, name: &str, caller: Option<&str>) -> Option<&RubyFile> {
        choose(&self.legacy_functions, name, caller)
    }

    /// The file that a call of this function runs: one written for the interface of release 4 goes first.
    pub fn any_function(&self, name: &str) -> Option<&RubyFile> {
        self.function(name, None).or_else(|| self.legacy_function(name, None))
    }

    /// The resource type of this name.
    pub fn resource_type(&self, name: &str) -> Option<&RubyFile> {
        choose(&self.resource_types, name, None)
    }

    /// The data type of this name, in lower case.
    pub fn data_type(&self, name: &str) -> Option<&RubyFile> {
        choose(&self.data_types, name, None)
    }

    /// The names of all resource types.
    pub fn resource_type_names(&self) -> impl Iterator<Item = &str> {
        let by_name = self.resource_types.chunk_by(|first, second| first.name == second.name);
        by_name.filter_map(|same| Some(same.first()?.name.as_str()))
    }
}

fn by_name(mut files: Vec<RubyFile>) -> ByName {
    files.sort_by(|first, second| first.name.cmp(&second.name));
    files.into()
}

fn choose<'f>(files: &'f ByName, name: &str, caller: Option<&str>) -> Option<&'f RubyFile> {
    let first = files.partition_point(|file| file.name.as_str() < name);
    let mut named = files.iter().skip(first).take_while(|file| file.name == name);
    let own = named.clone().find(|file| caller.is_some() && file.module.as_deref() == caller);
    own.or_else(|| named.next())
}

/// Gives the entries of a directory.
type List<'l> = dyn Fn(&str) -> Vec<Entry> + 'l;

fn list_below(
    list: &List<'_>,
    root: &str,
    directory: &str,
    module: Option<&str>,
    depth: usize,
    files: &mut Vec<RubyFile>,
) {
    for entry in list(&join(root, directory)) {
        let path = join(directory, &entry.name);
        if entry.is_dir {
            if depth > 0 {
                list_below(list, root, &path, module, depth - 1, files);
            }
        } else if let Some(name) = ruby_name(&path) {
            let path = join(root, &path).into();
            let module = module.map(Into::into);
            files.push(RubyFile { name: name.into(), path, module, digest: OnceLock::new() });
        }
    }
}
