//! Copies of what is replaced or removed: next to it, or in a filebucket.

use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use bunraku_pcore::Value;

use super::super::filebucket::Bucket;
use super::{File, kind};
use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::inspected;
use crate::resource::{Given, Site};

/// Where copies go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Backup {
    /// Next to the file, with this at the end of its name.
    Suffix(String),
    /// Into a filebucket of this name.
    Bucket(String, Bucket),
}

/// Where copies go; nothing if none are made.
pub(super) fn build(given: &Given<'_>, context: &Context<'_>) -> Outcome<Option<Backup>> {
    if let Some(value @ (Value::Integer(_) | Value::Float(_) | Value::Hash(_))) = given.value("backup") {
        return Err(given.refuse("backup", &format!("Invalid backup type {}", inspected(value))));
    }
    let backup = match given.text("backup").as_deref() {
        None | Some("false") => return Ok(None),
        Some("true") => ".puppet-bak".to_owned(),
        Some(other) => other.to_owned(),
    };
    if backup.starts_with('.') {
        return Ok(Some(Backup::Suffix(backup)));
    }
    match Bucket::named(&backup, context) {
        Some(bucket) => Ok(Some(Backup::Bucket(backup, bucket))),
        None => Err(Fault::new(format!("Could not find filebucket {backup} specified in backup"))),
    }
}

impl File {
    /// Copies what is there before it goes.
    pub(super) fn back_up(&self, found: &Metadata, site: &Site, context: &mut Context<'_>) -> Outcome {
        let Some(backup) = &self.backup else { return Ok(()) };
        let current = kind(found);
        let is_copied = matches!(current, "file" | "link") || (current == "directory" && self.is_forced);
        if !is_copied {
            let message = format!("Could not back up file of type {current}");
            site.say(&mut context.log, Level::Warning, message);
            return Ok(());
        }
        // A link that leads nowhere has nothing to be copied.
        if !self.path.exists() {
            return Ok(());
        }
        match backup {
            Backup::Suffix(suffix) => self.copy_aside(suffix, site, context),
            Backup::Bucket(name, bucket) => match current {
                "directory" if self.recursion.is_some() => Ok(()),
                "directory" => {
                    site.say(&mut context.log, Level::Info, "Recursively backing up to filebucket");
                    for path in files_below(&self.path) {
                        keep(&path, name, bucket, site, context)?;
                    }
                    Ok(())
                }
                "file" => keep(&self.path, name, bucket, site, context),
                _ => Ok(()),
            },
        }
    }

    fn copy_aside(&self, suffix: &str, site: &Site, context: &mut Context<'_>) -> Outcome {
        let copy = PathBuf::from(format!("{}{suffix}", self.shown_path()));
        if let Ok(old) = fs::symlink_metadata(&copy) {
            let shown = copy.display();
            if old.is_dir() {
                return Err(Fault::new(format!("Will not remove directory backup {shown}; use a filebucket")));
            }
            site.say(&mut context.log, Level::Info, format!("Removing old backup of type {}", kind(&old)));
            fs::remove_file(&copy).map_err(|error| Fault::new(format!("Could not remove old backup: {error}")))?;
        }
        // Of a link, what it leads to is copied.
        let original = fs::canonicalize(&self.path);
        let copied = original.and_then(|original| copy_with_owner(&original, &copy, 0));
        copied.map_err(|error| {
            let _ = fs::remove_file(&copy);
            let (shown, reason, copy) = (self.shown_path(), crate::fault::reason(&error), copy.display());
            Fault::new(format!("Could not back {shown} up: {reason} - {copy}"))
        })
    }
}

fn keep(path: &Path, name: &str, bucket: &Bucket, site: &Site, context: &mut Context<'_>) -> Outcome {
    let sum = match bucket.keep(path, context) {
        Ok(sum) => sum,
        Err(fault) => {
            context.log.say(Level::Err, fault.message.clone());
            return Err(fault);
        }
    };
    let message = format!("Filebucketed {} to {name} with sum {sum}", path.display());
    site.say(&mut context.log, Level::Info, message);
    Ok(())
}

/// The plain files below a directory.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// How deep directories are copied.
const DEEPEST: usize = 256;

/// Copies a file, a link or a directory with owners, permissions and times.
fn copy_with_owner(from: &Path, to: &Path, depth: usize) -> std::io::Result<()> {
    let found = fs::symlink_metadata(from)?;
    if found.is_symlink() {
        std::os::unix::fs::symlink(fs::read_link(from)?, to)?;
        return lchown(to, Some(found.uid()), Some(found.gid()));
    }
    if found.is_dir() {
        if depth > DEEPEST {
            return Err(std::io::Error::other("the directory is too deep"));
        }
        fs::DirBuilder::new().create(to)?;
        fs::set_permissions(to, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_with_owner(&entry.path(), &to.join(entry.file_name()), depth + 1)?;
        }
        lchown(to, Some(found.uid()), Some(found.gid()))?;
        return fs::set_permissions(to, found.permissions());
    }
    if !found.is_file() {
        return Ok(());
    }
    let place = crate::place::Place::of(to)?;
    let mut part = place.begin()?;
    std::io::copy(&mut fs::File::open(from)?, part.file())?;
    part.belong((Some(found.uid()), Some(found.gid())), found.mode() & 0o7777)?;
    let times = fs::FileTimes::new().set_modified(found.modified()?).set_accessed(found.accessed()?);
    part.file().set_times(times)?;
    part.finish()
}
