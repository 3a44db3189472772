//! Changes to the machine's files.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::time::{Duration, UNIX_EPOCH};

use super::Disk;
use super::files::{Access, Details, FileKind, Files, Writing};

impl Files for Disk {
    fn details(&self, path: &str, follows: bool) -> io::Result<Details> {
        let metadata = if follows { fs::metadata(path)? } else { fs::symlink_metadata(path)? };
        let kind = metadata.file_type();
        let kind = match kind {
            _ if kind.is_dir() => FileKind::Directory,
            _ if kind.is_symlink() => FileKind::Link,
            _ if kind.is_fifo() => FileKind::Pipe,
            _ if kind.is_socket() => FileKind::Socket,
            _ if kind.is_block_device() => FileKind::BlockDevice,
            _ if kind.is_char_device() => FileKind::CharacterDevice,
            _ => FileKind::File,
        };
        Ok(Details {
            kind,
            size: metadata.size(),
            mode: metadata.mode(),
            uid: metadata.uid(),
            gid: metadata.gid(),
            inode: metadata.ino(),
            links: metadata.nlink(),
            modified: since_1970(metadata.mtime(), metadata.mtime_nsec()),
            accessed: since_1970(metadata.atime(), metadata.atime_nsec()),
            changed: since_1970(metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    fn may(&self, path: &str, access: Access) -> bool {
        let access = match access {
            Access::Read => rustix::fs::Access::READ_OK,
            Access::Write => rustix::fs::Access::WRITE_OK,
            Access::Run => rustix::fs::Access::EXEC_OK,
        };
        rustix::fs::access(path, access).is_ok()
    }

    fn write(&self, path: &str, bytes: &[u8], writing: Writing) -> io::Result<()> {
        let mut options = fs::File::options();
        options.write(true).create(true).mode(writing.mode);
        options.append(writing.appends).truncate(!writing.appends).create_new(writing.is_new);
        options.open(path)?.write_all(bytes)
    }

    fn create_directory(&self, path: &str, mode: u32) -> io::Result<()> {
        fs::DirBuilder::new().mode(mode).create(path)
    }

    fn remove_file(&self, path: &str) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_directory(&self, path: &str) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn set_mode(&self, path: &str, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    }

    fn set_owner(&self, path: &str, user: Option<u32>, group: Option<u32>) -> io::Result<()> {
        std::os::unix::fs::chown(path, user, group)
    }

    fn set_modified(&self, path: &str, time: Duration) -> io::Result<()> {
        fs::File::options().write(true).open(path)?.set_modified(UNIX_EPOCH + time)
    }

    fn link(&self, target: &str, path: &str) -> io::Result<()> {
        std::os::unix::fs::symlink(target, path)
    }

    fn read_link(&self, path: &str) -> io::Result<String> {
        Ok(fs::read_link(path)?.to_string_lossy().into_owned())
    }

    fn real_path(&self, path: &str) -> io::Result<String> {
        Ok(fs::canonicalize(path)?.to_string_lossy().into_owned())
    }
}

/// A time of the system; what was before 1970 counts as then.
fn since_1970(seconds: i64, nanoseconds: i64) -> Duration {
    let (seconds, nanoseconds) = (u64::try_from(seconds), u32::try_from(nanoseconds));
    Duration::new(seconds.unwrap_or_default(), nanoseconds.unwrap_or_default().min(999_999_999))
}
