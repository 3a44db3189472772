//! What agents may still ask for when the code has moved on: which files there were in a state of an environment's code, and
//! the contents of those that catalogs refer to.
//!
//! `ENVIRONMENT/CODE_ID` lists the files of a state with their checksums; `contents/CHECKSUM` are copies. What was written
//! only in part, as after a power failure, is noticed by its checksum and counts as missing.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bunraku::{World, random_uuid, whole_file};

use crate::code_tree::Tree;
use crate::files::Kind;

/// How many states are remembered, of all environments together.
const MOST_STATES: usize = 256;
/// A copy that no state mentions is left alone for so long: somebody may be about to write the state.
const GRACE: Duration = Duration::from_secs(3_600);
/// How many copies are known to be there without a look at the disk.
const MOST_KNOWN: usize = 100_000;

/// The directory of states and contents.
#[derive(Debug)]
pub(crate) struct CodeStore {
    directory: PathBuf,
    kept: Mutex<HashSet<String>>,
}

impl CodeStore {
    pub(crate) fn new(directory: impl Into<PathBuf>) -> CodeStore {
        CodeStore { directory: directory.into(), kept: Mutex::default() }
    }

    /// Remembers which files there are that agents may ask for.
    pub(crate) fn keep_state(&self, environment: &str, tree: &Tree, world: &dyn World) -> io::Result<()> {
        let directory = self.directory.join("states").join(environment);
        let path = directory.join(&tree.id);
        if path.exists() {
            return Ok(());
        }
        crate::ca::create_directory(&directory)?;
        let served = tree.files().filter(|(path, _)| is_served(path) && !path.contains('\n'));
        let text: String = served.map(|(path, sum)| format!("{sum} {path}\n")).collect();
        whole_file::write(&path, &text)?;
        self.clean(world)
    }

    /// Copies a file of a state, unless its content is there already.
    pub(crate) fn keep_content(&self, file: &Path, sum: &str, world: &dyn World) -> io::Result<()> {
        if self.is_kept(sum) {
            return Ok(());
        }
        let directory = self.directory.join("contents");
        let path = directory.join(sum);
        if !path.exists() {
            crate::ca::create_directory(&directory)?;
            let part = directory.join(format!(".{}.part", random_uuid(world)?));
            let copied = std::fs::copy(file, &part).and_then(|_| std::fs::rename(&part, &path));
            if let Err(error) = copied {
                let _ = std::fs::remove_file(&part);
                return Err(error);
            }
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KNOWN {
            kept.clear();
        }
        kept.insert(sum.to_owned());
        Ok(())
    }

    fn is_kept(&self, sum: &str) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).contains(sum)
    }

    /// The content of a file in an earlier state; nothing if it is not known any more.
    pub(crate) fn content(&self, environment: &str, code_id: &str, path: &str) -> io::Result<Option<Vec<u8>>> {
        let state = self.directory.join("states").join(environment).join(code_id);
        let Some(text) = found(std::fs::read_to_string(state))? else { return Ok(None) };
        let sum = text.lines().find_map(|line| line.split_once(' ').filter(|(_, known)| *known == path));
        let Some((sum, _)) = sum else { return Ok(None) };
        let content = found(std::fs::read(self.directory.join("contents").join(sum)))?;
        Ok(content.filter(|content| Kind::Sha256.of_bytes(content) == sum))
    }

    /// Removes the oldest states, and the copies that none of the others mentions.
    fn clean(&self, world: &dyn World) -> io::Result<()> {
        let mut states = Vec::new();
        for environment in list(&self.directory.join("states"))? {
            states.extend(list(&environment)?);
        }
        let Some(excess @ 1..) = states.len().checked_sub(MOST_STATES) else { return Ok(()) };
        states.sort_by_cached_key(|path| std::fs::metadata(path).and_then(|it| it.modified()).ok());
        for path in states.drain(..excess) {
            std::fs::remove_file(path)?;
        }
        let mut mentioned = HashSet::new();
        for path in states {
            let text = found(std::fs::read_to_string(path))?.unwrap_or_default();
            mentioned.extend(text.lines().filter_map(|line| line.split_once(' ')).map(|(sum, _)| sum.to_owned()));
        }
        let now = world.now();
        for path in list(&self.directory.join("contents"))? {
            let is_mentioned = path.file_name().and_then(|it| it.to_str()).is_some_and(|sum| mentioned.contains(sum));
            let changed = std::fs::metadata(&path).and_then(|it| it.modified());
            let is_old = changed.is_ok_and(|changed| now.duration_since(changed).is_ok_and(|age| age > GRACE));
            if !is_mentioned && is_old {
                std::fs::remove_file(path)?;
            }
        }
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }
}

/// Whether a path, relative to the environment, is one of the files that modules have for agents.
pub(crate) fn is_served(path: &str) -> bool {
    let mut parts = path.split('/');
    let has_names = parts.by_ref().take(2).filter(|part| !part.is_empty()).count() == 2;
    let is_kind = matches!(parts.next(), Some("files" | "lib" | "scripts" | "tasks"));
    let rest: Vec<&str> = parts.collect();
    has_names && is_kind && !rest.is_empty() && rest.iter().all(|part| !part.is_empty() && *part != "..")
}

fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn list(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let Some(entries) = found(std::fs::read_dir(directory))? else { return Ok(Vec::new()) };
    entries.map(|entry| Ok(entry?.path())).collect()
}
