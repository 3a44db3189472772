//! Writes files that are whole or not there: whoever reads one, whatever else writes it, and however the program ends.
//!
//! Catalogs have secrets in them, so a file is readable for its owner alone, whatever stood in its place before.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files of this process that are not finished. Signals come to the process as a whole, so it is global.
static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished { paths: BTreeSet::new(), is_over: false });

struct Unfinished {
    paths: BTreeSet<PathBuf>,
    /// Whether the process is about to end, and nothing may be begun any more.
    is_over: bool,
}

/// Writes a file with mode 0600. It replaces what is at the path, all at once; a link is replaced, not followed.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    write_for(path, text.as_bytes(), |_| Ok(()))
}

/// The same for what is soon written again anyway, without waiting for the disk: after a power failure the file may be empty.
pub fn write_soon(path: &Path, text: &str) -> io::Result<()> {
    finish(path, text.as_bytes(), |_| Ok(()))
}

/// The same for others to read: before the file is in its place, it is given the mode and the owner that it should have.
pub fn write_for(path: &Path, content: &[u8], prepare: impl Fn(&File) -> io::Result<()>) -> io::Result<()> {
    // With all of it on the disk, the file is whole after a power failure, too.
    finish(path, content, |file| prepare(file).and_then(|()| file.sync_all()))
}

fn finish(path: &Path, content: &[u8], prepare: impl Fn(&File) -> io::Result<()>) -> io::Result<()> {
    let (part, mut file) = begin(path)?;
    let written = file.write_all(content).and_then(|()| prepare(&file)).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // What failed is the answer, whether there is something to take away or not.
        let _ = std::fs::remove_file(&part);
    }
    unfinished().paths.remove(&part);
    written
}

/// Puts other content into a file that is there already. A link is followed; mode, owner and other names of the file stay.
pub fn rewrite(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = std::fs::canonicalize(path)?;
    // Who may not write the file must not replace it either.
    let old = OpenOptions::new().write(true).open(&path)?.metadata()?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&old) > 1 {
        // A new file would be one of its own.
        return std::fs::write(&path, content);
    }
    write_for(&path, content, |file| {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let new = file.metadata()?;
            if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
                fchown(file, Some(old.uid()), Some(old.gid()))?;
            }
        }
        file.set_permissions(old.permissions())
    })
}

/// The same with the directory around the file, which is made where it is missing.
pub fn write_with_directory(path: &Path, text: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    write(path, text)
}

/// Removes what is not finished and lets nothing be begun any more, for a process that is about to end by a signal.
pub fn abandon_all() {
    let mut unfinished = unfinished();
    unfinished.is_over = true;
    for part in std::mem::take(&mut unfinished.paths) {
        let _ = std::fs::remove_file(part);
    }
}

/// A new file next to the one to be written, of a name that nobody has. It is created, never opened: where somebody has
/// put a file or a link of that name, another one is taken.
fn begin(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut unfinished = unfinished();
    if unfinished.is_over {
        return Err(ErrorKind::Interrupted.into());
    }
    loop {
        let part = path.with_file_name(format!(".bunraku-{:016x}.part", RandomState::new().hash_one(path)));
        match options.open(&part) {
            Ok(file) => {
                unfinished.paths.insert(part.clone());
                return Ok((part, file));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
