//! What the kernel tells of the machine by system calls, for which there are no files to read.

use std::io;
use std::net::IpAddr;

/// The answers of the kernel. A world of files alone has none.
pub trait Machine {
    /// How kernel and hardware are called.
    fn uname(&self) -> Option<Uname>;

    /// Who runs this program.
    fn account(&self) -> Option<Account>;

    /// The interfaces of the network with their addresses, in the order of the kernel.
    fn interfaces(&self) -> io::Result<Vec<Interface>>;

    /// How large a mounted file system is. One that does not answer, such as that of a server that is gone, is an error.
    fn file_system(&self, path: &str) -> io::Result<FileSystem>;

    /// The abbreviation of the time zone at present.
    fn time_zone(&self) -> Option<String>;

    /// Whether this program may run a file.
    fn is_executable(&self, path: &str) -> bool;
}

/// How kernel and hardware are called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uname {
    /// The kernel: `Linux`.
    pub kernel: String,
    /// The name of the host, with or without its domain.
    pub host: String,
    /// The release of the kernel.
    pub release: String,
    /// How the kernel was built.
    pub version: String,
    /// The hardware: `x86_64`.
    pub machine: String,
}

/// A user, and the group that is the user's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// Number of the user.
    pub uid: u32,
    /// Name of the user.
    pub user: String,
    /// Number of the group.
    pub gid: u32,
    /// Name of the group, if it has one.
    pub group: Option<String>,
}

/// An interface of the network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interface {
    /// Its name, or the label of its addresses.
    pub name: String,
    /// Its number, if it is an interface and not a label.
    pub index: Option<usize>,
    /// Its hardware address, as it is written.
    pub mac: Option<String>,
    /// Addresses with their masks.
    pub addresses: Vec<(IpAddr, IpAddr)>,
}

/// How large a file system is, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileSystem {
    /// All of it.
    pub size: u64,
    /// What nobody uses.
    pub free: u64,
    /// What users other than the administrator may use of it.
    pub available: u64,
}
