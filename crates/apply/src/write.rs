//! Writes files that are whole or not there.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::place::Place;

/// Writes a file anew that is there: it keeps its owner and permissions, and links to it stay.
pub(crate) fn rewrite(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let old = fs::symlink_metadata(&path)?;
    let place = Place::of(&path)?;
    let mut part = match place.begin() {
        // Who may write the file but not the directory has no other way.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return place.overwrite(text.as_bytes()),
        begun => begun?,
    };
    part.file().write_all(text.as_bytes())?;
    let bits = old.mode() & 0o7777;
    match part.belong((Some(old.uid()), Some(old.gid())), bits) {
        // Who may not give files to the group leaves this one to the own group.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => part.belong((Some(old.uid()), None), bits)?,
        belongs => belongs?,
    }
    part.finish()
}

/// Writes a file of the program's own, all at once.
pub(crate) fn replace(path: &Path, text: &str, bits: u32) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    create(path, text, bits)
}

/// Writes a file all at once, in a directory that is there.
pub(crate) fn create(path: &Path, text: &str, bits: u32) -> io::Result<()> {
    let place = Place::of(path)?;
    let mut part = place.begin()?;
    part.file().write_all(text.as_bytes())?;
    part.belong((None, None), bits)?;
    part.finish()
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
