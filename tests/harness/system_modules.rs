//! The files of a case over the modules that are installed on this system.
//!
//! The recorder links every module that a case has only by name to the one of the system, entry by entry. So it is here: what the case
//! itself has counts, other entries of such a module are the system's.

use std::collections::BTreeSet;
use std::io;
use std::time::SystemTime;

use bunraku::world::{Command, Entry, Output, Stamp};
use bunraku::{Disk, Memory, World};

/// A world in memory with some modules of the disk.
pub(super) struct SystemModules {
    memory: Memory,
    /// The directory of the modules on the disk.
    directory: String,
    /// The modules that are seen.
    modules: BTreeSet<String>,
}

impl SystemModules {
    /// A world with those of the modules that are installed in a directory.
    pub(super) fn new<'n>(directory: &str, names: impl IntoIterator<Item = &'n str>) -> SystemModules {
        let is_installed = |name: &&str| Disk.is_dir(&format!("{directory}/{name}/lib"));
        let modules = names.into_iter().filter(is_installed).map(str::to_owned).collect();
        SystemModules { memory: Memory::default(), directory: directory.to_owned(), modules }
    }

    /// Whether a module is one of the system's.
    pub(super) fn has(&self, module: &str) -> bool {
        self.modules.contains(module)
    }

    /// Writes a file of the case; `path` begins with `modules/` if it is in a module.
    pub(super) fn write(&self, path: &str, content: &str) {
        let in_module = path.strip_prefix("modules/").and_then(|path| Some((path.split_once('/')?.0, path)));
        match in_module {
            Some((module, path)) if self.has(module) => {
                self.memory.write(&format!("{}/{path}", self.directory), content)
            }
            _ => self.memory.write(&format!("/production/{path}"), content),
        }
    }

    /// Whether a path is the disk's: in a module of the system, below an entry that the case does not have.
    fn is_on_disk(&self, path: &str) -> bool {
        let Some(path) = path.strip_prefix(&self.directory).and_then(|path| path.strip_prefix('/')) else {
            return false;
        };
        let mut parts = path.split('/');
        let (Some(module), Some(entry)) = (parts.next(), parts.next()) else { return false };
        self.has(module) && self.memory.stamp(&format!("{}/{module}/{entry}", self.directory)).is_none()
    }
}

impl World for SystemModules {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if self.is_on_disk(path) { Disk.read(path) } else { self.memory.read(path) }
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        if self.is_on_disk(path) { Disk.stamp(path) } else { self.memory.stamp(path) }
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        if self.is_on_disk(directory) { Disk.list(directory) } else { self.memory.list(directory) }
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
