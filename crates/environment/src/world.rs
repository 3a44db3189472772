//! The outside world as the compiler sees it: files, the clock, processes and environment variables.
//!
//! Everything that touches the machine goes through [`World`], so that an editor, a test or a server
//! can stand in for the disk.

mod disk;
mod glob;
mod memory;
mod observer;
mod process_group;
mod run;

pub use disk::Disk;
pub use glob::{glob, has_wildcard};
pub use memory::Memory;
pub use observer::Observer;
pub use process_group::ProcessGroup;

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where files, time and processes come from. Paths are absolute or relative UTF-8 text with `/`.
pub trait World: Send + Sync {
    /// The bytes of a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// What identifies the present state of a file or directory; nothing if there is none.
    fn stamp(&self, path: &str) -> Option<Stamp>;

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

    /// The value of an environment variable of the process.
    fn variable(&self, name: &str) -> Option<String>;

    /// The directory that relative paths start from.
    fn current_dir(&self) -> String;

    /// Whether this program runs as the administrator, which decides about default directories.
    fn is_privileged(&self) -> bool;

    /// The text of a file, which must be UTF-8; a byte order mark is not part of it.
    fn read_text(&self, path: &str) -> io::Result<String> {
        let text =
            String::from_utf8(self.read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        })
    }

    /// Whether there is a file (not a directory) at the path.
    fn is_file(&self, path: &str) -> bool {
        self.stamp(path).is_some_and(|stamp| !stamp.is_dir)
    }

    /// Whether the file at the path has an end: it is no pipe, device or socket.
    fn is_regular(&self, path: &str) -> bool {
        self.is_file(path)
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
#[derive(Debug, Clone, Copy)]
pub struct Command<'a> {
    /// The executable.
    pub program: &'a str,
    /// Its arguments.
    pub arguments: &'a [&'a str],
    /// The directory it starts in, if not the present one.
    pub directory: Option<&'a str>,
    /// What it reads from standard input. Unlike arguments, nobody else on the machine sees it.
    pub input: &'a [u8],
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

/// Joins a directory and a path; an absolute path stands alone.
pub fn join(directory: &str, path: &str) -> String {
    if directory.is_empty() || path.starts_with('/') {
        return path.to_owned();
    }
    if path.is_empty() {
        return directory.to_owned();
    }
    let separator = if directory.ends_with('/') { "" } else { "/" };
    format!("{directory}{separator}{path}")
}

/// An absolute path in its simplest form: `.` and `..` resolved, no doubled or trailing slashes.
pub fn expand(directory: &str, path: &str) -> String {
    let joined = join(directory, path);
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
    }
}
