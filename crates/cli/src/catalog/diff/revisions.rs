//! The catalogs of two revisions of a control repository, each compiled from a copy that git makes of it.
//!
//! Both copies stand at the same path, one after the other, so that paths in catalogs are no differences.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rayon::prelude::*;

use super::Catalogs;
use crate::catalog::plan::{Candidate, Plan, candidates_in};
use crate::interrupt;
use crate::output::{Progress, show_copy_as};
use crate::report::{Reporter, log};
use crate::setup::Setup;

/// The name of an environment that is not named.
const DEFAULT_ENVIRONMENT: &str = "production";

/// Two states of a repository.
pub(super) struct Revisions {
    repository: PathBuf,
    /// What git calls them, and what they were called.
    old: (String, String),
    /// The working directory if there is none.
    new: Option<(String, String)>,
}

impl Revisions {
    /// Reads A, A..B, or A...B, which compares B with what it has in common with A.
    pub(super) fn read(given: &str) -> Result<Self, String> {
        let missing = || format!("{given} is neither a file nor a directory nor a revision that git knows here");
        let here = Path::new(".");
        let repository = git(here, &["rev-parse", "--show-toplevel"], &[]).map_err(|reason| match reason.as_str() {
            "" => missing(),
            reason => format!("{}: {reason}", missing()),
        })?;
        let commit = |name: &str| {
            let name = if name.is_empty() { "HEAD" } else { name };
            let commit = format!("{name}^{{commit}}");
            git(here, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit], &[])
                .map(|commit| (commit, name.to_owned()))
                .map_err(|_| format!("git knows no revision {name} in {repository}"))
        };
        let (old, new) = match (given.split_once("..."), given.split_once("..")) {
            (Some((old, new)), _) => {
                let (old, new) = (commit(old)?, commit(new)?);
                let base = git(here, &["merge-base", &old.0, &new.0], &[]);
                let base = base.map_err(|_| format!("the revisions of {given} have nothing in common"))?;
                ((base.clone(), base), Some(new))
            }
            (None, Some((old, new))) => (commit(old)?, Some(commit(new)?)),
            (None, None) => (commit(given).map_err(|_| missing())?, None),
        };
        Ok(Revisions { repository: PathBuf::from(repository), old, new })
    }

    /// Compiles the catalogs of both; whether every node has both.
    pub(super) fn compile(&self, setup: Setup, nodes: &[String]) -> Result<(Catalogs, Catalogs, bool), String> {
        let here = std::env::current_dir().and_then(fs::canonicalize).map_err(|error| bunraku::reason(&error))?;
        let repository = fs::canonicalize(&self.repository).map_err(|error| bunraku::reason(&error))?;
        let copy = Copy::new(&repository)?;
        let setup = self.setup_in_copy(setup, &here, &repository, &copy)?;
        let mut is_complete = true;
        let mut side = |revision: &str, name: &str| {
            copy.check_out(revision)?;
            let candidates = candidates(&setup, nodes)?;
            let total = candidates.len();
            let catalogs = compile(candidates, &setup)?;
            let failed = total - catalogs.len();
            if failed > 0 {
                log("Error", &format!("{failed} of {total} catalogs could not be compiled in {name}"));
                is_complete = false;
            }
            Ok::<Catalogs, String>(catalogs)
        };
        let old = side(&self.old.0, &self.old.1)?;
        let new = match &self.new {
            Some((new, name)) => side(new, name)?,
            None => side(&copy.working_tree()?, "the working directory")?,
        };
        let (old, new) = match is_complete {
            true => (old, new),
            // Whoever has a catalog on one side only, because the other failed, has nothing to be compared with.
            false => {
                let both = |it: &String, other: &Catalogs| other.contains_key(it);
                let names: Vec<String> = old.keys().filter(|name| both(name, &new)).cloned().collect();
                let kept = |catalogs: Catalogs| catalogs.into_iter().filter(|(name, _)| names.contains(name)).collect();
                (kept(old), kept(new))
            }
        };
        Ok((old, new, is_complete))
    }

    /// The same settings, with what they say of paths in the repository said of the copy. Without an environment path the
    /// current directory is the environment.
    fn setup_in_copy(&self, setup: Setup, here: &Path, repository: &Path, copy: &Copy) -> Result<Setup, String> {
        let root = copy.root();
        let setup = setup.with_paths(|path| {
            let path = here.join(path);
            match path.strip_prefix(repository) {
                Ok(inner) => root.join(inner),
                Err(_) => path,
            }
        });
        if setup.has_environmentpath() {
            show_copy_as(&root, repository);
            return Ok(setup);
        }
        let environments = copy.directory.path.join("environments");
        let name = setup.environment_name().unwrap_or(DEFAULT_ENVIRONMENT).to_owned();
        let inner = here.strip_prefix(repository).unwrap_or(Path::new(""));
        let environment = environments.join(&name);
        show_copy_as(&environment, here);
        let linked = fs::create_dir(&environments)
            .and_then(|()| link(&root.join(inner), &environment))
            .map_err(|error| format!("{}: {}", environments.display(), bunraku::reason(&error)));
        linked.map(|()| setup.with_environment_in(&environments.to_string_lossy(), name))
    }
}

fn candidates(setup: &Setup, nodes: &[String]) -> Result<Vec<Candidate>, String> {
    match (nodes, setup.facts_file()) {
        ([], Some(facts)) if Path::new(facts).is_dir() => candidates_in(Path::new(facts)),
        ([], _) => Ok(vec![Candidate::default()]),
        (nodes, _) => Ok(nodes.iter().map(|name| Candidate { name: Some(name.clone()), facts: None }).collect()),
    }
}

