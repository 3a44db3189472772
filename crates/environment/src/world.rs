//! The outside world as the compiler sees it: files, the clock, processes and environment variables.
//!
//! Everything that touches the machine goes through [`World`], so that an editor, a test or a server
//! can stand in for the disk.

mod disk;
#[cfg(unix)]
mod disk_files;
#[cfg(unix)]
mod disk_machine;
mod files;
mod glob;
mod host_name;
mod machine;
mod memory;
mod observer;
mod process_group;
mod run;
mod server;

pub use disk::Disk;
pub use files::{Access, Details, FileKind, Files, Writing};
pub use glob::{glob, glob_readable, has_wildcard};
pub use host_name::host_name;
pub use machine::{Account, FileSystem, Interface, Machine, Uname};
pub use memory::Memory;
pub use observer::Observer;
pub use process_group::ProcessGroup;
pub use server::Channel;

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bunraku_syntax::Issue;

use crate::issues;

/// No file may be larger: everything that is read is kept in memory.
pub const LARGEST_FILE: u64 = 256 << 20;

/// Where files, time and processes come from. Paths are absolute or relative UTF-8 text with `/`.
pub trait World: Send + Sync {
    /// The bytes of a file. What is not a regular file, such as a pipe or a device, is refused: it may have no end.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The same for a path that the user names; it may stand for an open descriptor of the process, such as `/dev/stdin`.
    fn read_named(&self, path: &str) -> io::Result<Vec<u8>> {
        self.read(path)
    }

    /// What identifies the present state of a file or directory; nothing if there is none.
    fn stamp(&self, path: &str) -> Option<Stamp>;

    /// Whether there is anything at the path. That this cannot be found out is an error, unlike in [`World::stamp`].
    fn exists(&self, path: &str) -> io::Result<bool> {
        Ok(self.stamp(path).is_some())
    }

    /// Whether there is a link at the path that leads nowhere.
    fn is_dangling(&self, _: &str) -> bool {
        false
    }

    /// The entries of a directory, sorted by name.
    fn list(&self, directory: &str) -> io::Result<Vec<Entry>>;

    /// The present time.
    fn now(&self) -> SystemTime;

    /// The seconds by which the time zone of the machine is ahead of UTC at present.
    fn utc_offset(&self) -> i32;

    /// Fills the bytes with what nobody can foresee: passwords and salts are made of it.
    fn random(&self, bytes: &mut [u8]) -> io::Result<()>;

    /// Runs a command without a shell and waits for it to end, within limits of time and output.
    fn run(&self, command: &Command<'_>) -> io::Result<Output>;

    /// Sends a message to a server at an address, and waits so long for its answer.
    fn ask_server(&self, _: &str, _: u16, _: &[u8], _: Channel, _wait: Duration) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The value of an environment variable of the process.
    fn variable(&self, name: &str) -> Option<String>;

    /// All environment variables of the process, by name.
    fn variables(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What the kernel tells of the machine, if this world is one.
    fn machine(&self) -> Option<&dyn Machine> {
        None
    }

    /// Files that can be changed, if they can in this world.
    fn files(&self) -> Option<&dyn Files> {
        None
    }

    /// The directory that relative paths start from.
    fn current_dir(&self) -> String;

    /// Whether this program runs as the administrator, which decides about default directories.
    fn is_privileged(&self) -> bool;

    /// The text of a file, which must be UTF-8; a byte order mark is not part of it.
    fn read_text(&self, path: &str) -> io::Result<String> {
        decode(self.read(path)?)
    }

    /// Whether there is a file (not a directory) at the path.
    fn is_file(&self, path: &str) -> bool {
        self.stamp(path).is_some_and(|stamp| !stamp.is_dir)
    }

    /// Whether there is a directory at the path.
    fn is_dir(&self, path: &str) -> bool {
        self.stamp(path).is_some_and(|stamp| stamp.is_dir)
    }

    /// Whole seconds since the epoch, the default version of a catalog.
    fn epoch_seconds(&self) -> u64 {
        self.now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
    }
}

/// The state of a file or directory: equal stamps mean equal content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Time of the last change.
    pub modified: Option<SystemTime>,
    /// Length in bytes.
    pub length: u64,
    /// Whether it is a directory.
    pub is_dir: bool,
    /// Which file it is, and when anything about it changed: one that is put in the place of another may have its length
    /// and its time.
    pub version: (u64, i128),
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name without its directory.
    pub name: String,
    /// Whether it is a directory itself (or a link to one).
    pub is_dir: bool,
    /// Whether it is a link.
    pub is_link: bool,
}

/// A process to run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Command<'a> {
    /// The executable.
    pub program: &'a str,
    /// Its arguments.
    pub arguments: &'a [&'a str],
    /// The directory it starts in, if not the present one.
    pub directory: Option<&'a str>,
    /// Variables of its environment that differ from those of this process.
    pub variables: &'a [(&'a str, &'a str)],
    /// What it may take of time and output, if less than usual.
    pub limits: Option<(Duration, usize)>,
    /// What it reads from standard input. Unlike arguments, nobody else on the machine sees it.
    pub input: &'a [u8],
    /// When whoever waits for it must be done; it has a limit of its own besides.
    pub deadline: Option<Instant>,
    /// Set by whoever wants it to end before.
    pub cancelled: Option<&'a AtomicBool>,
}

/// What a process gave back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Exit code; nothing when a signal ended the process.
    pub code: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// The text that bytes are, without a byte order mark.
pub(crate) fn decode(bytes: Vec<u8>) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "invalid byte sequence in UTF-8");
    let text = String::from_utf8(bytes).map_err(not_text)?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The entries of a directory that need not exist. One that cannot be read is an error: it must not count as empty.
pub fn entries(world: &dyn World, directory: &str) -> Result<Vec<Entry>, Issue> {
    match world.list(directory) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(issues::unreadable_directory(directory, &error)),
        Ok(entries) => Ok(entries),
    }
}

/// Joins a directory and a path; an absolute path stands alone.
pub fn join(directory: &str, path: &str) -> String {
    if directory.is_empty() || path.starts_with('/') {
        return path.to_owned();
    }
    if path.is_empty() {
        return directory.to_owned();
    }
    let separator = if directory.ends_with('/') { "" } else { "/" };
    [directory, separator, path].concat()
}

/// An absolute path in its simplest form: `.` and `..` resolved, no doubled or trailing slashes.
pub fn expand(directory: &str, path: &str) -> String {
    let joined = join(directory, path);
    // Most paths are in it already.
    if is_simple(&joined) {
        return joined;
    }
    let is_absolute = joined.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            _ => parts.push(part),
        }
    }
    let path = parts.join("/");
    if is_absolute { format!("/{path}") } else { path }
}

/// Whether no part of a path is empty or begins with a dot.
fn is_simple(path: &str) -> bool {
    let path = path.as_bytes();
    let is_odd = |pair: &[u8]| matches!(pair, [b'/', b'/' | b'.']);
    !path.starts_with(b".") && !path.ends_with(b"/") && !path.windows(2).any(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_expanded() {
        let check = |directory, path, expected: &str| assert_eq!(expand(directory, path), expected);
        check("/a/b", "c.pp", "/a/b/c.pp");
        check("/a/b/", "./c", "/a/b/c");
        check("/a/b", "../../../c", "/c");
        check("/a", "/x//y/", "/x/y");
        check("", "a/../../b", "../b");
        check("/", "", "/");
        check("/a", "b.c/.d", "/a/b.c/.d");
        check("", "/a/..", "/");
        check("", "./a", "a");
    }
}
