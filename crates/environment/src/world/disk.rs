//! The world as it is: the machine's files, clock and processes.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
#[cfg(unix)]
use rustix::{fs::OFlags, io::Errno};

use super::run::{Limits, run};
use super::{Channel, Command, Entry, LARGEST_FILE, Output, Stamp, World};

/// What a command may take that code runs: `generate`, a classifier, `config_version`. A catalog that takes longer is of
/// no use to anybody, and output that is larger is no value.
const LIMITS: Limits = Limits { time: Duration::from_secs(300), output: 64 << 20 };

/// The machine this program runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Disk {
    /// The bytes of a file that the user names, as [`World::read_named`] gives them; the path need not be UTF-8.
    pub fn read_path(&self, path: &Path) -> io::Result<Vec<u8>> {
        let is_descriptor = path == "/dev/stdin" || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
        if is_descriptor { read_whole(File::open(path)?, 0) } else { read_regular(path) }
    }
}

impl World for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read_regular(path.as_ref())
    }

    fn read_named(&self, path: &str) -> io::Result<Vec<u8>> {
        self.read_path(path.as_ref())
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Stamp {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            is_dir: metadata.is_dir(),
            version: version(&metadata),
        })
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        // No file can be at such a path, whatever there is.
        let is_impossible = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput) || is_endless(error)
        };
        match std::fs::exists(path) {
            Err(error) if is_impossible(&error) => Ok(false),
            result => result,
        }
    }

    fn is_dangling(&self, path: &str) -> bool {
        std::fs::symlink_metadata(path).is_ok()
    }

    /// Names that are not UTF-8 are left out: no Puppet name can refer to them.
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

    fn ask_server(
        &self,
        server: &str,
        port: u16,
        message: &[u8],
        channel: Channel,
        wait: Duration,
    ) -> io::Result<Vec<u8>> {
        super::server::ask(server, port, message, channel, wait)
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

    fn variables(&self) -> Vec<(String, String)> {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let mut variables: Vec<_> = std::env::vars_os().filter_map(text).collect();
        variables.sort();
        variables
    }

    #[cfg(unix)]
    fn files(&self) -> Option<&dyn super::Files> {
        Some(self)
    }

    #[cfg(unix)]
    fn machine(&self) -> Option<&dyn super::Machine> {
        Some(self)
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

/// The bytes of a file that is known to have an end.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    // To open a device may do something, so it is looked at first.
    refuse_endless(&std::fs::metadata(path)?)?;
    let mut options = File::options();
    options.read(true);
    // What was put there since then must not make the program wait.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, OFlags::NONBLOCK.bits().cast_signed());
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    refuse_endless(&metadata)?;
    read_whole(file, metadata.len())
}

/// All that is in a file.
fn read_whole(file: File, length: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {LARGEST_FILE} bytes"));
    if length > LARGEST_FILE {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE { Err(too_large()) } else { Ok(bytes) }
}

/// Refuses pipes, sockets and devices, except for the device that is always empty.
fn refuse_endless(metadata: &Metadata) -> io::Result<()> {
    match metadata.is_file() || is_null_device(metadata) {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Err(io::Error::other("not a regular file")),
    }
}

#[cfg(unix)]
fn is_null_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let is_same = |null: Metadata| null.rdev() == metadata.rdev();
    metadata.file_type().is_char_device() && std::fs::metadata("/dev/null").is_ok_and(is_same)
}

/// Whether a path is too long, or a link in it leads to itself.
#[cfg(unix)]
fn is_endless(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::LOOP | Errno::NAMETOOLONG))
}

#[cfg(not(unix))]
fn is_endless(_: &io::Error) -> bool {
    false
}

#[cfg(not(unix))]
fn is_null_device(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn version(metadata: &Metadata) -> (u64, i128) {
    use std::os::unix::fs::MetadataExt;
    (metadata.ino(), i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec()))
}

#[cfg(not(unix))]
fn version(_: &Metadata) -> (u64, i128) {
    (0, 0)
}
