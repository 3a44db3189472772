//! A world made of text: files in memory, a clock that stands still, no processes. Randomness alone is real, unless told
//! otherwise: passwords are made of it.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Command, Disk, Entry, Output, Stamp, World, expand};

/// Files in memory, for tests, examples and embedding. Relative paths start at the root `/`.
#[derive(Debug, Default)]
pub struct Memory {
    files: RwLock<BTreeMap<String, File>>,
    /// How many writes there have been; stands for a time in stamps.
    writes: AtomicU64,
    variables: BTreeMap<String, String>,
    now: Duration,
    utc_offset: i32,
    /// What stands for random bytes, and how many were taken.
    random: Vec<u8>,
    random_taken: AtomicUsize,
}

#[derive(Debug)]
struct File {
    content: Vec<u8>,
    /// Which write it was.
    version: u64,
}

impl Memory {
    /// Writes a file, in place of one with the same path.
    pub fn write(&self, path: &str, content: impl Into<Vec<u8>>) {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        let path = expand("/", path);
        let version = self.next_version();
        let content = content.into();
        files.insert(path, File { content, version });
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.remove(&expand("/", path));
        self.next_version();
    }

    fn next_version(&self) -> u64 {
        self.writes.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets the time, given since the epoch.
    #[must_use]
    pub fn with_time(mut self, since_epoch: Duration) -> Self {
        self.now = since_epoch;
        self
    }

    /// Sets the time zone, by the seconds it is ahead of UTC.
    #[must_use]
    pub fn with_utc_offset(mut self, seconds: i32) -> Self {
        self.utc_offset = seconds;
        self
    }

    /// Gives these bytes, over and over, in place of random ones, so that what is made of them can be compared.
    #[must_use]
    pub fn with_random(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.random = bytes.into();
        self
    }

    fn entries(&self, directory: &str) -> Vec<Entry> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let prefix = match expand("/", directory).as_str() {
            "/" => "/".to_owned(),
            directory => format!("{directory}/"),
        };
        let mut entries: Vec<Entry> = Vec::new();
        for path in files.range(prefix.clone()..).map(|(path, _)| path) {
            let Some(rest) = path.strip_prefix(&prefix) else {
                break;
            };
            let (name, is_dir) = match rest.split_once('/') {
                Some((name, _)) => (name.to_owned(), true),
                None => (rest.to_owned(), false),
            };
            if entries.last().is_none_or(|last| last.name != name) {
                entries.push(Entry { name, is_dir, is_link: false });
            }
        }
        entries.sort();
        entries.dedup();
        entries
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Memory {
    fn from(files: [(&str, &str); N]) -> Self {
        files.into_iter().collect()
    }
}

impl<P: AsRef<str>, C: Into<Vec<u8>>> FromIterator<(P, C)> for Memory {
    fn from_iter<I: IntoIterator<Item = (P, C)>>(files: I) -> Self {
        let memory = Memory::default();
        for (path, content) in files {
            memory.write(path.as_ref(), content);
        }
        memory
    }
}

impl World for Memory {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        match files.get(&expand("/", path)) {
            Some(file) => Ok(file.content.clone()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = files.get(&expand("/", path)) {
            return Some(Stamp {
                modified: Some(UNIX_EPOCH + Duration::from_secs(file.version)),
                length: file.content.len() as u64,
                is_dir: false,
                version: (file.version, 0),
            });
        }
        drop(files);
        let entries = self.entries(path);
        (!entries.is_empty()).then_some(Stamp {
            // Any write may have changed any directory.
            modified: Some(UNIX_EPOCH + Duration::from_secs(self.writes.load(Ordering::Relaxed))),
            length: entries.len() as u64,
            is_dir: true,
            version: (0, 0),
        })
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        match self.entries(directory) {
            entries if entries.is_empty() => Err(io::ErrorKind::NotFound.into()),
            entries => Ok(entries),
        }
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH + self.now
    }

    fn utc_offset(&self) -> i32 {
        self.utc_offset
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        if self.random.is_empty() {
            return Disk.random(bytes);
        }
        let start = self.random_taken.fetch_add(bytes.len(), Ordering::Relaxed) % self.random.len();
        let taken = self.random.iter().cycle().skip(start);
        bytes.iter_mut().zip(taken).for_each(|(byte, random)| *byte = *random);
        Ok(())
    }

    fn run(&self, _: &Command<'_>) -> io::Result<Output> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn current_dir(&self) -> String {
        "/".to_owned()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.variables.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn is_privileged(&self) -> bool {
        true
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn directories_follow_from_files() {
        let memory =
            Memory::from([("manifests/site.pp", "1"), ("modules/a/manifests/init.pp", ""), ("modules/a-b", "x")]);
        let names = |directory| -> Vec<String> {
            let entries = memory.list(directory).unwrap();
            entries.into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(names("/"), ["manifests", "modules"]);
        assert_eq!(names("modules"), ["a", "a-b"]);
        assert!(memory.is_dir("/modules/a"));
        assert!(memory.is_file("/manifests/./site.pp"));
        assert!(memory.list("/nowhere").is_err());
    }

    #[test]
    fn random_bytes_can_be_given() {
        let take = |memory: &Memory| {
            let mut bytes = [0; 2];
            memory.random(&mut bytes).unwrap();
            bytes
        };
        let memory = Memory::default().with_random([1, 2, 3]);
        assert_eq!([take(&memory), take(&memory)], [[1, 2], [3, 1]]);
    }

    #[test]
    fn random_bytes_are_the_system_s_otherwise() {
        let memory = Memory::default();
        let (mut one, mut other) = ([0; 32], [0; 32]);
        memory.random(&mut one).unwrap();
        memory.random(&mut other).unwrap();
        assert_ne!(one, other);
    }

    #[test]
    fn writing_changes_the_stamp() {
        let memory = Memory::from([("a.pp", "1")]);
        let before = memory.stamp("a.pp");
        memory.write("a.pp", "2");
        assert_ne!(memory.stamp("a.pp"), before);
    }
}
