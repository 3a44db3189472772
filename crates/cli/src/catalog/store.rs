//! A directory that holds what nodes export: a catalog for each, as JSON.

use std::path::{Path, PathBuf};

use bunraku::{Catalog, ExportedResources, wire};

use super::write_whole;

/// Reads what all nodes export. Catalogs that others have written are welcome too.
pub(super) fn read(directory: &Path) -> Result<ExportedResources, String> {
    let mut exported = ExportedResources::default();
    let Ok(entries) = std::fs::read_dir(directory) else { return Ok(exported) };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    for path in paths {
        exported.add(super::read(&path.display().to_string())?);
    }
    Ok(exported)
}

/// Writes what a node exports, in place of what it exported before.
pub(super) fn write(directory: &Path, catalog: &Catalog) -> Result<(), String> {
    let mut exports = catalog.clone();
    exports.retain(bunraku_catalog::Resource::is_exported);
    let options = wire::Options { is_pretty: true, is_reproducible: true };
    let text = wire::to_json(&exports, options).map_err(|issue| issue.to_string())? + "\n";
    let path = directory.join(format!("{}.json", catalog.name));
    std::fs::create_dir_all(directory)
        .and_then(|()| write_whole(&path, &text))
        .map_err(|error| format!("{}: {error}", path.display()))
}