/// Compiles for every node. What is wrong is shown.
fn compile(candidates: Vec<Candidate>, setup: &Setup) -> Result<Catalogs, String> {
    let plan = Plan::new(candidates, setup)?;
    let reporter = Reporter::new(None).for_many(plan.nodes.len());
    let progress = Progress::new(plan.nodes.len());
    let compiled: Vec<Option<_>> = plan
        .nodes
        .par_iter()
        .map(|planned| {
            let compiled = match plan.prepared(planned) {
                Ok((node, compiler)) => {
                    let outcome = compiler.compile(node);
                    match outcome.catalog {
                        Ok(catalog) => Some((planned.name.clone(), catalog)),
                        Err(failure) => {
                            reporter.failure(compiler.environment(), &failure, Some(&node.name));
                            None
                        }
                    }
                }
                Err(message) => {
                    log("Error", &format!("{message} on node {}", planned.name));
                    None
                }
            };
            progress.step();
            compiled
        })
        .collect();
    Ok(compiled.into_iter().flatten().collect())
}

/// A copy of a repository's files, in a directory of its own that goes with this value.
struct Copy<'r> {
    repository: &'r Path,
    directory: interrupt::Temporary,
}

impl<'r> Copy<'r> {
    fn new(repository: &'r Path) -> Result<Self, String> {
        interrupt::remove_unfinished_files()?;
        let directory = interrupt::Temporary::new("bunraku-diff")
            .map_err(|error| format!("Could not make a temporary directory: {}", bunraku::reason(&error)))?;
        Ok(Copy { repository, directory })
    }

    fn root(&self) -> PathBuf {
        self.directory.path.join("code")
    }

    fn index(&self) -> PathBuf {
        self.directory.path.join("index")
    }

    /// Puts the files of a revision in the place of those of the one before.
    fn check_out(&self, revision: &str) -> Result<(), String> {
        let (root, index) = (self.root(), self.index());
        let fail = |reason: String| format!("git cannot write the files of {revision}: {reason}");
        let io = |error: io::Error| format!("{}: {}", root.display(), bunraku::reason(&error));
        if root.exists() {
            fs::remove_dir_all(&root).map_err(io)?;
        }
        DirBuilder::new().create(&root).map_err(io)?;
        let mut prefix = root.clone().into_os_string();
        prefix.push("/");
        let mut variables = self.variables();
        variables.push(("GIT_INDEX_FILE", index.as_os_str().to_owned()));
        git(self.repository, &["read-tree", revision], &variables).map_err(fail)?;
        let mut argument = std::ffi::OsString::from("--prefix=");
        argument.push(&prefix);
        git(self.repository, &[OsStr::new("checkout-index"), "--all".as_ref(), &argument], &variables).map_err(fail)?;
        self.add_what_git_leaves_out(&variables).map_err(io)
    }

    /// What git ignores, such as the modules of a Puppetfile, and the content of submodules is that of the working
    /// directory.
    fn add_what_git_leaves_out(&self, variables: &[(&str, std::ffi::OsString)]) -> io::Result<()> {
        let list = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
        let ignored = git(self.repository, &list, &[]).unwrap_or_default();
        let staged = git(self.repository, &["ls-files", "--stage", "-z"], variables).unwrap_or_default();
        let submodules = staged.split('\0').filter(|line| line.starts_with("160000 "));
        let submodules = submodules.filter_map(|line| line.split_once('\t').map(|(_, path)| path));
        for path in ignored.split('\0').chain(submodules).filter(|path| !path.is_empty()) {
            let (from, to) =
                (self.repository.join(path.trim_end_matches('/')), self.root().join(path.trim_end_matches('/')));
            if from.exists() && fs::symlink_metadata(&to).is_err() && to.parent().is_some_and(Path::is_dir) {
                link(&from, &to)?;
            }
        }
        Ok(())
    }

    /// The files of the working directory as git would commit them, new ones included. What git writes to say so goes
    /// into the temporary directory.
    fn working_tree(&self) -> Result<String, String> {
        let fail = |reason: String| format!("git cannot read the working directory: {reason}");
        let index = self.directory.path.join("working");
        let mut variables = self.variables();
        variables.push(("GIT_INDEX_FILE", index.into_os_string()));
        git(self.repository, &["read-tree", "HEAD"], &variables).map_err(fail)?;
        git(self.repository, &["add", "--all"], &variables).map_err(fail)?;
        git(self.repository, &["write-tree"], &variables).map_err(fail)
    }

    /// New objects go into the temporary directory; those of the repository are read.
    fn variables(&self) -> Vec<(&'static str, std::ffi::OsString)> {
        let known = git(self.repository, &["rev-parse", "--git-path", "objects"], &[]).unwrap_or_default();
        let objects = self.directory.path.join("objects");
        // Where it cannot be made, git says so.
        _ = fs::create_dir_all(&objects);
        let known = self.repository.join(known).into_os_string();
        vec![("GIT_OBJECT_DIRECTORY", objects.into_os_string()), ("GIT_ALTERNATE_OBJECT_DIRECTORIES", known)]
    }
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        std::os::windows::fs::symlink_dir(from, to)
    } else {
        std::os::windows::fs::symlink_file(from, to)
    }
}

/// What git answers, or why it does not.
fn git(
    place: &Path,
    arguments: &[impl AsRef<OsStr>],
    variables: &[(&str, std::ffi::OsString)],
) -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(place).args(arguments).stdin(std::process::Stdio::null());
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let Output { status, stdout, stderr } =
        command.output().map_err(|error| format!("git cannot be run: {}", bunraku::reason(&error)))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
    if status.success() { Ok(text(stdout)) } else { Err(text(stderr)) }
}
