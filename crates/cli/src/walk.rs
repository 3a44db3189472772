//! Which files of a directory a command looks at: those of the project itself, not what others made or what git ignores.

use std::cmp::Ordering;
use std::io;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Directories of code, in which a directory named `vendor` is code, too.
const OF_CODE: [&str; 6] = ["manifests", "templates", "functions", "types", "plans", "data"];

/// What is looked at in the directories that are given.
#[derive(Debug, Default, Args)]
pub(crate) struct Selection {
    /// Leave out files and directories that fit a pattern, written as in .gitignore; can be given several times
    #[arg(long, value_name = "PATTERN", help_heading = "Files")]
    exclude: Vec<String>,
    /// Look at all files of a directory: those that git ignores, hidden ones, and those in vendor and spec/fixtures, too
    #[arg(long = "no-ignore", help_heading = "Files")]
    no_ignore: bool,
}

/// What a walk came upon.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The files, those of a directory before those of the directories in it.
    pub(crate) files: Vec<PathBuf>,
    /// What cannot be read, and why.
    pub(crate) unreadable: Vec<(PathBuf, io::Error)>,
}

impl Selection {
    /// The patterns, once they are read.
    pub(crate) fn walk(&self) -> Result<Walk, String> {
        let here = std::env::current_dir().unwrap_or_default();
        Ok(Walk {
            relative: patterns(Path::new(""), &self.exclude)?,
            absolute: patterns(&here, &self.exclude)?,
            looks_at_all: self.no_ignore,
            looks_at_vendor: self.no_ignore,
        })
    }
}

fn patterns(root: &Path, lines: &[String]) -> Result<Gitignore, String> {
    let mut builder = GitignoreBuilder::new(root);
    for line in lines {
        builder.add_line(None, line).map_err(|error| format!("--exclude {line}: {error}"))?;
    }
    builder.build().map_err(|error| format!("--exclude: {error}"))
}

/// Which files of directories are wanted.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// The patterns as relative paths are compared with them, and absolute ones.
    relative: Gitignore,
    absolute: Gitignore,
    looks_at_all: bool,
    looks_at_vendor: bool,
}

impl Walk {
    /// What is looked at by a command with rules of its own for `vendor`.
    pub(crate) fn with_vendor() -> Self {
        Walk { relative: Gitignore::empty(), absolute: Gitignore::empty(), looks_at_all: false, looks_at_vendor: true }
    }

    /// Whether a file that is named is left out, by itself or with a directory around it.
    pub(crate) fn leaves_out(&self, path: &Path) -> bool {
        let mut is_dir = false;
        path.ancestors().filter(|part| !part.as_os_str().is_empty()).any(|part| {
            let is_left_out = self.fits(part, is_dir);
            is_dir = true;
            is_left_out
        })
    }

    fn fits(&self, path: &Path, is_dir: bool) -> bool {
        let patterns = if path.is_absolute() { &self.absolute } else { &self.relative };
        patterns.matched(path.strip_prefix(".").unwrap_or(path), is_dir).is_ignore()
    }

    /// All files with one of these extensions in a directory, however deep. Links are not followed: they lead to what is
    /// in the directory anyway, or out of it.
    pub(crate) fn files(&self, directory: &Path, extensions: &[&str]) -> Walked {
        let mut builder = WalkBuilder::new(directory);
        let is_selective = !self.looks_at_all;
        builder.standard_filters(false).hidden(is_selective).parents(is_selective).git_ignore(is_selective);
        builder.git_exclude(is_selective).require_git(false).follow_links(false);
        let (walk, root) = (self.clone(), directory.to_path_buf());
        builder.filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            let path = entry.path();
            entry.depth() == 0
                || !(walk.fits(path, is_dir)
                    || is_dir && entry.file_name() == ".git"
                    || is_dir && !walk.looks_at_all && is_fixture(path)
                    || is_dir && !walk.looks_at_vendor && is_of_vendor(&root, path))
        });
        let mut walked = Walked::default();
        for entry in builder.build() {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) || entry.path_is_symlink() => {}
                Ok(entry) => {
                    let is_wanted = |wanted: &&str| entry.path().extension().is_some_and(|it| it == *wanted);
                    if extensions.iter().any(is_wanted) {
                        walked.files.push(entry.into_path());
                    }
                }
                Err(error) => walked.unreadable.extend(unreadable(error, directory)),
            }
        }
        walked.files.sort_by(|a, b| in_reading_order(a, b));
        walked
    }
}

fn is_named(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|it| it == name)
}

/// Whether a directory holds the modules that tests need.
fn is_fixture(path: &Path) -> bool {
    is_named(path, "fixtures") && path.parent().is_some_and(|parent| is_named(parent, "spec"))
}

/// Whether a directory holds what others wrote: inside manifests, `vendor` is a part of names.
fn is_of_vendor(root: &Path, path: &Path) -> bool {
    let inner = path.strip_prefix(root).unwrap_or(path).components();
    let mut around = root.file_name().map(Component::Normal).into_iter().chain(inner);
    is_named(path, "vendor") && !around.any(|part| OF_CODE.iter().any(|name| part.as_os_str() == *name))
}

/// What cannot be read; lines of a .gitignore that mean nothing are no reason to stop.
fn unreadable(error: ignore::Error, directory: &Path) -> Option<(PathBuf, io::Error)> {
    let mut path = directory.to_path_buf();
    let mut inner = &error;
    loop {
        match inner {
            ignore::Error::WithPath { path: at, err } => (path, inner) = (at.clone(), err),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err,
            _ => break,
        }
    }
    error.into_io_error().map(|error| (path, error))
}

/// The files of a directory come before those of the directories in it.
fn in_reading_order(a: &Path, b: &Path) -> Ordering {
    let (mut a, mut b) = (a.components(), b.components());
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => {
                let (is_deeper, other_is_deeper) = (a.next().is_some(), b.next().is_some());
                return is_deeper.cmp(&other_is_deeper).then_with(|| x.cmp(&y));
            }
            (x, y) => return x.is_some().cmp(&y.is_some()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patterns: &[&str], path: &str, is_left_out: bool) {
        let exclude = patterns.iter().map(|it| (*it).to_owned()).collect();
        let walk = Selection { exclude, no_ignore: false }.walk();
        assert_eq!(walk.map(|walk| walk.leaves_out(Path::new(path))), Ok(is_left_out), "{patterns:?} {path}");
    }

    #[test]
    fn patterns_are_those_of_git() {
        check(&[], "a/b.pp", false);
        check(&["b.pp"], "a/b.pp", true);
        check(&["/b.pp"], "a/b.pp", false);
        check(&["a/"], "a/b.pp", true);
        check(&["a/"], "./a/b.pp", true);
        check(&["a/*.pp"], "a/b.pp", true);
        check(&["*.pp", "!b.pp"], "a/b.pp", false);
        check(&["a"], "/elsewhere/a/b.pp", true);
    }

    #[test]
    fn code_of_others_is_known_by_its_directory() {
        let check = |path: &str, expected| {
            assert_eq!(
                is_of_vendor(Path::new("m"), Path::new(path)) || is_fixture(Path::new(path)),
                expected,
                "{path}"
            );
        };
        check("m/vendor", true);
        check("m/spec/fixtures", true);
        check("m/fixtures", false);
        check("m/manifests/vendor", false);
        assert!(!is_of_vendor(Path::new("/m/manifests"), Path::new("/m/manifests/vendor")));
    }
}
