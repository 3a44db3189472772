//! The world of a case: its files are in memory; the modules that it names and does not bring along are on the disk.

use std::collections::BTreeSet;
use std::io;
use std::time::SystemTime;

use bunraku::world::{Command, Entry, Output, Stamp};
use bunraku::{Disk, Memory, World};

/// Files in memory, in front of some of the machine.
pub(super) struct Layered {
    memory: Memory,
    behind: Behind,
}

/// What is seen of the disk.
enum Behind {
    Everything,
    /// Some modules of a directory. As the recorder links them, entry by entry: what the case itself has counts, other entries
    /// are the disk's.
    Modules {
        directory: String,
        names: BTreeSet<String>,
    },
}

impl Layered {
    /// A world over everything on the disk.
    pub(super) fn over_disk() -> Layered {
        Layered { memory: Memory::default(), behind: Behind::Everything }
    }

    /// A world over those of the modules that are installed in a directory.
    pub(super) fn over_modules<'n>(directory: &str, names: impl IntoIterator<Item = &'n str>) -> Layered {
        let is_installed = |name: &&str| Disk.is_dir(&format!("{directory}/{name}/lib"));
        let names = names.into_iter().filter(is_installed).map(str::to_owned).collect();
        Layered { memory: Memory::default(), behind: Behind::Modules { directory: directory.to_owned(), names } }
    }

    /// Writes a file of the case; `path` begins with `modules/` if it is in a module.
    pub(super) fn write(&self, path: &str, content: &str) {
        let in_module = path.strip_prefix("modules/").and_then(|path| Some((path.split_once('/')?.0, path)));
        match (&self.behind, in_module) {
            (Behind::Modules { directory, names }, Some((module, path))) if names.contains(module) => {
                self.memory.write(&format!("{directory}/{path}"), content);
            }
            _ => self.memory.write(&format!("/production/{path}"), content),
        }
    }

    fn layer(&self, path: &str) -> &dyn World {
        if self.is_on_disk(path) { &Disk } else { &self.memory }
    }

    fn is_on_disk(&self, path: &str) -> bool {
        match &self.behind {
            Behind::Everything => self.memory.stamp(path).is_none(),
            Behind::Modules { directory, names } => {
                let rest = path.strip_prefix(directory.as_str()).and_then(|path| path.strip_prefix('/'));
                let mut parts = rest.into_iter().flat_map(|path| path.split('/'));
                let (Some(module), Some(entry)) = (parts.next(), parts.next()) else { return false };
                names.contains(module) && self.memory.stamp(&format!("{directory}/{module}/{entry}")).is_none()
            }
        }
    }
}

impl World for Layered {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.layer(path).read(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.layer(path).stamp(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.layer(directory).list(directory)
    }

    fn now(&self) -> SystemTime {
        self.memory.now()
    }

    fn utc_offset(&self) -> i32 {
        self.memory.utc_offset()
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.memory.random(bytes)
    }

    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        self.memory.run(command)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.memory.variable(name)
    }

    fn current_dir(&self) -> String {
        self.memory.current_dir()
    }

    fn is_privileged(&self) -> bool {
        self.memory.is_privileged()
    }
}
