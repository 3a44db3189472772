//! Files for agents: which directory stands behind a mount, what is in it, and what is known about each file.

mod checksum;
mod metadata;
mod mount;
mod search;

pub(crate) use checksum::{Checksums, Kind, Stamp, stamp};
pub(crate) use metadata::{Links, Metadata, Permissions, Wanted};
pub(crate) use mount::Mounts;
pub(crate) use search::{Search, search};
