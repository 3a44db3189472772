//! Writes files that are whole or not there, and nobody else's to touch before they are in place.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A new file next to the one it is to replace, of a name nobody can foresee. It is created, never opened.
pub(crate) fn begin(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let mut random = [0; 6];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let random: String = random.iter().map(|byte| char::from(b'a' + byte % 26)).collect();
        let day = jiff::Zoned::now().strftime("%Y%m%d").to_string();
        let part = path.with_file_name(format!("{name}{day}-{}-{random}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writes a file anew that is there: it keeps its owner and permissions, and links to it stay.
pub(crate) fn rewrite(path: &Path, text: &str) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let path = std::fs::canonicalize(path)?;
    let old = std::fs::metadata(&path)?;
    let (part, mut file) = begin(&path)?;
    let written = fchown(&file, Some(old.uid()), Some(old.gid()))
        .and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.set_permissions(old.permissions()))
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&part, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Writes a file of the program's own, all at once.
pub(crate) fn replace(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    create(path, text, mode)
}

/// Writes a file all at once, in a directory that is there.
pub(crate) fn create(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let (part, mut file) = begin(path)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| Ok(rustix::fs::fchmod(&file, crate::execution::mode(mode))?))
        .and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Does something to files as another user, with nothing that only this user may do.
pub(crate) fn as_user(uid: u32, gid: u32, act: impl FnOnce() -> io::Result<()> + Send) -> io::Result<()> {
    use rustix::process::{Gid, Uid};
    let is_own = rustix::process::geteuid().as_raw() == uid;
    let drop_privileges = move || -> io::Result<()> {
        let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
        rustix::thread::set_thread_groups(&[gid])?;
        rustix::thread::set_thread_res_gid(gid, gid, gid)?;
        rustix::thread::set_thread_res_uid(uid, uid, uid)?;
        Ok(())
    };
    if is_own {
        return act();
    }
    // Who a thread is counts for that thread alone, and this one ends here.
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| drop_privileges().and_then(|()| act()));
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread of another user broke down")))
    })
}
