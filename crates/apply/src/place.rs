//! A name in a directory that is held open: whatever is done there is done in that directory, and a link that somebody puts
//! in the way is never followed.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::fchown;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Uid};

use crate::execution::mode;

/// A name in a directory.
#[derive(Debug)]
pub(crate) struct Place {
    directory: OwnedFd,
    name: OsString,
    path: PathBuf,
}

/// A new file that is not in its place yet. If it never gets there, it is removed.
#[derive(Debug)]
pub(crate) struct Part<'p> {
    place: &'p Place,
    name: OsString,
    file: File,
    is_placed: bool,
}

/// A name for something that is not complete, which nobody can foresee.
pub(crate) fn part_name(name: &str) -> io::Result<String> {
    let mut random = [0; 6];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let random: String = random.iter().map(|byte| char::from(b'a' + byte % 26)).collect();
    let day = jiff::Zoned::now().strftime("%Y%m%d").to_string();
    Ok(format!("{name}{day}-{}-{random}", std::process::id()))
}

impl Place {
    /// The place of a path, whose directory must be there.
    pub(crate) fn of(path: &Path) -> io::Result<Place> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::openat(CWD, parent, flags, Mode::empty())?;
        Ok(Place { directory, name, path: path.to_owned() })
    }

    fn sibling(&self) -> io::Result<OsString> {
        part_name(&self.name.to_string_lossy()).map(OsString::from)
    }

    /// Begins a new file that is to take this place. Nobody else may read it yet.
    pub(crate) fn begin(&self) -> io::Result<Part<'_>> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let name = self.sibling()?;
            match rustix::fs::openat(&self.directory, &name, flags, mode(0o600)) {
                Ok(file) => return Ok(Part { place: self, name, file: file.into(), is_placed: false }),
                Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// What is there, without following a link.
    fn handle(&self) -> io::Result<File> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.directory, &self.name, flags, Mode::empty())?.into())
    }

    /// Sets the owner and the group of what is there, of a link its own.
    pub(crate) fn chown(&self, uid: Option<u32>, gid: Option<u32>) -> io::Result<()> {
        let (uid, gid) = (uid.map(Uid::from_raw), gid.map(Gid::from_raw));
        Ok(rustix::fs::chownat(&self.directory, &self.name, uid, gid, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Sets the permissions of what is there; those of a link are left alone.
    pub(crate) fn chmod(&self, bits: u32) -> io::Result<()> {
        let found = self.handle()?;
        if found.metadata()?.is_symlink() {
            return Ok(());
        }
        // A handle that opens nothing has permissions to set only under its name in /proc.
        let named = format!("/proc/self/fd/{}", found.as_raw_fd());
        match rustix::fs::chmod(named.as_str(), mode(bits)) {
            Err(rustix::io::Errno::NOENT) => {
                let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let opened = rustix::fs::openat(&self.directory, &self.name, flags, Mode::empty())?;
                Ok(rustix::fs::fchmod(opened, mode(bits))?)
            }
            changed => Ok(changed?),
        }
    }

    /// Writes into the file that is there, not into what a link leads to.
    pub(crate) fn overwrite(&self, bytes: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::openat(&self.directory, &self.name, flags, Mode::empty())?);
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Removes what is there, if it is no directory.
    pub(crate) fn remove(&self) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.directory, &self.name, AtFlags::empty())?)
    }

    /// Puts a link here, in the place of a file or link.
    pub(crate) fn link(&self, target: &str, owner: (Option<u32>, Option<u32>)) -> io::Result<()> {
        let name = self.sibling()?;
        rustix::fs::symlinkat(target, &self.directory, &name)?;
        let (uid, gid) = (owner.0.map(Uid::from_raw), owner.1.map(Gid::from_raw));
        let placed = rustix::fs::chownat(&self.directory, &name, uid, gid, AtFlags::SYMLINK_NOFOLLOW)
            .and_then(|()| rustix::fs::renameat(&self.directory, &name, &self.directory, &self.name));
        if placed.is_err() {
            let _ = rustix::fs::unlinkat(&self.directory, &name, AtFlags::empty());
        }
        Ok(placed?)
    }

    /// Makes a directory here. Until it has its owner nobody else may enter it.
    pub(crate) fn make_directory(&self, bits: u32, owner: (Option<u32>, Option<u32>)) -> io::Result<()> {
        let has_owner = owner.0.is_some() || owner.1.is_some();
        rustix::fs::mkdirat(&self.directory, &self.name, mode(if has_owner { bits & 0o700 } else { bits }))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let made = File::from(rustix::fs::openat(&self.directory, &self.name, flags, Mode::empty())?);
        if has_owner {
            fchown(&made, owner.0, owner.1)?;
        }
        // Which permissions new directories get depends on who runs the program.
        Ok(rustix::fs::fchmod(made.as_fd(), mode(bits))?)
    }
}

impl Part<'_> {
    /// The path of the part.
    pub(crate) fn path(&self) -> PathBuf {
        self.place.path.with_file_name(&self.name)
    }

    /// The file itself.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Sets the owner and the permissions, in that order: whoever gets a file must not be able to read it before.
    pub(crate) fn belong(&self, owner: (Option<u32>, Option<u32>), bits: u32) -> io::Result<()> {
        if owner.0.is_some() || owner.1.is_some() {
            fchown(&self.file, owner.0, owner.1)?;
        }
        Ok(rustix::fs::fchmod(&self.file, mode(bits))?)
    }

    /// Puts the part into its place: what was there before is replaced at once.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        let directory = &self.place.directory;
        rustix::fs::renameat(directory, &self.name, directory, &self.place.name)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // What cannot be removed is private and has a name nobody waits for.
            let _ = rustix::fs::unlinkat(&self.place.directory, &self.name, AtFlags::empty());
        }
    }
}
