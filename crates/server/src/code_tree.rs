//! The code of an environment as a whole: the checksum of every file below its directory. The checksum of all of them is the
//! `code_id` of catalogs, so that two servers with the same code give it the same identity without talking to each other.
//!
//! Names that begin with a dot do not count (`.git`, notes of deployment programs), nor do directories `spec` of the
//! environment and its modules.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use bunraku::Compiler;

use crate::files::{Checksums, Kind, Stamp, stamp};

/// How long a tree counts without another look while the environment's generation stays the same. A file that a catalog
/// refers to is looked at in any case.
const MAX_AGE: Duration = Duration::from_secs(1);
/// How many files there may be, and how deep directories may be nested.
const MOST_FILES: usize = 500_000;
const DEEPEST: usize = 64;
/// How many environments are remembered.
const MOST_ENVIRONMENTS: usize = 256;

/// The state of an environment's code.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The identity of this state.
    pub(crate) id: String,
    root: PathBuf,
    files: BTreeMap<String, (String, Stamp)>,
}

impl Tree {
    /// The files, by their paths below the directory of the environment, with the SHA-256 of their content.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, (sum, _))| (path.as_str(), sum.as_str()))
    }

    /// Where a file is, and the checksum of its content, if it has not changed since.
    pub(crate) fn unchanged(&self, path: &str) -> Option<(PathBuf, &str)> {
        let (sum, known) = self.files.get(path)?;
        let full = self.root.join(path);
        let found = std::fs::metadata(&full).ok()?;
        (stamp(&found) == *known).then_some((full, sum.as_str()))
    }
}

/// A tree, and for which generation of its environment it was found out when.
#[derive(Debug)]
struct Known {
    tree: Arc<Tree>,
    compiler: Weak<Compiler>,
    found: Instant,
}

/// The trees of environments.
#[derive(Debug, Default)]
pub(crate) struct Trees(Mutex<HashMap<String, Arc<Mutex<Option<Known>>>>>);

impl Trees {
    /// The tree of an environment, not much older than now; whether it was not known before.
    pub(crate) fn of(&self, compiler: &Arc<Compiler>, checksums: &Checksums) -> io::Result<(Arc<Tree>, bool)> {
        let slot = self.slot(&compiler.environment().name);
        let mut known = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known
            && std::ptr::eq(known.compiler.as_ptr(), Arc::as_ptr(compiler))
            && known.found.elapsed() < MAX_AGE
        {
            return Ok((Arc::clone(&known.tree), false));
        }
        let found = Instant::now();
        let tree = look(compiler, checksums)?;
        let before = known.as_ref().filter(|known| known.tree.id == tree.id && known.tree.files == tree.files);
        let is_new = known.as_ref().is_none_or(|known| known.tree.id != tree.id);
        let tree = before.map_or_else(|| Arc::new(tree), |known| Arc::clone(&known.tree));
        *known = Some(Known { tree: Arc::clone(&tree), compiler: Arc::downgrade(compiler), found });
        Ok((tree, is_new))
    }

    /// Has the tree looked at again: something in it has changed.
    pub(crate) fn forget(&self, environment: &str) {
        if let Some(known) = self.slot(environment).lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            known.compiler = Weak::new();
        }
    }

    fn slot(&self, environment: &str) -> Arc<Mutex<Option<Known>>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_ENVIRONMENTS && !all.contains_key(environment) {
            all.clear();
        }
        Arc::clone(all.entry(environment.to_owned()).or_default())
    }
}

fn look(compiler: &Compiler, checksums: &Checksums) -> io::Result<Tree> {
    let root = compiler.environment().directory.as_deref().ok_or(io::ErrorKind::NotFound)?;
    let root = std::fs::canonicalize(root)?;
    let mut files = BTreeMap::new();
    let mut found = Found { root: &root, files: &mut files, checksums };
    found.add(&root, "", 0, &mut Vec::new())?;
    let mut listed = String::new();
    for (path, (sum, _)) in &files {
        // Names may have line breaks in them, so that every one is quoted.
        writeln!(listed, "{sum} {path:?}").map_err(io::Error::other)?;
    }
    Ok(Tree { id: Kind::Sha256.of_bytes(listed.as_bytes()), root, files })
}

/// What is gathered below a directory.
struct Found<'f> {
    root: &'f Path,
    files: &'f mut BTreeMap<String, (String, Stamp)>,
    checksums: &'f Checksums,
}

impl Found<'_> {
    /// Adds what is below a directory. `above` are the directories it is in: a link to one of them leads back.
    fn add(&mut self, directory: &Path, relative: &str, depth: usize, above: &mut Vec<(u64, u64)>) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let own = std::fs::metadata(directory)?;
        if depth > DEEPEST || above.contains(&(own.dev(), own.ino())) {
            return Ok(());
        }
        above.push((own.dev(), own.ino()));
        for entry in std::fs::read_dir(directory)? {
            let name = entry?.file_name();
            // No name that is not UTF-8 can be asked for.
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            if name == "spec" && matches!(depth, 0 | 2) {
                continue;
            }
            let path = if relative.is_empty() { name.to_owned() } else { format!("{relative}/{name}") };
            let full = self.root.join(&path);
            // What vanishes meanwhile, leads nowhere or may not be read is no code.
            let Ok(found) = std::fs::metadata(&full) else { continue };
            if found.is_dir() {
                match self.add(&full, &path, depth.saturating_add(1), above) {
                    Err(error) if is_passing(&error) => {}
                    other => other?,
                }
            } else if found.is_file() {
                let Ok(sum) = self.checksums.sum(&full, &found, Kind::Sha256) else { continue };
                self.files.insert(path, (sum, stamp(&found)));
                if self.files.len() > MOST_FILES {
                    return Err(io::Error::other(format!("there are more than {MOST_FILES} files")));
                }
            }
        }
        above.pop();
        Ok(())
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}
