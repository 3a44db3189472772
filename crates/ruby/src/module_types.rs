//! The resource types that the modules of an environment define, each read when it is first asked for.

use std::sync::{Arc, OnceLock};

use bunraku_catalog::ResourceType;
use bunraku_environment::Environment;
use bunraku_environment::world::{World, join};
use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::resource_types::{self, read_generated};
use crate::store::Store;

/// Where an environment keeps what `puppet generate types` writes.
const GENERATED: &str = ".resource_types";

/// The resource types of an environment by name.
#[derive(Debug)]
pub(crate) struct ModuleTypes {
    types: IndexMap<EcoString, OnceLock<Option<Box<ResourceType>>>, FxBuildHasher>,
}

impl ModuleTypes {
    /// Lists the types without reading them.
    pub(crate) fn list(environment: &Environment) -> Self {
        let mut names: Vec<EcoString> = environment.ruby_files().resource_type_names().map(Into::into).collect();
        if let Some(directory) = &environment.directory {
            let files = environment.list(&join(directory, GENERATED));
            names.extend(files.iter().filter_map(|file| file.name.strip_suffix(".pp")).map(Into::into));
        }
        ModuleTypes { types: names.into_iter().map(|name| (name, OnceLock::new())).collect() }
    }

    /// The type of a name; nothing if no module defines it.
    pub(crate) fn get(&self, name: &str, environment: &Environment, store: &Store) -> Option<&ResourceType> {
        self.types.get(name)?.get_or_init(|| read(name, environment, store).map(Box::new)).as_deref()
    }
}

/// Reads a type: a generated description stands for the Ruby it was made from.
fn read(name: &str, environment: &Environment, store: &Store) -> Option<ResourceType> {
    if let Some(Ok(code)) = environment.generated_resource_type(name)
        && let Some(source) = environment.source(code.id)
        && let Some(declared) = read_generated(source, &code.program)
    {
        return Some(declared.into());
    }
    let file = environment.ruby_files().resource_type(name)?;
    let built = ResourceType::from(declared(name, environment, store)?);
    Some(match &file.module {
        Some(module) => built.module(module.to_string()),
        None => built,
    })
}

/// A type as the Ruby of a module declares it, with its documentation and its providers.
pub fn declared(name: &str, environment: &Environment, store: &Store) -> Option<resource_types::ResourceType> {
    let file = environment.ruby_files().resource_type(name)?;
    let text = environment.optional_text(&file.path)?;
    let find = |path: &str| find_ruby(path, environment);
    let declared = store.types(&file.path, &text, &find);
    let mut declared = declared.types.iter().find(|declared| declared.name == name)?.clone();
    add_providers(&mut declared, environment, store);
    Some(declared)
}

/// A Ruby file: an absolute path stands for itself, another is searched for in the `lib` directories.
fn find_ruby(path: &str, environment: &Environment) -> Option<Arc<str>> {
    let world = environment.world();
    if path.starts_with('/') {
        return environment.optional_text(path);
    }
    let directories = library_directories(environment).filter(|directory| has_directories(world, directory, path));
    let mut paths = directories.map(|directory| join(&directory, path)).filter(|path| world.is_file(path));
    paths.find_map(|path| environment.optional_text(&path))
}

/// Whether a directory has the directories on the way to a path below it. The environment looks at each of them once, while most
/// modules have none of the many paths that are searched for.
fn has_directories(world: &dyn World, directory: &str, path: &str) -> bool {
    let ends = path.match_indices('/').map(|(end, _)| end);
    ends.filter_map(|end| path.get(..end)).all(|way| world.is_dir(&join(directory, way)))
}

fn add_providers(declared: &mut resource_types::ResourceType, environment: &Environment, store: &Store) {
    let world = environment.world();
    let path = format!("puppet/provider/{}/", declared.name);
    for library in library_directories(environment).filter(|library| has_directories(world, library, &path)) {
        let directory = join(&library, &path);
        for entry in environment.list(&directory) {
            if entry.is_dir || !entry.name.ends_with(".rb") {
                continue;
            }
            let Some(text) = environment.optional_text(&join(&directory, &entry.name)) else { continue };
            declared.add_providers(&store.providers(&text));
        }
    }
}

/// The directories in which Ruby looks for what it requires: those of the environment and of its modules.
pub(crate) fn library_directories(environment: &Environment) -> impl Iterator<Item = String> {
    let own = environment.directory.iter().map(String::as_str);
    own.chain(environment.modules().map(|module| module.path.as_str())).map(|directory| join(directory, "lib"))
}
