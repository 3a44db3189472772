//! A directory that holds what nodes export: a catalog for each, as JSON.

use std::io;
use std::path::{Path, PathBuf};

use bunraku_catalog::{Catalog, wire};
use bunraku_compiler::ExportedResources;
use bunraku_environment::Disk;
use bunraku_syntax::Issue;

use super::Store;
use crate::whole_file;

/// Keeps what nodes export in files named after them. Catalogs that others have written there are welcome too.
#[derive(Debug)]
pub struct Directory(PathBuf);

impl Directory {
    /// The store in a directory, which is made when there is something to keep.
    pub fn new(path: impl Into<PathBuf>) -> Directory {
        Directory(path.into())
    }
}

impl Store for Directory {
    fn exported(&self) -> Result<ExportedResources, Issue> {
        let mut exported = ExportedResources::default();
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(exported),
            Err(error) => return Err(failed(&self.0, &error)),
        };
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(|error| failed(&self.0, &error))?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        for path in paths {
            let text = Disk.read_path(&path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
            let text = text.map_err(|error| Issue::new("", format!("Could not read {}: {error}", path.display())))?;
            exported.add(wire::from_json(&text).map_err(|issue| failed(&path, &issue))?);
        }
        Ok(exported)
    }

    fn keep(&self, exported: &Catalog) -> Result<(), Issue> {
        let options = wire::Options { is_pretty: true, is_reproducible: true };
        let text = wire::to_json(exported, options)? + "\n";
        let path = self.0.join(format!("{}.json", exported.name));
        std::fs::create_dir_all(&self.0)
            .and_then(|()| whole_file::write(&path, &text))
            .map_err(|error| failed(&path, &error))
    }
}

fn failed(path: &Path, why: &dyn std::fmt::Display) -> Issue {
    Issue::new("", format!("{}: {why}", path.display()))
}
