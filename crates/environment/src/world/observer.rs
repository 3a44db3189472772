//! A world that remembers what was looked at, so that a later change is noticed.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::{Command, Entry, Output, Stamp, World};

/// Passes everything on to another world and keeps the stamps of the files and directories it was asked for.
pub struct Observer {
    world: Arc<dyn World>,
    seen: Mutex<Seen>,
}

/// Stamps by path. There are many, for most of which there is no file: a table of hashes would leave half of its room empty.
type Seen = BTreeMap<Box<str>, Option<Stamp>>;

impl Observer {
    /// Observes a world from now on.
    pub fn new(world: Arc<dyn World>) -> Self {
        Observer { world, seen: Mutex::default() }
    }

    /// The world behind.
    pub fn world(&self) -> &Arc<dyn World> {
        &self.world
    }

    /// Whether the path is in the state it was in when it was first looked at.
    pub fn is_unchanged(&self, path: &str) -> bool {
        let seen = self.seen().get(path).copied();
        seen.is_some_and(|stamp| stamp == self.world.stamp(path))
    }

    /// Whether anything that was looked at has changed.
    pub fn has_changed(&self) -> bool {
        self.seen().iter().any(|(path, stamp)| self.world.stamp(path) != *stamp)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the stamp before the content, so that a change in between counts as a later one.
    fn see(&self, path: &str) -> Option<Stamp> {
        if let Some(stamp) = self.seen().get(path) {
            return *stamp;
        }
        let stamp = self.world.stamp(path);
        *self.seen().entry(path.into()).or_insert(stamp)
    }
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Observer").field("seen", &self.seen().len()).finish_non_exhaustive()
    }
}

impl World for Observer {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.see(path).ok_or(io::ErrorKind::NotFound)?;
        self.world.read(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.see(path)
    }

    fn is_regular(&self, path: &str) -> bool {
        self.world.is_regular(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.see(directory).ok_or(io::ErrorKind::NotFound)?;
        self.world.list(directory)
    }

    fn now(&self) -> SystemTime {
        self.world.now()
    }

    fn utc_offset(&self) -> i32 {
        self.world.utc_offset()
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.world.random(bytes)
    }

    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        self.world.run(command)
    }

    fn current_dir(&self) -> String {
        self.world.current_dir()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn is_privileged(&self) -> bool {
        self.world.is_privileged()
    }
}
