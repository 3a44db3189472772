//! How files, directories and links come into being, and go.

use std::fs::{self, Metadata};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::content::Content;
use super::{File, id, kind, mode};
use crate::context::Context;
use crate::execution::{Execution, Failure};
use crate::fault::{Fault, Outcome, reason};
use crate::log::Level;
use crate::place::{Part, Place, part_name};
use crate::property::ABSENT;
use crate::resource::Site;

/// The permissions of a new file.
const NEW_FILE: u32 = 0o644;

/// How many links are followed one after another.
const MOST_LINKS: usize = 40;

/// The permissions of a new directory.
const NEW_DIRECTORY: u32 = 0o755;

impl File {
    /// Brings `ensure` about.
    pub(super) fn bring_about(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        let wanted = self.ensure.clone().unwrap_or_default();
        self.clear(&wanted, site, context)?;
        match wanted.as_str() {
            ABSENT => Ok(()),
            "directory" => self.make_directory(context),
            "link" => self.make_link(site, context),
            _ => self.write(site, context),
        }
    }

    /// Removes what is in the way of something else; says so if it may not.
    fn clear(&mut self, wanted: &str, site: &Site, context: &mut Context<'_>) -> Outcome {
        let Some(found) = self.look() else { return Ok(()) };
        self.back_up(&found, site, context)?;
        let current = kind(&found);
        if wanted != "link" && current == wanted {
            return Ok(());
        }
        match current {
            "directory" if self.is_forced => {
                fs::remove_dir_all(&self.path).map_err(|error| Fault::io(&error, &self.shown_path()))
            }
            "directory" => {
                site.say(&mut context.log, Level::Notice, "Not removing directory; use 'force' to override");
                Ok(())
            }
            // Files and links are replaced at once by what takes their place.
            "link" | "file" | "fifo" | "socket" if matches!(wanted, "file" | "present" | "link") => Ok(()),
            "link" | "file" | "fifo" | "socket" => self.at_place(|place| place.remove()),
            other => Err(Fault::new(format!("Could not remove files of type {other}"))),
        }
    }

    /// Does something at the place of the file.
    fn at_place(&self, change: impl FnOnce(&Place) -> std::io::Result<()>) -> Outcome {
        Place::of(&self.path).and_then(|place| change(&place)).map_err(|error| Fault::io(&error, &self.shown_path()))
    }

    /// The owner and group that a new file gets. Whom nobody knows is complained about when the file is there.
    fn owner_ids(&self, context: &mut Context<'_>) -> (Option<u32>, Option<u32>) {
        let mut first = |names: &[String], is_user| names.first().and_then(|name| id(name, is_user, context).ok());
        (first(&self.owner, true), first(&self.group, false))
    }

    /// What is to be in the file.
    pub(super) fn bytes(&self, context: &Context<'_>) -> Outcome<Vec<u8>> {
        match (&self.content, &self.copied) {
            (Some(Content::Bytes(bytes)), _) => Ok(bytes.clone()),
            (Some(Content::Sum(sum)), _) => self.bucket_content(sum, context),
            (None, Some(origin)) => origin.bytes(context),
            // Who names the checksum knows all that is to be known about the source until it is copied.
            (None, None) if self.is_source_late() => self.origin(context)?.bytes(context),
            (None, None) => Ok(Vec::new()),
        }
    }

    /// Whether the source is looked at only when it is copied.
    pub(super) fn is_source_late(&self) -> bool {
        self.checksum_value.is_some() && !self.sources.is_empty()
    }

    /// Whether something is written to the file.
    fn is_filled(&self) -> bool {
        self.content.is_some() || self.copied.is_some() || self.is_source_late()
    }

