//! `filebucket`: where copies of replaced files go, named by their checksum. It has no state of its own.

use std::path::{Path, PathBuf};

use crate::bucket;
use crate::context::{Context, FileCopy};
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
    /// The server of the run. Compatibility: the reference asks that one whatever server the filebucket names.
    Server,
}

impl Bucket {
    /// The filebucket of a name; nothing if the catalog has none.
    pub(super) fn named(name: &str, context: &Context<'_>) -> Option<Bucket> {
        let own = || Bucket::Local(context.options.paths.client_bucket.clone());
        let Some(known) = context.declared.find("filebucket", name) else { return (name == "puppet").then(own) };
        // Who wants the server gives up the path: without one it is that of this machine.
        Some(match known.parameters.get("path").filter(|it| !it.is_undef()).map(text_of) {
            Some(path) if path.starts_with('/') => Bucket::Local(PathBuf::from(path)),
            None => own(),
            Some(_) => Bucket::Server,
        })
    }

    /// Keeps a copy of a file; gives its checksum.
    pub(super) fn keep(&self, path: &Path, context: &Context<'_>) -> Outcome<String> {
        let shown = path.display().to_string();
        let wrong = |reason: String| Fault::new(format!("Could not back up {shown}: {reason}"));
        let failed = |error: std::io::Error| wrong(crate::fault::reason(&error));
        match self {
            Bucket::Local(directory) => bucket::store(directory, path).map_err(failed),
            Bucket::Server => {
                let content = std::fs::read(path).map_err(failed)?;
                let sum = bucket::sum_of(&content);
                let copy = FileCopy { sum: &sum, path: &shown, content: &content };
                context.host.keep_copy(&copy).map_err(wrong)?;
                Ok(sum)
            }
        }
    }

    /// The content of a checksum.
    pub(super) fn content(&self, sum: &str, context: &Context<'_>) -> Outcome<Vec<u8>> {
        let is_sum = sum.len() == 64 && sum.bytes().all(|it| it.is_ascii_hexdigit());
        let bytes = match self {
            _ if !is_sum => None,
            Bucket::Local(directory) => std::fs::read(bucket::directory_of(directory, sum).join("contents")).ok(),
            Bucket::Server => {
                let bytes = context.host.kept_copy(sum).map_err(Fault::new)?;
                bytes.filter(|bytes| bucket::sum_of(bytes) == sum)
            }
        };
        bytes.ok_or_else(|| Fault::new(format!("File not found: {sum}")))
    }
}
