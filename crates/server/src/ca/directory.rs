//! The files of an authority: where they are, who may read them, and how they are changed.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use bunraku::whole_file;

/// Files with private keys.
pub(crate) const PRIVATE: u32 = 0o640;
/// Everything else.
pub(crate) const PUBLIC: u32 = 0o644;

/// The directory of an authority.
#[derive(Debug, Clone)]
pub(crate) struct Directory(PathBuf);

/// As long as this lives nobody else changes the directory.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Directory {
    pub(crate) fn new(path: &str) -> Directory {
        Directory(PathBuf::from(path))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Makes the directory and those for requests and certificates.
    pub(crate) fn create(&self) -> io::Result<()> {
        for name in ["", "requests", "signed"] {
            create_directory(&self.0.join(name))?;
        }
        Ok(())
    }

    /// Waits until nobody else changes the directory. A process that ends lets go of it, however it ends.
    pub(crate) fn lock(&self) -> io::Result<Lock> {
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).mode(PRIVATE).open(self.path(".lock"))?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
        Ok(Lock { _file: file })
    }

    pub(crate) fn read(&self, name: &str) -> io::Result<String> {
        std::fs::read_to_string(self.path(name))
    }

    /// Replaces a file as a whole.
    pub(crate) fn write(&self, name: &str, text: &str, mode: u32) -> io::Result<()> {
        write(&self.path(name), text, mode)
    }

    /// Removes a file; whether there was one.
    pub(crate) fn remove(&self, name: &str) -> io::Result<bool> {
        match std::fs::remove_file(self.path(name)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The names in one of the two directories of certificates and requests, sorted.
    pub(crate) fn names(&self, directory: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.path(directory))? {
            let file = entry?.file_name();
            names.extend(file.to_str().and_then(|file| file.strip_suffix(".pem")).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// Takes the next serial. Whatever happens afterwards, nobody gets it again.
    pub(crate) fn next_serial(&self, _: &Lock) -> io::Result<u64> {
        let text = self.read("serial")?;
        let wrong = || io::Error::other(format!("{} is not a hexadecimal number", self.path("serial").display()));
        let serial = u64::from_str_radix(text.trim().trim_start_matches("0x"), 16).map_err(|_| wrong())?;
        let next = serial.checked_add(1).ok_or_else(wrong)?;
        self.write("serial", &format!("{next:04X}"), PUBLIC)?;
        Ok(serial)
    }

    /// Makes sure that no serial below this one is given out.
    pub(crate) fn raise_serial(&self, least: u64, _: &Lock) -> io::Result<()> {
        let next = self.read("serial").ok();
        let next = next.and_then(|text| u64::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok());
        match next {
            Some(next) if next >= least => Ok(()),
            _ => self.write("serial", &format!("{least:04X}"), PUBLIC),
        }
    }

    /// Adds a line to the inventory.
    pub(crate) fn add_to_inventory(&self, line: &str, _: &Lock) -> io::Result<()> {
        append_line(&self.path("inventory.txt"), line, PUBLIC)
    }
}

/// Adds a line to a file. A line that an earlier process could not finish is left alone; one that there is no space for
/// leaves the file as it was.
pub(crate) fn append_line(path: &Path, line: &str, mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).read(true).mode(mode).open(path)?;
    let length = file.metadata()?.len();
    let mut last = [b'\n'];
    if length > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let separator = if last == *b"\n" { "" } else { "\n" };
    let text = format!("{separator}{line}\n");
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        // Others append to the file, too: only what is known to be half a line is taken back.
        if file.metadata().is_ok_and(|found| found.len() < length + text.len() as u64) {
            // The failure is told; what else fails adds nothing to that.
            _ = file.set_len(length);
        }
    })
}

/// Makes a directory, and those above it, that only its owner and group may enter.
pub(crate) fn create_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o750).create(path)
}

/// Replaces a file as a whole. Where the administrator writes into somebody else's directory, the file becomes theirs.
pub(crate) fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let owner = path.parent().and_then(|parent| std::fs::metadata(parent).ok()).map(|found| (found.uid(), found.gid()));
    whole_file::write_for(path, text.as_bytes(), |file| {
        file.set_permissions(std::fs::Permissions::from_mode(mode))?;
        match owner {
            Some((user, group)) if rustix::process::geteuid().is_root() => {
                std::os::unix::fs::fchown(file, Some(user), Some(group))
            }
            _ => Ok(()),
        }
    })
}
