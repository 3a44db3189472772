//! `filebucket`: where copies of replaced files go, named by their checksum. It has no state of its own.

use std::path::{Path, PathBuf};

use crate::bucket;
use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::property::text_of;
use crate::resource::Given;

/// Checks what was declared.
pub(super) fn validate(given: &Given<'_>) -> Outcome {
    let paths = given.texts("path");
    if paths.len() > 1 {
        return Err(given.refuse("path", "You can only have one filebucket path"));
    }
    match paths.first() {
        Some(path) if path != "false" && !path.is_empty() && !path.starts_with('/') => {
            Err(given.refuse("path", "Filebucket paths must be absolute"))
        }
        _ => Ok(()),
    }
}

/// Where the copies of a filebucket are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bucket {
    /// A directory of this machine.
    Local(PathBuf),
    /// A server.
    Remote(String),
}

impl Bucket {
    /// The filebucket of a name; nothing if the catalog has none.
    pub(super) fn named(name: &str, context: &Context<'_>) -> Option<Bucket> {
        let own = || Bucket::Local(context.options.paths.client_bucket.clone());
        let Some(known) = context.declared.find("filebucket", name) else { return (name == "puppet").then(own) };
        let parameter = |name: &str| known.parameters.get(name).filter(|it| !it.is_undef()).map(text_of);
        Some(match (parameter("path"), parameter("server")) {
            (Some(path), _) if path.starts_with('/') => Bucket::Local(PathBuf::from(path)),
            (_, Some(server)) => Bucket::Remote(server),
            (Some(_), None) => Bucket::Remote("puppet".to_owned()),
            (None, None) => own(),
        })
    }

    /// Keeps a copy of a file; gives its checksum.
    pub(super) fn keep(&self, path: &Path) -> Outcome<String> {
        let shown = path.display();
        let wrong = |reason: String| Fault::new(format!("Could not back up {shown}: {reason}"));
        let directory = match self {
            Bucket::Local(directory) => directory,
            Bucket::Remote(server) => {
                return Err(wrong(format!(
                    "copies are not sent to the filebucket of the server {server}; give the filebucket a path"
                )));
            }
        };
        bucket::store(directory, path).map_err(|error| wrong(crate::fault::reason(&error)))
    }

    /// The content of a checksum.
    pub(super) fn content(&self, sum: &str) -> Outcome<Vec<u8>> {
        let Bucket::Local(directory) = self else { return Err(Fault::new("the filebucket is on another machine")) };
        let is_sum = sum.len() == 64 && sum.bytes().all(|it| it.is_ascii_hexdigit());
        let bytes = is_sum.then(|| std::fs::read(bucket::directory_of(directory, sum).join("contents")).ok()).flatten();
        bytes.ok_or_else(|| Fault::new(format!("File not found: {sum}")))
    }
}
