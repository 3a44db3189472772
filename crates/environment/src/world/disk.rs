//! The world as it is: the machine's files, clock and processes.

use std::io;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;

use super::run::{Limits, run};
use super::{Command, Entry, Output, Stamp, World};

/// What a command may take that code runs: `generate`, a classifier, `config_version`. A catalog that takes longer is of
/// no use to anybody, and output that is larger is no value.
const LIMITS: Limits = Limits { time: Duration::from_secs(300), output: 64 << 20 };

/// The machine this program runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl World for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Stamp { modified: metadata.modified().ok(), length: metadata.len(), is_dir: metadata.is_dir() })
    }

    /// Names that are not UTF-8 are left out: no Puppet name can refer to them.
    fn is_regular(&self, path: &str) -> bool {
        std::fs::metadata(path).is_ok_and(|it| it.is_file())
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let kind = entry.file_type()?;
            // Only a link needs a second look at the disk.
            let is_dir =
                kind.is_dir() || kind.is_symlink() && std::fs::metadata(entry.path()).is_ok_and(|it| it.is_dir());
            entries.push(Entry { name, is_dir, is_link: kind.is_symlink() });
        }
        entries.sort();
        Ok(entries)
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn utc_offset(&self) -> i32 {
        TimeZone::system().to_offset(jiff::Timestamp::now()).seconds()
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        Ok(getrandom::fill(bytes)?)
    }

    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        run(command, LIMITS)
    }

    fn current_dir(&self) -> String {
        // Without one, relative paths stay as they are.
        std::env::current_dir()
            .ok()
            .and_then(|directory| directory.into_os_string().into_string().ok())
            .unwrap_or_default()
    }

    fn variable(&self, name: &str) -> Option<String> {
        // The standard library refuses such names by panicking.
        if name.is_empty() || name.contains(['=', '\0']) {
            return None;
        }
        std::env::var(name).ok()
    }

    #[cfg(unix)]
    fn is_privileged(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
    }

    #[cfg(not(unix))]
    fn is_privileged(&self) -> bool {
        false
    }
}
