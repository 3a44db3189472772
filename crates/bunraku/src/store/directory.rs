//! A directory that holds what nodes export: a catalog for each, as JSON.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bunraku_catalog::{Catalog, wire};
use bunraku_compiler::ExportedResources;
use bunraku_environment::world::Stamp;
use bunraku_environment::{Disk, World};
use bunraku_syntax::Issue;

use super::Store;
use crate::whole_file;

/// Keeps what nodes export in files named after them. Catalogs that others have written there are welcome too.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    known: Mutex<Known>,
}

/// What was read, and the state of the files it was read from.
#[derive(Debug, Default)]
struct Known {
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    exported: Arc<ExportedResources>,
}

impl Directory {
    /// The store in a directory, which is made when there is something to keep.
    pub fn new(path: impl Into<PathBuf>) -> Directory {
        Directory { path: path.into(), known: Mutex::default() }
    }

    /// The files, in the order of their names.
    fn files(&self) -> Result<Vec<(PathBuf, Option<Stamp>)>, Issue> {
        let entries = match std::fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(&self.path, &error)),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| failed(&self.path, &error))?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let stamp = path.to_str().and_then(|path| Disk.stamp(path));
                files.push((path, stamp));
            }
        }
        files.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(files)
    }
}

impl Store for Directory {
    fn exported(&self) -> Result<Arc<ExportedResources>, Issue> {
        let stamps = self.files()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.stamps != stamps {
            let mut exported = ExportedResources::default();
            for (path, _) in &stamps {
                let text = Disk.read_path(path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
                let text = text.map_err(|error| {
                    Issue::new("", format!("Could not read {}: {}", path.display(), bunraku_diagnostic::reason(&error)))
                })?;
                exported.add(wire::from_json(&text).map_err(|issue| failed(path, &issue))?);
            }
            *known = Known { stamps, exported: Arc::new(exported) };
        }
        Ok(Arc::clone(&known.exported))
    }

    fn keep(&self, exported: &Catalog) -> Result<(), Issue> {
        let options = wire::Options { is_pretty: true, is_reproducible: true };
        let path = self.path.join(format!("{}.json", exported.name));
        let before = std::fs::read_to_string(&path).ok();
        if before.is_none() && exported.is_empty() {
            return Ok(());
        }
        let text = wire::to_json(exported, options)? + "\n";
        if before.as_deref() == Some(text.as_str()) {
            return Ok(());
        }
        std::fs::create_dir_all(&self.path)
            .and_then(|()| whole_file::write(&path, &text))
            .map_err(|error| failed(&path, &error))
    }
}

fn failed(path: &Path, why: &dyn std::fmt::Display) -> Issue {
    Issue::new("", format!("{}: {why}", path.display()))
}
