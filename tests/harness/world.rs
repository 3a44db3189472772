//! The world of a case: its files are in memory; the modules that it names and does not bring along are on the disk.

use std::io;
use std::time::SystemTime;

use bunraku::world::{Command, Entry, Output, Stamp};
use bunraku::{Disk, World};

use super::system_modules::SystemModules;

/// Files in memory, in front of those of the machine.
pub(super) struct Layered(pub(super) SystemModules);

impl Layered {
    fn layer(&self, path: &str) -> &dyn World {
        if self.0.stamp(path).is_some() { &self.0 } else { &Disk }
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
        self.0.now()
    }

    fn utc_offset(&self) -> i32 {
        self.0.utc_offset()
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.0.random(bytes)
    }

    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        self.0.run(command)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.0.variable(name)
    }

    fn current_dir(&self) -> String {
        self.0.current_dir()
    }

    fn is_privileged(&self) -> bool {
        self.0.is_privileged()
    }
}
