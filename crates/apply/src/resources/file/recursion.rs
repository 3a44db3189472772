//! Directories that are managed with all that is in them: what is there, what is to be copied, and what is too much.

use std::path::{Path, PathBuf};

use bunraku_catalog::resource_type::is_relationship;
use bunraku_catalog::{Parameters, Reference};
use bunraku_pcore::Value;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::File;
use super::source::local;
use super::web;
use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::fileset::Fileset;
use crate::property::ABSENT;
use crate::resource::{Generated, Given, Site};

/// Parameters that are those of the directory alone.
const OWN: [&str; 9] = ["ensure", "recurse", "recurselimit", "max_files", "target", "alias", "source", "path", "name"];

/// What of a directory is managed with it.
#[derive(Debug, Clone)]
pub(super) struct Recursion {
    /// Only what is copied, not what is there.
    is_remote: bool,
    fileset: Fileset,
    is_purged: bool,
    /// All sources together, not the first that is there.
    takes_all: bool,
}

/// What of a directory is managed with it; nothing if it stands alone.
pub(super) fn build(given: &Given<'_>) -> Outcome<Option<Recursion>> {
    let is_remote = match given.text("recurse").as_deref() {
        Some("true") => false,
        Some("remote") => true,
        _ => return Ok(None),
    };
    if is_remote && given.texts("source").is_empty() {
        return Err(given.invalid("You cannot specify a remote recursion without a source"));
    }
    Ok(Some(Recursion {
        is_remote,
        fileset: Fileset {
            limit: given.text("recurselimit").and_then(|limit| limit.parse().ok()),
            ignore: given.texts("ignore"),
            most: given.text("max_files").and_then(|most| most.parse().ok()).unwrap_or(0),
            follows_links: given.text("links").as_deref() == Some("follow"),
        },
        is_purged: given.flag("purge") == Some(true),
        takes_all: given.text("sourceselect").as_deref() == Some("all"),
    }))
}

/// A link is made anew with its target, even if that is not there.
fn copy_link(parameters: &mut Parameters, context: &Context<'_>) {
    let source = parameters.get("source").and_then(Value::as_str).and_then(|source| local(source, context).ok()?);
    if let Some(target) = source.and_then(|path| std::fs::read_link(path).ok()) {
        parameters.remove("source");
        parameters.insert("ensure".into(), "link".into());
        parameters.insert("target".into(), target.display().to_string().into());
    }
}

impl File {
    /// The resources for what is in a directory, and what is to be in it.
    pub(super) fn children(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        let Some(recursion) = self.recursion.clone() else { return Ok(Vec::new()) };
        let mut children: IndexMap<String, Parameters> = IndexMap::new();
        let common: Parameters = site
            .parameters
            .iter()
            .filter(|(name, _)| !OWN.contains(&name.as_str()) && !is_relationship(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !recursion.is_remote {
            for relative in recursion.fileset.below(&self.path, context)?.unwrap_or_default() {
                children.insert(relative, common.clone());
            }
        }
        if let Some(target) = self.target.clone() {
            self.link_children(&mut children, &common, Path::new(&target), &recursion, context)?;
        } else {
            self.copy_children(&mut children, &common, &recursion, context)?;
        }
        if recursion.is_purged {
            for parameters in children.values_mut().filter(|it| !it.contains_key("source")) {
                parameters.insert("ensure".into(), ABSENT.into());
            }
        }
        if !recursion.fileset.follows_links {
            children.values_mut().for_each(|parameters| copy_link(parameters, context));
        }
        let mut found: Vec<(PathBuf, Parameters)> =
            children.into_iter().map(|(relative, parameters)| (self.path.join(relative), parameters)).collect();
        found.sort_by(|(first, _), (second, _)| first.as_os_str().cmp(second.as_os_str()));
        self.leave_to_others(&mut found, context);
        let generated = found.into_iter().map(|(path, mut parameters)| {
            let title = path.to_string_lossy().into_owned();
            parameters.insert("path".into(), title.as_str().into());
            Generated { reference: Reference::new("file", &title), parameters }
        });
        Ok(generated.collect())
    }

    /// Children for what is in the directory that the link leads to.
    fn link_children(
        &mut self,
        children: &mut IndexMap<String, Parameters>,
        common: &Parameters,
        target: &Path,
        recursion: &Recursion,
        context: &mut Context<'_>,
    ) -> Outcome {
        let Some(found) = recursion.fileset.below(target, context)? else { return Ok(()) };
        self.ensure = Some("directory".to_owned());
        for relative in found {
            let full = target.join(&relative);
            let is_directory = std::fs::symlink_metadata(&full).is_ok_and(|it| it.is_dir());
            let child = children.entry(relative).or_insert_with(|| common.clone());
            child.insert("ensure".into(), if is_directory { "directory".into() } else { "link".into() });
            if !is_directory {
                child.insert("target".into(), full.display().to_string().into());
            }
        }
        Ok(())
    }

    /// Children for what is in the directories that are copied.
    fn copy_children(
        &mut self,
        children: &mut IndexMap<String, Parameters>,
        common: &Parameters,
        recursion: &Recursion,
        context: &mut Context<'_>,
    ) -> Outcome {
        let mut copied: FxHashSet<String> = FxHashSet::default();
        for source in self.sources.clone() {
            if web::is_web(&source) {
                return Err(Fault::new("cannot lookup multiple files"));
            }
            let Some(root) = local(&source, context)? else { continue };
            let Some(found) = recursion.fileset.below(&root, context)? else { continue };
            if !std::fs::metadata(&root).is_ok_and(|it| it.is_dir()) {
                return Ok(());
            }
            for relative in found {
                if copied.insert(relative.clone()) {
                    let path = Value::from(format!("{source}/{relative}").as_str());
                    children.entry(relative).or_insert_with(|| common.clone()).insert("source".into(), path);
                }
            }
            if !recursion.takes_all {
                break;
            }
        }
        Ok(())
    }

    /// What another resource of the catalog manages, with all that is below it, is left to that.
    fn leave_to_others(&self, found: &mut Vec<(PathBuf, Parameters)>, context: &Context<'_>) {
        let declared = context.declared.of("file").iter().map(|known| Path::new(known.name.as_str()));
        let others: FxHashSet<&Path> =
            declared.filter(|path| *path != self.path && path.starts_with(&self.path)).collect();
        if !others.is_empty() {
            found.retain(|(path, _)| !path.ancestors().any(|above| others.contains(above)));
        }
    }
}