    /// Refuses what was copied if it is not what was said to be there.
    fn check_copied(&self, bytes: &[u8]) -> Outcome {
        if self.content.is_some() || self.digest.is_of_source() {
            return Ok(());
        }
        let wanted = match (&self.checksum_value, &self.wanted_digest) {
            (Some(sum), _) => format!("{{{}}}{sum}", self.digest.name()),
            (None, Some(digest)) => digest.clone(),
            (None, None) => return Ok(()),
        };
        let found = self.digest.of(bytes);
        if found == wanted {
            return Ok(());
        }
        let reason = "File written to disk did not match desired checksum; discarding changes";
        Err(Fault::new(format!("{reason} ({found} vs {wanted})")))
    }

    /// Writes the content to a new file next to this one, and puts it in its place when it is complete.
    pub(super) fn write(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.clear("file", site, context)?;
        let shown = self.shown_path();
        let bytes = self.bytes(context)?;
        let is_filled = self.is_filled();
        if is_filled {
            self.check_copied(&bytes)?;
        }
        // Compatibility: a link that leads nowhere is replaced by content, but followed by a file that has none.
        let path = if is_filled && !self.path.exists() { self.path.clone() } else { self.real_path() };
        if self.look().is_some_and(|found| found.is_dir()) {
            // Compatibility: with content the reference stumbles when the new file is to take the place, without when it
            // is made.
            let what = if is_filled { "Is a directory: " } else { "" };
            return Err(Fault::raw(format!("Is a directory - {what}{shown}")));
        }
        let old = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file);
        let place = Place::of(&path).map_err(|error| self.misplaced(&error))?;
        let mut part = place.begin().map_err(|error| Fault::io(&error, &shown))?;
        self.fill(&mut part, old.as_ref(), &bytes, context)?;
        part.finish().map_err(|error| Fault::io(&error, &shown))?;
        self.fix(context)
    }

    /// Why there is no place for the file. Compatibility: with content, the reference stumbles over another file first.
    fn misplaced(&self, error: &std::io::Error) -> Fault {
        let shown = self.shown_path();
        if !self.is_filled() || !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
            return Fault::io(error, &shown);
        }
        let part = part_name(&shown).unwrap_or(shown);
        let place = match error.kind() {
            ErrorKind::NotFound => {
                format!("A directory component in {part}.lock does not exist or is a dangling symbolic link")
            }
            _ => format!("{part}.lock"),
        };
        Fault::raw(format!("{} - {place}", reason(error)))
    }

    /// Gives a new file its content, owner and permissions, and has it checked.
    fn fill(&self, part: &mut Part<'_>, old: Option<&Metadata>, bytes: &[u8], context: &mut Context<'_>) -> Outcome {
        let wrong = |error: std::io::Error| Fault::io(&error, &self.shown_path());
        let (owner, bits) = match (old, &self.mode) {
            (Some(old), _) => ((Some(old.uid()), Some(old.gid())), old.mode() & 0o7777),
            (None, Some(mode)) => (self.owner_ids(context), mode::applied(mode, NEW_FILE, false)?),
            (None, None) => (self.owner_ids(context), NEW_FILE),
        };
        part.file().write_all(bytes).map_err(wrong)?;
        part.belong(owner, bits).map_err(wrong)?;
        if let Some(value) = self.checksum_value.as_ref().filter(|_| self.is_checked && !self.digest.is_of_source()) {
            let (written, wanted) = (self.digest.of(bytes), format!("{{{}}}{value}", self.digest.name()));
            if written != wanted {
                let what = "File written to disk did not match desired checksum; discarding changes";
                return Err(Fault::new(format!("{what} ({written} vs {wanted})")));
            }
        }
        let Some((command, replacement)) = &self.validate else { return Ok(()) };
        let line = command.replace(replacement.as_str(), &part.path().display().to_string());
        let execution = Execution::line(&line);
        match execution.run() {
            Err(Failure::NotStarted(fault)) => Err(fault),
            Err(Failure::TimedOut) => Err(Fault::new(format!("Execution of '{line}' timed out"))),
            Ok(output) => execution.succeeded(output).map(drop),
        }
    }

    /// Brings owner, group and permissions of a new file in line.
    fn fix(&mut self, context: &mut Context<'_>) -> Outcome {
        let Some(found) = self.look() else { return Ok(()) };
        let first = |names: &[String], is_user, context: &mut Context<'_>| {
            names.first().map(|name| id(name, is_user, context)).transpose()
        };
        let (uid, gid) = (first(&self.owner, true, context)?, first(&self.group, false, context)?);
        let (uid, gid) = (uid.filter(|uid| *uid != found.uid()), gid.filter(|gid| *gid != found.gid()));
        if uid.is_some() || gid.is_some() {
            self.chown(uid, gid).map_err(|error| Fault::io(&error, &self.shown_path()))?;
        }
        let Some(mode) = self.mode.as_ref().filter(|_| !found.is_symlink()) else { return Ok(()) };
        let is_directory = found.is_dir();
        let current = found.mode() & 0o7777;
        let bits = mode::applied(&mode::for_directory(mode, is_directory), current, is_directory)?;
        if bits == current && uid.is_none() && gid.is_none() {
            return Ok(());
        }
        self.chmod(bits).map_err(|error| Fault::io(&error, &self.shown_path()))
    }

    /// The path of what is changed: of a link that is followed, what it leads to.
    fn real_path(&self) -> PathBuf {
        if !self.follows_links {
            return self.path.clone();
        }
        fs::canonicalize(&self.path).unwrap_or_else(|_| {
            // What a link leads to may have to be made.
            let mut path = self.path.clone();
            for _ in 0..MOST_LINKS {
                let Ok(target) = fs::read_link(&path) else { break };
                path = path.parent().unwrap_or(Path::new("/")).join(target);
            }
            path
        })
    }

    /// Sets the owner and the group.
    pub(super) fn chown(&self, uid: Option<u32>, gid: Option<u32>) -> std::io::Result<()> {
        match self.path.parent() {
            Some(_) => Place::of(&self.real_path())?.chown(uid, gid),
            None => std::os::unix::fs::lchown(&self.path, uid, gid),
        }
    }

    /// Sets the permissions.
    pub(super) fn chmod(&self, bits: u32) -> std::io::Result<()> {
        match self.path.parent() {
            Some(_) => Place::of(&self.real_path())?.chmod(bits),
            None => Ok(rustix::fs::chmod(&self.path, crate::execution::mode(bits))?),
        }
    }

    /// Puts the link in its place.
    pub(super) fn make_link(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        if self.is_target_a_word {
            return Err(Fault::raw("FileSystem implementation expected Pathname, got: 'TrueClass'"));
        }
        let missing = || Fault::new("Cannot create a symlink without a target");
        let target = self.target.clone().ok_or_else(missing)?;
        self.clear("link", site, context)?;
        if self.look().is_some_and(|found| found.is_dir()) {
            return Err(Fault::new("Could not remove existing file"));
        }
        let owner = self.owner_ids(context);
        let place = Place::of(&self.path)
            .map_err(|error| Fault::io(&error, &self.path.parent().unwrap_or(Path::new("/")).display().to_string()))?;
        place.link(&target, owner).map_err(|error| Fault::io(&error, &self.shown_path()))?;
        self.fix(context)
    }

    fn make_directory(&mut self, context: &mut Context<'_>) -> Outcome {
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        let shown = self.shown_path();
        if !parent.exists() {
            let parent = parent.display();
            return Err(Fault::new(format!("Cannot create {shown}; parent directory {parent} does not exist")));
        }
        let bits = match &self.mode {
            Some(mode) => mode::applied(&mode::for_directory(mode, true), NEW_DIRECTORY, true)?,
            None => NEW_DIRECTORY,
        };
        let owner = self.owner_ids(context);
        match Place::of(&self.path).and_then(|place| place.make_directory(bits, owner)) {
            Err(error) if !(error.kind() == ErrorKind::AlreadyExists && self.path.is_dir()) => {
                Err(Fault::io(&error, &shown))
            }
            _ => self.fix(context),
        }
    }
}
