//! Where the content of a file is copied from: files of this machine, of modules and of web servers.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::content::Digest;
use super::web::{self, Sums};
use super::{File, kind};
use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::ABSENT;
use crate::resource::Given;

/// Whether owner, group and permissions are copied too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Permissions {
    Ignored,
    Used,
    UsedForNew,
}

/// Checks the sources, and gives them without slashes at their ends.
pub(super) fn build(given: &Given<'_>) -> Outcome<Vec<String>> {
    let mut sources = Vec::new();
    for source in given.texts("source") {
        if !source.starts_with('/') {
            let scheme = source.split_once(':').map(|(scheme, rest)| (scheme, rest.starts_with('/')));
            match scheme {
                None => return Err(given.refuse("source", &format!("Cannot use relative URLs '{source}'"))),
                Some((_, false)) => return Err(given.refuse("source", &format!("Cannot use opaque URLs '{source}'"))),
                Some(("file" | "puppet" | "http" | "https", true)) => {}
                Some((scheme, true)) => {
                    let reason = format!("Cannot use URLs of type '{scheme}' as source for fileserving");
                    return Err(given.refuse("source", &reason));
                }
            }
        }
        sources.push(source.trim_end_matches('/').to_owned());
    }
    Ok(sources)
}

/// Whether owner, group and permissions are copied too.
pub(super) fn permissions(given: &Given<'_>, context: &mut Context<'_>) -> Permissions {
    let permissions = match given.text("source_permissions").as_deref() {
        Some("use") => Permissions::Used,
        Some("use_when_creating") => Permissions::UsedForNew,
        _ => return Permissions::Ignored,
    };
    if let (Some(file), Some(line)) = (given.file, given.line) {
        let warning = "The `source_permissions` parameter is deprecated. Explicitly set `owner`, `group`, and `mode`.";
        context.log.say(Level::Warning, format!("{warning}\n   (file: {file}, line: {line})"));
    }
    permissions
}

/// The file of this machine that a source is; nothing if it is none.
pub(in crate::resources) fn local(source: &str, context: &Context<'_>) -> Outcome<Option<PathBuf>> {
    match source.strip_prefix("puppet:///") {
        Some(path) => context
            .host
            .file(path)
            .map_err(|reason| Fault::new(format!("Could not retrieve file metadata for {source}: {reason}"))),
        None if source.starts_with('/') => Ok(Some(PathBuf::from(source))),
        // Compatibility: the name of a machine is of no account.
        None => Ok(source.strip_prefix("file:").map(|rest| match rest.strip_prefix("//") {
            Some(named) => PathBuf::from(format!("/{}", named.split_once('/').map_or("", |(_, path)| path))),
            None => PathBuf::from(rest),
        })),
    }
}

/// What a file is copied from.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// A file of this machine, and what it is.
    Local(PathBuf, Metadata),
    /// A file of a web server, and what that says about it.
    Web(String, Sums),
}

impl Origin {
    /// What is in the file.
    pub(super) fn bytes(&self, context: &Context<'_>) -> Outcome<Vec<u8>> {
        match self {
            Origin::Local(path, _) => fs::read(path).map_err(|error| Fault::io(&error, &path.display().to_string())),
            Origin::Web(url, _) => web::content(url, context),
        }
    }
}

impl File {
    /// The first of the sources that is there.
    pub(super) fn origin(&self, context: &Context<'_>) -> Outcome<Origin> {
        for source in &self.sources {
            if web::is_web(source) {
                if let Some(sums) = web::sums(source, context)? {
                    return Ok(Origin::Web(source.clone(), sums));
                }
                continue;
            }
            let Some(path) = local(source, context)? else { continue };
            // What a link leads to must be there, even if the link itself is copied.
            let Ok(behind) = fs::metadata(&path) else { continue };
            let own = if self.follows_links { Ok(behind) } else { fs::symlink_metadata(&path) };
            if let Ok(own) = own {
                return Ok(Origin::Local(path, own));
            }
        }
        let shown = |source: &String| match source.starts_with('/') {
            true => format!("file://{source}"),
            false => web::shown(source),
        };
        let sources: Vec<String> = self.sources.iter().map(shown).collect();
        Err(Fault::new(format!(
            "Could not retrieve information from environment {} source(s) {}",
            context.environment,
            sources.join(", ")
        )))
    }

    /// Finds the file to copy, and takes over what kind of file it is.
    pub(super) fn find_source(&mut self, context: &Context<'_>) -> Outcome {
        if !self.has_source || self.is_source_late() {
            return Ok(());
        }
        let origin = self.origin(context)?;
        let (path, found) = match &origin {
            Origin::Local(path, found) => (path, found),
            Origin::Web(_, sums) => {
                let (name, digest) = sums.first(self.digest.name());
                self.check_permissions(context)?;
                if self.ensure.as_deref() != Some(ABSENT) {
                    self.ensure = Some("file".to_owned());
                    self.digest = Digest::named(name);
                    self.wanted_digest = Some(digest);
                    self.copied = Some(origin);
                }
                return Ok(());
            }
        };
        self.copy_permissions(found, context);
        if self.ensure.as_deref() != Some(ABSENT) {
            if !matches!(kind(found), "file" | "directory" | "link") {
                let (what, shown) = (kind(found), path.display());
                return Err(Fault::new(format!("Could not copy {shown}: files of type {what} are not copied")));
            }
            self.ensure = Some(kind(found).to_owned());
            match kind(found) {
                "link" => self.target = fs::read_link(path).ok().map(|target| target.display().to_string()),
                "file" => {
                    let digest = self.digest.of_file(path, found);
                    let digest = digest.map_err(|error| Fault::io(&error, &path.display().to_string()))?;
                    self.wanted_digest = Some(digest);
                    self.copied = Some(origin);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether owner, group and permissions are to be those of the source.
    fn takes_permissions(&self) -> bool {
        match self.permissions {
            Permissions::Ignored => false,
            Permissions::Used => true,
            Permissions::UsedForNew => !self.path.exists(),
        }
    }

    /// Web servers say nothing about owners and permissions.
    fn check_permissions(&self, context: &Context<'_>) -> Outcome {
        let is_privileged = context.is_privileged();
        let missing = match () {
            () if !self.takes_permissions() => return Ok(()),
            () if is_privileged && self.owner.is_empty() => "owner",
            () if self.mode.is_none() => "mode",
            () if is_privileged && self.group.is_empty() => "group",
            () => return Ok(()),
        };
        Err(Fault::new(format!("Got nil value for {missing}")))
    }

    /// Takes over owner, group and permissions where nothing is said about them.
    fn copy_permissions(&mut self, found: &Metadata, context: &Context<'_>) {
        if !self.takes_permissions() {
            return;
        }
        if self.owner.is_empty() && context.is_privileged() {
            self.owner = vec![found.uid().to_string()];
        }
        if self.group.is_empty() && context.is_privileged() {
            self.group = vec![found.gid().to_string()];
        }
        self.mode.get_or_insert_with(|| format!("{:o}", found.mode() & 0o7777));
    }
}
