//! Modules: which directories of the modulepath are modules, and what their `metadata.json` says.

use std::borrow::Cow;
use std::io::ErrorKind;

use bunraku_syntax::Issue;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::issues;
use crate::settings::Strict;
use crate::world::{World, entries, join};

/// Modules by name, in the order of the modulepath.
pub type Modules = IndexMap<String, Module, FxBuildHasher>;

/// A module of an environment.
#[derive(Debug)]
pub struct Module {
    /// The name of its directory.
    pub name: String,
    /// Its directory.
    pub path: String,
    /// What it says about itself, if it has a `metadata.json`.
    pub metadata: Option<Metadata>,
}

/// The parts of `metadata.json` that matter for compiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// The name with its author: `puppetlabs/stdlib`.
    pub name: Option<String>,
    /// The version.
    pub version: String,
    /// The modules it needs.
    pub dependencies: Vec<Dependency>,
    /// Where its data is, as it was said before Hiera 5.
    pub data_provider: Option<String>,
}

/// A module another one needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name with its author: `puppetlabs/stdlib`.
    pub name: String,
    /// The range of versions.
    pub version_requirement: String,
}

impl Dependency {
    /// The name of the module's directory.
    pub fn module_name(&self) -> &str {
        self.name.split_once('/').map_or(&self.name, |(_, name)| name)
    }
}

/// What finding the modules gave: a module with wrong metadata is left out and reported.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    pub(crate) modules: Modules,
    pub(crate) errors: Vec<Issue>,
    pub(crate) warnings: Vec<Issue>,
}

/// Finds the modules on the modulepath; of several with one name the first counts.
pub(crate) fn discover(world: &dyn World, modulepath: &[String], strict: Strict) -> Result<Discovery, Issue> {
    let mut discovery = Discovery::default();
    let mut seen = FxHashSet::default();
    for directory in modulepath {
        for entry in entries(world, directory)? {
            if !entry.is_dir || !is_module_name(&entry.name) || !seen.insert(entry.name.clone()) {
                continue;
            }
            let path = join(directory, &entry.name);
            let file = join(&path, "metadata.json");
            let text = match world.read_text(&file) {
                Ok(text) => Some(text),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
                Err(error) => return Err(issues::unreadable(&file, &error)),
            };
            let metadata = match text.map(|text| Metadata::parse(&text, &entry.name)) {
                None => None,
                Some(Ok(metadata)) => metadata,
                Some(Err(Fault::Unparsable(issue))) if strict != Strict::Error => {
                    if strict == Strict::Warning {
                        discovery.warnings.push(issue);
                    }
                    None
                }
                Some(Err(Fault::Unparsable(issue) | Fault::Incomplete(issue))) => {
                    discovery.errors.push(issue);
                    continue;
                }
            };
            let module = Module { name: entry.name.clone(), path, metadata };
            discovery.modules.insert(entry.name, module);
        }
    }
    Ok(discovery)
}

/// Whether a directory of this name is a module.
pub fn is_module_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
}

enum Fault {
    /// Not JSON.
    Unparsable(Issue),
    /// Something that must be there is not.
    Incomplete(Issue),
}

impl Metadata {
    /// An empty file or object says nothing, which is allowed.
    fn parse(text: &str, module: &str) -> Result<Option<Metadata>, Fault> {
        let unparsable =
            |error: serde_json::Error| Fault::Unparsable(issues::metadata_unparsable(module, &error.to_string()));
        // Most of a file is about operating systems: what nobody asks for is not made into values.
        if text.is_empty() {
            return Ok(None);
        }
        let data: FxHashMap<Cow<'_, str>, &RawValue> = match serde_json::from_str(text) {
            Ok(data) => data,
            // No object: what it is does not matter as long as it is JSON.
            Err(error) if error.is_data() => {
                serde_json::from_str::<Value>(text).map_err(unparsable)?;
                return Ok(None);
            }
            Err(error) => return Err(unparsable(error)),
        };
        if data.is_empty() {
            return Ok(None);
        }
        let get = |key: &str| data.get(key).map_or(Ok(Value::Null), |raw| serde_json::from_str(raw.get()));
        let get = |key: &str| get(key).map_err(unparsable);
        for key in ["source", "author", "version", "license", "dependencies"] {
            if get(key)?.is_null() {
                return Err(Fault::Incomplete(issues::metadata_missing(key, module)));
            }
        }
        let text = |value: Option<&Value>| value.and_then(|it| it.as_str()).map(str::to_owned);
        let dependencies = get("dependencies")?;
        let Some(list) = dependencies.as_array() else {
            return Err(Fault::Incomplete(issues::metadata_dependencies(module, &dependencies.to_string())));
        };
        let dependencies = list.iter().filter_map(|dependency| {
            Some(Dependency {
                name: text(dependency.get("name"))?.replace('-', "/"),
                version_requirement: text(dependency.get("version_requirement")).unwrap_or(">= 0.0.0".to_owned()),
            })
        });
        Ok(Some(Metadata {
            name: text(Some(&get("name")?)).map(|name| name.replace('-', "/")),
            version: text(Some(&get("version")?)).unwrap_or_default(),
            dependencies: dependencies.collect(),
            data_provider: text(Some(&get("data_provider")?)),
        }))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::world::Memory;

    fn check(metadata: &str, strict: Strict, is_module: bool, message: &str) {
        let world = Memory::from([("a/m/metadata.json", metadata), ("b/m/x", ""), ("b/N/x", "")]);
        let found = discover(&world, &["/a".to_owned(), "/b".to_owned()], strict).unwrap();
        assert_eq!(found.modules.get("m").map(|module| module.path.as_str()), is_module.then_some("/a/m"));
        assert_eq!(found.modules.len(), usize::from(is_module));
        let messages: Vec<&str> = found.errors.iter().chain(&found.warnings).map(Issue::message).collect();
        assert_eq!(messages.join("\n"), message);
    }

    #[test]
    fn metadata_must_be_complete() {
        let complete = r#"{"name":"a-m","source":"","author":"","version":"1.0.0","license":"","dependencies":[]}"#;
        check(complete, Strict::Error, true, "");
        check("{}", Strict::Error, true, "");
        check("[1]", Strict::Error, true, "");
        check("\"a\" b", Strict::Off, true, "");
        check(r#"{"name":"a-m"}"#, Strict::Off, false, "No source module metadata provided for m");
        let unparsable = "m has an invalid and unparsable metadata.json file. The parse error: \
                          EOF while parsing an object at line 1 column 1";
        check("{", Strict::Error, false, unparsable);
        check("{", Strict::Warning, true, unparsable);
        check("{", Strict::Off, true, "");
    }
}
