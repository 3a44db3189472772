//! A world that remembers what was looked at, so that a later change is noticed.
//!
//! For most paths that are looked at there is no file: the directory that would have it tells when one comes. So no more
//! is asked of the disk to notice a change than how the files are that were read, and the directories around them.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashSet;

use super::{Channel, Command, Entry, Files, Machine, Output, Stamp, World};

/// How many paths without a file are remembered; it only saves questions.
const MOST_ABSENT: usize = 1 << 16;

/// Passes everything on to another world and keeps the stamps of the files and directories it was asked for.
pub struct Observer {
    world: Arc<dyn World>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// The files and directories that decide whether something has changed. There is nothing for a link that leads
    /// nowhere: what it leads to may come without a change of the directory it is in.
    states: BTreeMap<Arc<str>, Option<Stamp>>,
    /// Paths for which there was no file.
    absent: FxHashSet<Box<str>>,
}

impl Seen {
    fn get(&self, path: &str) -> Option<Option<Stamp>> {
        self.states.get(path).copied().or_else(|| self.absent.contains(path).then_some(None))
    }
}

impl Observer {
    /// Observes a world from now on.
    pub fn new(world: Arc<dyn World>) -> Self {
        Observer { world, seen: Mutex::default() }
    }

    /// The world behind.
    pub fn world(&self) -> &Arc<dyn World> {
        &self.world
    }

    /// Whether anything that was looked at has changed. Nobody else waits while the disk is asked.
    pub fn has_changed(&self) -> bool {
        let states: Vec<_> = self.seen().states.iter().map(|(path, stamp)| (path.clone(), *stamp)).collect();
        states.iter().any(|(path, stamp)| self.world.stamp(path) != *stamp)
    }

    /// How many files and directories are remembered.
    pub fn len(&self) -> usize {
        self.seen().states.len()
    }

    /// Whether nothing was looked at yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the stamp before the content, so that a change in between counts as a later one.
    fn see(&self, path: &str) -> Option<Stamp> {
        if let Some(known) = self.seen().get(path) {
            return known;
        }
        let mut stamp = self.world.stamp(path);
        if stamp.is_none() && !self.world.is_dangling(path) {
            if self.see_around(path) {
                // It may have come before the directory around it was looked at.
                stamp = self.world.stamp(path);
            }
            if stamp.is_none() {
                let mut seen = self.seen();
                if seen.absent.len() >= MOST_ABSENT {
                    seen.absent.clear();
                }
                seen.absent.insert(path.into());
                return None;
            }
        }
        *self.seen().states.entry(path.into()).or_insert(stamp)
    }

    fn check_existing(&self, path: &str) -> io::Result<()> {
        match self.see(path) {
            Some(_) => Ok(()),
            // Whether it is not there or not to be seen makes a difference.
            None => self.world.exists(path).and(Err(io::ErrorKind::NotFound.into())),
        }
    }

    /// Looks at the nearest directory that exists around a path; true if nobody has before.
    fn see_around(&self, path: &str) -> bool {
        let mut path = path;
        loop {
            path = match path.trim_end_matches('/').rsplit_once('/') {
                Some(("", _)) => "/",
                Some((parent, _)) => parent,
                None => ".",
            };
            let is_last = matches!(path, "/" | ".");
            {
                let seen = self.seen();
                match seen.states.contains_key(path) {
                    true => return false,
                    false if seen.absent.contains(path) => continue,
                    false => {}
                }
            }
            let stamp = self.world.stamp(path);
            if stamp.is_some() || is_last || self.world.is_dangling(path) {
                self.seen().states.entry(path.into()).or_insert(stamp);
                return true;
            }
        }
    }
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Observer").field("seen", &self.len()).finish_non_exhaustive()
    }
}

impl World for Observer {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.check_existing(path)?;
        self.world.read(path)
    }

    fn read_named(&self, path: &str) -> io::Result<Vec<u8>> {
        self.check_existing(path)?;
        self.world.read_named(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.see(path)
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        match self.see(path) {
            Some(_) => Ok(true),
            None => self.world.exists(path),
        }
    }

    fn is_dangling(&self, path: &str) -> bool {
        self.world.is_dangling(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.check_existing(directory)?;
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

    fn ask_server(
        &self,
        server: &str,
        port: u16,
        message: &[u8],
        channel: Channel,
        wait: Duration,
    ) -> io::Result<Vec<u8>> {
        self.world.ask_server(server, port, message, channel, wait)
    }

    fn current_dir(&self) -> String {
        self.world.current_dir()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.world.variables()
    }

    fn files(&self) -> Option<&dyn Files> {
        self.world.files()
    }

    fn machine(&self) -> Option<&dyn Machine> {
        self.world.machine()
    }

    fn is_privileged(&self) -> bool {
        self.world.is_privileged()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::world::Disk;

    #[test]
    fn what_comes_later_is_noticed() {
        let root = std::env::temp_dir().join(format!("bunraku-observer-{}", std::process::id()));
        let root = root.to_str().unwrap();
        let check = |before: &dyn Fn(), look: &str, change: &dyn Fn(), expected: bool| {
            let _ = std::fs::remove_dir_all(root);
            std::fs::create_dir_all(format!("{root}/data/nodes")).unwrap();
            std::fs::write(format!("{root}/file"), "1").unwrap();
            before();
            let observer = Observer::new(Arc::new(Disk));
            observer.stamp(&format!("{root}/{look}"));
            assert!(!observer.has_changed(), "{look}");
            change();
            assert_eq!(observer.has_changed(), expected, "{look}");
        };
        let write = |path: &'static str| move || std::fs::write(format!("{root}/{path}"), "new").unwrap();
        check(&|| (), "file", &write("file"), true);
        check(&|| (), "file", &write("other"), false);
        check(&|| (), "data/nodes/a.yaml", &write("data/nodes/a.yaml"), true);
        check(&|| (), "data/none/below/a.yaml", &write("data/none"), true);
        check(&|| (), "data/none/below/a.yaml", &write("other"), false);
        check(&|| (), "file/below", &write("file"), true);
        let link = || std::os::unix::fs::symlink(format!("{root}/target"), format!("{root}/data/link")).unwrap();
        check(&link, "data/link", &write("target"), true);
        check(&link, "data/link/below", &write("target"), true);
        let replace = || std::fs::rename(format!("{root}/data"), format!("{root}/file2")).unwrap();
        check(&|| (), "data/x", &replace, true);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn paths_without_files_do_not_pile_up() {
        let observer = Observer::new(Arc::new(Disk));
        for number in 0..3 * MOST_ABSENT {
            observer.stamp(&format!("/nowhere/{number}"));
        }
        assert_eq!(observer.len(), 1);
        assert!(observer.seen().absent.len() <= MOST_ABSENT);
    }
}
