//! Static catalogs: what is known about the files that a catalog refers to stands in the catalog, so that agents need not
//! ask for it and all get the state of the code that the catalog was compiled from.
//!
//! Which state that is, programs of the site tell (`versioned-code` of `puppetserver.conf`), or else the tree of the code.

use std::path::Path;
use std::sync::Arc;

use bunraku::{Catalog, Compiler, Environment, Resource, Value};
use serde_json::{Map, Value as Json, json};

use crate::code_tree::Tree;
use crate::files::{Kind, Links, Metadata, Permissions, Search, Wanted, search};
use crate::{Refusal, Server};

/// How often the files of a catalog are looked at again because the code changes meanwhile.
const MOST_LOOKS: usize = 5;

/// What is put into a catalog.
#[derive(Debug, Default)]
pub(crate) struct Inlined {
    metadata: Map<String, Json>,
    recursive_metadata: Map<String, Json>,
    /// The files whose content agents may ask for, relative to the environment.
    files: Vec<String>,
}

impl Inlined {
    /// Puts it at the end of a catalog as it is sent. Where there is nothing of a kind, the key is left out.
    pub(crate) fn add_to(self, catalog: &mut String) {
        for (key, map) in [("metadata", self.metadata), ("recursive_metadata", self.recursive_metadata)] {
            if !map.is_empty() && catalog.pop() == Some('}') {
                catalog.push_str(&format!(",\"{key}\":{}}}", Json::Object(map)));
            }
        }
    }

    fn add_file(&mut self, uri: &str, metadata: &Metadata) {
        let path = uri.strip_prefix("puppet://").and_then(|rest| rest.split_once('/'));
        self.files.extend(path.filter(|_| metadata.is_file()).map(|(_, path)| path.to_owned()));
    }
}

impl Server {
    /// Says in a catalog which state of the code it belongs to. If the agent wants to know about the files, and with which
    /// checksum, this is what is known about them.
    pub(crate) fn identify_code(
        &self,
        catalog: &mut Catalog,
        compiler: &Arc<Compiler>,
        wanted: Option<Kind>,
    ) -> Result<Option<Inlined>, Refusal> {
        let environment = compiler.environment();
        if self.configuration.versioned_code.is_some() {
            catalog.code_id = self.versioned_code_id(&environment.name).map(Into::into);
            let wanted = wanted.filter(|_| catalog.code_id.is_some());
            return wanted.map(|kind| self.inlined(catalog, environment, kind)).transpose();
        }
        if !environment.settings.boolean("static_catalogs")? {
            return Ok(None);
        }
        for _ in 0..MOST_LOOKS {
            let tree = match self.tree(compiler) {
                Ok(tree) => tree,
                Err(error) => {
                    self.journal.error(&format!("Environment {}: no static catalogs: {error}", environment.name));
                    return Ok(None);
                }
            };
            let inlined = wanted.map(|kind| self.inlined(catalog, environment, kind)).transpose()?;
            if inlined.as_ref().is_none_or(|inlined| self.keep(&tree, inlined)) {
                catalog.code_id = Some(tree.id.as_str().into());
                return Ok(inlined);
            }
            self.trees.forget(&environment.name);
        }
        self.journal.warning(&format!("Environment {} changes all the time: no static catalog", environment.name));
        Ok(None)
    }

    /// The tree of an environment; a new state of it is remembered.
    pub(crate) fn tree(&self, compiler: &Arc<Compiler>) -> std::io::Result<Arc<Tree>> {
        let (tree, is_new) = self.trees.of(compiler, &self.checksums)?;
        if is_new && let Err(error) = self.code.keep_state(&compiler.environment().name, &tree, &*self.world) {
            self.journal.warning(&format!("the state of the code cannot be kept: {error}"));
        }
        Ok(tree)
    }

    /// Keeps the files of a catalog as they are; false if one of them is not what it was in the tree. Where there is no
    /// space for a copy, agents get the file as long as it does not change.
    fn keep(&self, tree: &Tree, inlined: &Inlined) -> bool {
        for path in &inlined.files {
            let Some((full, sum)) = tree.unchanged(path) else { return false };
            if let Err(error) = self.code.keep_content(&full, sum, &*self.world) {
                self.journal.warning(&format!("{} cannot be kept: {error}", full.display()));
            }
        }
        true
    }

    /// The content of a file in a state of the code; nothing if it is not known any more.
    pub(crate) fn content_of(
        &self,
        compiler: &Arc<Compiler>,
        code_id: &str,
        path: &str,
    ) -> Result<Option<Vec<u8>>, Refusal> {
        let failed = |error: std::io::Error| Refusal::text(500, format!("Internal Server Error: {error}"));
        let tree = self.tree(compiler).map_err(failed)?;
        if tree.id == code_id
            && let Some((full, sum)) = tree.unchanged(path)
        {
            let content = std::fs::read(full).map_err(failed)?;
            if Kind::Sha256.of_bytes(&content) == sum {
                return Ok(Some(content));
            }
        }
        self.code.content(&compiler.environment().name, code_id, path).map_err(failed)
    }

