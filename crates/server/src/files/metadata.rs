//! What an agent is told about a file before it asks for its content.

use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use serde_json::{Value as Json, json};

use super::{Checksums, Kind};

/// What is done about links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Manage,
    Follow,
}

/// Whose permissions are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permissions {
    /// Those of the server's own files.
    Ignore,
    /// Those of the file.
    Use,
}

/// What is wanted about files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) links: Links,
    pub(crate) permissions: Permissions,
    pub(crate) checksum: Kind,
}

/// What is known about a file.
#[derive(Debug)]
pub(crate) struct Metadata {
    path: String,
    relative_path: Option<String>,
    links: Links,
    owner: u32,
    group: u32,
    mode: u32,
    checksum: (Kind, String),
    kind: &'static str,
    destination: Option<String>,
}

impl Metadata {
    /// What is known about the file at a path, which is told with the path of the root that it was found below.
    pub(crate) fn read(
        root: &str,
        relative_path: Option<&str>,
        wanted: Wanted,
        checksums: &Checksums,
    ) -> io::Result<Metadata> {
        let full = match relative_path {
            None | Some(".") => root.to_owned(),
            Some(relative) => format!("{root}/{relative}"),
        };
        let full = Path::new(&full);
        let found = match wanted.links {
            Links::Manage => std::fs::symlink_metadata(full)?,
            Links::Follow => std::fs::metadata(full)?,
        };
        let file_type = found.file_type();
        let (kind, checksum, destination) = if file_type.is_dir() {
            ("directory", (Kind::ChangedTime, checksums.of(full, &found, Kind::ChangedTime)?), None)
        } else if file_type.is_symlink() {
            let destination = std::fs::read_link(full)?.display().to_string();
            // A link that leads nowhere has no content to be summed up.
            let target = std::fs::metadata(full).ok().filter(std::fs::Metadata::is_file);
            let value = target.map(|target| checksums.of(full, &target, wanted.checksum)).transpose()?;
            ("link", (wanted.checksum, value.unwrap_or_default()), Some(destination))
        } else if file_type.is_file() {
            ("file", (wanted.checksum, checksums.of(full, &found, wanted.checksum)?), None)
        } else {
            let kind = if file_type.is_fifo() { "fifo" } else { "special file" };
            return Err(io::Error::other(format!("{} is a {kind}", full.display())));
        };
        let (owner, group, mode) = match wanted.permissions {
            Permissions::Use => (found.uid(), found.gid(), found.mode() & 0o7777),
            Permissions::Ignore => (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw(), 0o644),
        };
        let (path, relative_path) = (root.to_owned(), relative_path.map(str::to_owned));
        Ok(Metadata { path, relative_path, links: wanted.links, owner, group, mode, checksum, kind, destination })
    }

    /// The path below the root, in a search.
    pub(crate) fn relative_path(&self) -> Option<&str> {
        self.relative_path.as_deref()
    }

    /// Whether there is content to be had.
    pub(crate) fn is_file(&self) -> bool {
        self.kind == "file"
    }

    pub(crate) fn to_json(&self) -> Json {
        json!({
            "path": self.path,
            "relative_path": self.relative_path,
            "links": match self.links { Links::Manage => "manage", Links::Follow => "follow" },
            "owner": self.owner,
            "group": self.group,
            "mode": self.mode,
            "checksum": { "type": self.checksum.0.name(), "value": self.checksum.1 },
            "type": self.kind,
            "destination": self.destination,
        })
    }
}
