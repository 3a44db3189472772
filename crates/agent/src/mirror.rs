//! Files of the server on this machine: what is asked for is brought here, once as long as it stays the same there.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use bunraku::whole_file;
use sha2::{Digest, Sha256};

use crate::failure::Failure;
use crate::requests::{Metadata, Search, Server};

/// The directories of the server's files that were asked for, as they are on this machine.
#[derive(Debug)]
pub struct Mirror {
    root: PathBuf,
    environment: String,
    /// What has been looked at in this run: nothing where the server has nothing.
    known: HashMap<String, Option<PathBuf>>,
}

impl Mirror {
    /// A mirror below a directory, which nobody else may read: files may be secret.
    pub fn new(root: &Path, environment: &str) -> io::Result<Mirror> {
        fs::create_dir_all(root)?;
        fs::set_permissions(root, PermissionsExt::from_mode(0o700))?;
        let root = root.join(environment);
        Ok(Mirror { root, environment: environment.to_owned(), known: HashMap::new() })
    }

    /// What a path of the server is on this machine; nothing if the server has no such file.
    pub fn file(&mut self, server: &mut Server, path: &str) -> Result<Option<PathBuf>, String> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        let parents = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
        if let Some(Some(parent)) = parents.filter_map(|parent| self.known.get(parent)).next()
            && parent.is_dir()
        {
            // All of a directory has been brought.
            let file = self.place(path)?;
            return Ok(file.exists().then_some(file));
        }
        let found = match server.metadata(path, &self.environment) {
            Ok(found) => found,
            Err(failure) if failure.is(404) => {
                self.known.insert(path.to_owned(), None);
                return Ok(None);
            }
            Err(failure) => return Err(failure.to_string()),
        };
        let target = self.place(path)?;
        let wrong = |error: io::Error| format!("{}: {error}", target.display());
        target.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong)?;
        let entries = match found.is_directory {
            false => vec![Metadata { relative_path: ".".to_owned(), ..found }],
            true => {
                let search = Search { keeps_permissions: true, ..Search::default() };
                server.metadatas(path, &self.environment, &search).map_err(|failure| failure.to_string())?
            }
        };
        let tree = Tree { source: path, environment: &self.environment, target: &target, is_exact: true };
        tree.bring(server, &entries, &mut |_, _| {})?;
        self.known.insert(path.to_owned(), Some(target.clone()));
        Ok(Some(target))
    }

    fn place(&self, path: &str) -> Result<PathBuf, String> {
        Ok(self.root.join(below(path).ok_or_else(|| format!("Invalid relative path: {path}"))?))
    }
}

/// What happened to a file that was brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Created,
    Removed,
    Defined(String),
    Changed(String, String),
}

/// A directory of the server, or a file, and where it goes.
pub(crate) struct Tree<'a> {
    pub(crate) source: &'a str,
    pub(crate) environment: &'a str,
    pub(crate) target: &'a Path,
    /// What the server does not have goes.
    pub(crate) is_exact: bool,
}

impl Tree<'_> {
    /// Makes the target what the server says.
    pub(crate) fn bring(
        &self,
        server: &mut Server,
        entries: &[Metadata],
        told: &mut dyn FnMut(&Path, Change),
    ) -> Result<(), String> {
        let mut entries: Vec<(PathBuf, &Metadata)> = entries
            .iter()
            .map(|entry| match below(&entry.relative_path) {
                Some(path) => Ok((path, entry)),
                None => Err(format!("Invalid relative path: {}", entry.relative_path)),
            })
            .collect::<Result<_, _>>()?;
        // A directory comes before what is in it.
        entries.sort_by(|(first, _), (second, _)| first.cmp(second));
        for (relative, entry) in &entries {
            let target =
                if relative.as_os_str().is_empty() { self.target.to_owned() } else { self.target.join(relative) };
            let wrong = |error: io::Error| format!("{}: {error}", target.display());
            if entry.is_directory {
                make_directory(&target, told).map_err(wrong)?;
            } else {
                self.bring_file(server, relative, &target, entry, told)?;
            }
        }
        if self.is_exact && self.target.is_dir() {
            let wanted: std::collections::HashSet<&Path> = entries.iter().map(|(path, _)| path.as_path()).collect();
            remove_others(self.target, Path::new(""), &wanted, told).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn bring_file(
        &self,
        server: &mut Server,
        relative: &Path,
        target: &Path,
        entry: &Metadata,
        told: &mut dyn FnMut(&Path, Change),
    ) -> Result<(), String> {
        let wrong = |error: io::Error| format!("{}: {error}", target.display());
        let before = sum(target).map_err(wrong)?;
        if before.as_ref() == Some(&entry.checksum) {
            let found = fs::metadata(target).map_err(wrong)?;
            if found.permissions().mode() & 0o7777 != entry.mode {
                fs::set_permissions(target, PermissionsExt::from_mode(entry.mode)).map_err(wrong)?;
            }
            return Ok(());
        }
        if before.is_none() && target.symlink_metadata().is_ok_and(|it| it.is_dir()) {
            fs::remove_dir_all(target).map_err(wrong)?;
        }
        let source = match relative.to_str() {
            Some("") => self.source.to_owned(),
            Some(relative) => format!("{}/{relative}", self.source),
            None => return Err(format!("Invalid relative path: {}", relative.display())),
        };
        let content = server.content(&source, self.environment).map_err(|failure: Failure| failure.to_string())?;
        let now = format!("{{sha256}}{}", hex(&Sha256::digest(&content)));
        if entry.checksum.starts_with("{sha256}") && now != entry.checksum {
            return Err(format!("The content of {source} is not what the server has said about it: try again"));
        }
        let prepare = |file: &fs::File| file.set_permissions(PermissionsExt::from_mode(entry.mode));
        whole_file::write_for(target, &content, prepare).map_err(wrong)?;
        told(
            target,
            before.map_or_else(|| Change::Defined(now.clone()), |before| Change::Changed(before, now.clone())),
        );
        Ok(())
    }
}

fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksum of a file; nothing if there is none. A link is none, wherever it leads.
fn sum(path: &Path) -> io::Result<Option<String>> {
    match path.symlink_metadata() {
        Ok(found) if found.is_file() => Ok(Some(format!("{{sha256}}{}", hex(&Sha256::digest(fs::read(path)?))))),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn make_directory(path: &Path, told: &mut dyn FnMut(&Path, Change)) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => fs::remove_file(path)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::create_dir_all(path)?;
    told(path, Change::Created);
    Ok(())
}

fn remove_others(
    root: &Path,
    relative: &Path,
    wanted: &std::collections::HashSet<&Path>,
    told: &mut dyn FnMut(&Path, Change),
) -> io::Result<()> {
    for entry in fs::read_dir(root.join(relative))? {
        let entry = entry?;
        let relative = relative.join(entry.file_name());
        let is_dir = entry.file_type()?.is_dir();
        if wanted.contains(relative.as_path()) {
            if is_dir {
                remove_others(root, &relative, wanted, told)?;
            }
            continue;
        }
        match is_dir {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
        told(&entry.path(), Change::Removed);
    }
    Ok(())
}

/// A path that stays below the directory it is joined to; empty for the directory itself.
fn below(path: &str) -> Option<PathBuf> {
    let mut safe = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => safe.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_server_stay_below() {
        for (path, expected) in [
            (".", Some("")),
            ("a/./b", Some("a/b")),
            ("..", None),
            ("a/../../b", None),
            ("/etc/passwd", None),
            ("modules/a/b", Some("modules/a/b")),
        ] {
            assert_eq!(below(path), expected.map(PathBuf::from), "{path}");
        }
    }
}