    /// What agents would ask about the files of a catalog. Only files of the environment's own modules count: of those the
    /// identity of the code tells the content.
    fn inlined(&self, catalog: &Catalog, environment: &Environment, kind: Kind) -> Result<Inlined, Refusal> {
        let mut inlined = Inlined::default();
        let files = catalog.resources().filter(|resource| resource.reference.type_name == "File");
        for resource in files {
            let sources = sources(resource);
            let text = |name: &str| resource.parameters.get(name).map(ToString::to_string);
            let is_served = !sources.is_empty() && sources.iter().all(|source| source.starts_with("puppet:"));
            if !is_served || text("ensure").as_deref() == Some("absent") {
                continue;
            }
            let wanted = Wanted {
                links: if text("links").as_deref() == Some("follow") { Links::Follow } else { Links::Manage },
                permissions: match text("source_permissions").as_deref() {
                    Some("use" | "use_when_creating") => Permissions::Use,
                    _ => Permissions::Ignore,
                },
                checksum: text("checksum").and_then(|name| Kind::of(&name)).unwrap_or(kind),
            };
            let title = resource.reference.title.to_string();
            if matches!(text("recurse").as_deref(), Some("true" | "remote")) {
                let found = self.directories(resource, &sources, wanted, environment, &mut inlined)?;
                inlined.recursive_metadata.extend(found.map(|found| (title, found)));
            } else {
                let found = self.file(&sources, wanted, environment, &mut inlined)?;
                inlined.metadata.extend(found.map(|found| (title, found)));
            }
        }
        Ok(inlined)
    }

    /// The first source that is there; nothing if it does not belong to the environment.
    fn file(
        &self,
        sources: &[String],
        wanted: Wanted,
        environment: &Environment,
        inlined: &mut Inlined,
    ) -> Result<Option<Json>, Refusal> {
        for source in sources {
            let Some((path, full)) = self.found(source, environment) else { continue };
            let Ok(metadata) = Metadata::read(&full, None, wanted, &self.checksums) else { continue };
            let Some(uri) = content_uri(source, &path, &full, environment) else { return Ok(None) };
            inlined.add_file(&uri, &metadata);
            let mut told = metadata.to_json();
            if let Json::Object(map) = &mut told {
                map.insert("content_uri".to_owned(), json!(uri));
                map.insert("source".to_owned(), json!(source));
            }
            return Ok(Some(told));
        }
        let all: Vec<String> = sources.iter().map(|source| format!("{source:?}")).collect();
        let asked = if let [one] = sources { one.clone() } else { format!("[{}]", all.join(", ")) };
        Err(Refusal::server_error(format!("Could not get metadata for {asked}")))
    }

    /// What is below the sources: below the first one that is there, unless all of them are to be copied.
    fn directories(
        &self,
        resource: &Resource,
        sources: &[String],
        wanted: Wanted,
        environment: &Environment,
        inlined: &mut Inlined,
    ) -> Result<Option<Json>, Refusal> {
        let number = |name: &str| resource.parameters.get(name).and_then(|value| value.to_string().parse().ok());
        let ignore: Vec<String> = match resource.parameters.get("ignore") {
            Some(Value::Array(patterns)) => patterns.iter().map(ToString::to_string).collect(),
            Some(pattern) => vec![pattern.to_string()],
            None => Vec::new(),
        };
        let wanted = Search {
            recurses: true,
            limit: number("recurselimit"),
            ignore: ignore.iter().map(String::as_str).collect(),
            most: number("max_files").filter(|most| *most > 0),
            wanted,
        };
        let takes_all = resource.parameters.get("sourceselect").is_some_and(|it| it.to_string() == "all");
        let mut trees = Map::new();
        for source in sources {
            let Some((path, root)) = self.found(source, environment) else { continue };
            let Some(base) = content_uri(source, &path, &root, environment) else { return Ok(None) };
            let found = search(&[root], &wanted, &self.checksums);
            let found = found.map_err(|error| Refusal::server_error(error.to_string()))?;
            let told = found.iter().map(|metadata| {
                let uri = match metadata.relative_path() {
                    Some(".") | None => base.clone(),
                    Some(relative) => format!("{base}/{relative}"),
                };
                inlined.add_file(&uri, metadata);
                let mut told = metadata.to_json();
                if let Json::Object(map) = &mut told {
                    map.insert("content_uri".to_owned(), json!(uri));
                }
                told
            });
            trees.insert(source.clone(), Json::Array(told.collect()));
            if !takes_all {
                break;
            }
        }
        Ok((!trees.is_empty()).then_some(Json::Object(trees)))
    }

    /// The path in the URI, and the file it stands for, if it is there.
    fn found(&self, source: &str, environment: &Environment) -> Option<(String, String)> {
        let rest = source.strip_prefix("puppet://")?;
        let path = rest.split_once('/')?.1;
        if path.split('/').any(|part| part == "..") {
            return None;
        }
        let (mount, rest) = path.split_once('/').unwrap_or((path, ""));
        let candidates = self.mounts.candidates(&*self.world, environment, mount, rest, "")?;
        let full = candidates.into_iter().find(|path| std::fs::symlink_metadata(path).is_ok())?;
        Some((path.to_owned(), full))
    }
}

fn sources(resource: &Resource) -> Vec<String> {
    let trimmed = |value: &Value| value.to_string().trim_end_matches('/').to_owned();
    match resource.parameters.get("source") {
        Some(Value::Array(sources)) => sources.iter().map(trimmed).collect(),
        Some(Value::String(_)) => resource.parameters.get("source").map(trimmed).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Where an agent gets the content, as `static_file_content` knows it: relative to the environment. Nothing for what is in
/// no module of the environment.
fn content_uri(source: &str, path: &str, full: &str, environment: &Environment) -> Option<String> {
    let server = source.strip_prefix("puppet://")?.split('/').next()?;
    let relative = Path::new(full).strip_prefix(environment.directory.as_deref()?).ok()?.to_str()?;
    let is_in_module = relative.split('/').nth(2) == Some("files") && relative.split('/').count() > 3;
    (path.starts_with("modules/") && is_in_module).then(|| format!("puppet://{server}/{relative}"))
}
