//! Files in full: what the disk knows about them, and changes to them. Only Ruby code that modules carry asks for this.

use std::io;
use std::time::Duration;

/// Files that can be changed. A world that is only read has none.
pub trait Files {
    /// What is known of a path; of a link itself if it is not followed.
    fn details(&self, path: &str, follows: bool) -> io::Result<Details>;

    /// Whether this program may read, write or run what is at a path.
    fn may(&self, path: &str, access: Access) -> bool;

    /// Writes a file.
    fn write(&self, path: &str, bytes: &[u8], writing: Writing) -> io::Result<()>;

    /// Makes a directory.
    fn create_directory(&self, path: &str, mode: u32) -> io::Result<()>;

    /// Takes a file or link away.
    fn remove_file(&self, path: &str) -> io::Result<()>;

    /// Takes an empty directory away.
    fn remove_directory(&self, path: &str) -> io::Result<()>;

    /// Gives a file another name.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Sets who may do what with a file.
    fn set_mode(&self, path: &str, mode: u32) -> io::Result<()>;

    /// Sets whose a file is.
    fn set_owner(&self, path: &str, user: Option<u32>, group: Option<u32>) -> io::Result<()>;

    /// Sets when a file was last changed, as time since 1970.
    fn set_modified(&self, path: &str, time: Duration) -> io::Result<()>;

    /// Makes a symbolic link.
    fn link(&self, target: &str, path: &str) -> io::Result<()>;

    /// Where a link leads.
    fn read_link(&self, path: &str) -> io::Result<String>;

    /// The path without links.
    fn real_path(&self, path: &str) -> io::Result<String>;
}

/// What may be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It may be read.
    Read,
    /// It may be written.
    Write,
    /// It may be run, or a directory entered.
    Run,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writing {
    /// Behind what is there.
    pub appends: bool,
    /// Only if there is no file yet.
    pub is_new: bool,
    /// Who may do what with a new file.
    pub mode: u32,
}

/// What is known of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Details {
    /// What it is.
    pub kind: FileKind,
    /// Length in bytes.
    pub size: u64,
    /// Kind and permissions, as the system has them.
    pub mode: u32,
    /// Number of the owner.
    pub uid: u32,
    /// Number of the group.
    pub gid: u32,
    /// Number of the file.
    pub inode: u64,
    /// How many names it has.
    pub links: u64,
    /// When it was changed, as time since 1970.
    pub modified: Duration,
    /// When it was read.
    pub accessed: Duration,
    /// When anything about it changed.
    pub changed: Duration,
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device that is read in blocks.
    BlockDevice,
    /// A device that is read by characters.
    CharacterDevice,
}
