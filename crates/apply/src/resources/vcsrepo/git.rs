//! What is done to a repository of Git, with the command `git`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::place::Place;

/// Where others have the repository: names and addresses.
pub(super) type Remotes = Vec<(String, String)>;

/// A repository.
#[derive(Debug)]
pub(super) struct Git {
    pub(super) path: PathBuf,
    /// The remote that is followed.
    pub(super) remote: String,
    pub(super) remotes: Remotes,
    pub(super) revision: Option<String>,
    pub(super) depth: Option<String>,
    pub(super) branch: Option<String>,
    pub(super) is_bare: bool,
    pub(super) has_submodules: bool,
    /// The file with the key for SSH.
    pub(super) identity: Option<String>,
    /// Who runs `git`.
    pub(super) user: Option<String>,
    pub(super) owner: Option<String>,
    pub(super) group: Option<String>,
    /// The patterns of files that are no part of it.
    pub(super) excludes: Option<Vec<String>>,
}

impl Git {
    /// Runs `git` in the repository.
    fn run(&self, arguments: &[&str], context: &mut Context<'_>) -> Outcome<String> {
        self.run_in(&self.path, arguments, context)
    }

    fn run_in(&self, directory: &Path, arguments: &[&str], context: &mut Context<'_>) -> Outcome<String> {
        let arguments: Vec<String> = arguments.iter().map(|it| (*it).to_owned()).collect();
        let mut execution = Execution::provider("git", &arguments)?.directory(Some(directory.display().to_string()));
        if let Some(identity) = &self.identity {
            let options = ["StrictHostKeyChecking=no", "PasswordAuthentication=no", "KbdInteractiveAuthentication=no"];
            let options: String = options.iter().map(|option| format!(" -o{option}")).collect();
            let identity = identity.replace('\'', "'\\''");
            let command = format!("ssh{options} -oConnectTimeout=120 -i '{identity}'");
            return execution.variable("GIT_SSH_COMMAND", &command).succeed();
        }
        if let Some(name) = &self.user {
            let unknown = || Fault::new(format!("Could not find user {name}"));
            let uid = context.accounts.uid(name).ok_or_else(unknown)?;
            if uid != rustix::process::geteuid().as_raw() {
                let known = context.accounts.user_name(uid).unwrap_or_else(|| name.clone());
                let gid = context.accounts.user(&known).map_or(uid, |user| user.gid);
                execution = execution.user(uid, gid, Some(known));
            }
        }
        execution.succeed()
    }

    fn url(&self) -> Option<&str> {
        self.remotes.iter().find(|(name, _)| *name == self.remote).map(|(_, url)| url.as_str())
    }

    /// Whether it is there, with files to work on, and comes from where it should.
    pub(super) fn is_working_copy(&self) -> bool {
        let own = self.path.join(".git");
        match self.url().map(|url| (url, fs::read_to_string(own.join("config")))) {
            Some((url, Ok(text))) => text.contains(url),
            Some((_, Err(_))) | None => own.is_dir(),
        }
    }

    /// Whether it is there without files to work on.
    pub(super) fn is_bare_repository(&self) -> bool {
        self.path.join("config").exists() && !self.is_working_copy()
    }

    /// Whether there is something at its path.
    pub(super) fn is_path_taken(&self) -> bool {
        fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_some())
    }

    fn io<T>(&self, outcome: std::io::Result<T>) -> Outcome<T> {
        outcome.map_err(|error| Fault::io(&error, &self.path.display().to_string()))
    }

    /// Removes it.
    pub(super) fn destroy(&self) -> Outcome {
        match fs::symlink_metadata(&self.path) {
            Ok(found) if found.is_dir() => self.io(fs::remove_dir_all(&self.path)),
            Ok(_) => self.io(fs::remove_file(&self.path)),
            Err(_) => Ok(()),
        }
    }

    /// Makes one with nothing in it.
    pub(super) fn initialize(&self, context: &mut Context<'_>) -> Outcome {
        if !self.path.is_dir() {
            self.io(fs::create_dir(&self.path))?;
        }
        if let Some(user) = &self.user {
            let uid = context.accounts.uid(user);
            self.io(Place::of(&self.path).and_then(|place| place.chown(uid, None)))?;
        }
        let arguments: &[&str] = if self.is_bare { &["init", "--bare"] } else { &["init"] };
        self.run(arguments, context).map(drop)
    }

    /// Gets it from where it comes.
    pub(super) fn clone(&self, context: &mut Context<'_>) -> Outcome {
        let path = self.path.display().to_string();
        let mut arguments = vec!["clone"];
        if let Some(depth) = &self.depth {
            arguments.extend(["--depth", depth]);
            arguments.extend(self.revision.iter().flat_map(|revision| ["--branch", revision]));
        }
        arguments.extend(self.branch.iter().flat_map(|branch| ["--branch", branch]));
        arguments.extend(self.is_bare.then_some("--bare"));
        if self.remote != "origin" {
            arguments.extend(["--origin", &self.remote]);
        }
        arguments.extend([self.url().unwrap_or_default(), &path]);
        self.run_in(Path::new("/"), &arguments, context).map(drop)
    }

    /// Has it know all remotes.
    pub(super) fn update_remotes(&self, context: &mut Context<'_>) -> Outcome {
        let mut remotes: Vec<&(String, String)> = self.remotes.iter().collect();
        remotes.sort();
        let mut is_changed = false;
        for (name, url) in remotes {
            let known = self.run(&["config", "-l"], context)?;
            if !known.contains(&format!("remote.{name}.url")) {
                self.run(&["remote", "add", name, url], context)?;
                is_changed = true;
            } else if !known.contains(&format!("remote.{name}.url={url}")) {
                self.run(&["remote", "set-url", name, url], context)?;
                is_changed = true;
            }
        }
        if is_changed {
            self.run(&["remote", "update"], context)?;
        }
        Ok(())
    }

    /// Gets what is new.
    pub(super) fn update_references(&self, context: &mut Context<'_>) -> Outcome {
        self.update_remotes(context)?;
        self.run(&["fetch", &self.remote], context)?;
        self.run(&["fetch", "--tags", &self.remote], context)?;
        self.finish(context)
    }

    /// Gets the repositories inside it.
    pub(super) fn update_submodules(&self, context: &mut Context<'_>) -> Outcome {
        match !self.is_bare && self.has_submodules {
            true => self.run(&["submodule", "update", "--init", "--recursive"], context).map(drop),
            false => Ok(()),
        }
    }

    fn lines(&self, arguments: &[&str], context: &mut Context<'_>) -> Outcome<Vec<String>> {
        let text = self.run(arguments, context)?;
        Ok(text.lines().map(|line| line.replace('*', " ").trim().to_owned()).collect())
    }

    fn has_branch(&self, name: &str, context: &mut Context<'_>) -> Outcome<bool> {
        Ok(self.lines(&["branch", "-a"], context)?.iter().any(|branch| branch == name))
    }

    fn has_remote_branch(&self, name: &str, context: &mut Context<'_>) -> Outcome<bool> {
        let wanted = format!("{}/{name}", self.remote);
        Ok(self.lines(&["branch", "-a"], context)?.iter().any(|branch| branch.contains(&wanted)))
    }

    /// The commit that a revision is; the name that is wanted, if it is that.
    pub(super) fn current(&self, revision: &str, context: &mut Context<'_>) -> Outcome<String> {
        self.update_references(context)?;
        let current = self.run(&["rev-parse", revision], context)?.trim().to_owned();
        let Some(wanted) = &self.revision else { return Ok(current) };
        let named = match () {
            () if self.lines(&["tag", "-l"], context)?.contains(wanted) => format!("{wanted}^0"),
            () if self.has_branch(wanted, context)? => wanted.clone(),
            () if self.has_remote_branch(wanted, context)? => format!("{}/{wanted}", self.remote),
            () => String::new(),
        };
        let canonical = match named.as_str() {
            "" => self.run(&["rev-parse", "--revs-only", wanted], context)?,
            named => self.run(&["rev-parse", named], context)?,
        };
        if canonical.trim().is_empty() {
            return Err(Fault::new(format!("{wanted} is not a local or remote ref")));
        }
        Ok(if canonical.trim() == current { wanted.clone() } else { current })
    }

    /// Whether it has all that the remote has of its branch.
    pub(super) fn is_latest(&self, context: &mut Context<'_>) -> Outcome<bool> {
        let branches = self.run(&["branch", "-a"], context)?;
        let own = branches.lines().find_map(|line| line.strip_prefix('*')).map(str::trim);
        let is_detached =
            |name: &str| ["(detached from", "(HEAD detached at", "(no branch"].iter().any(|word| name.contains(word));
        let newest = match own.filter(|name| !is_detached(name)) {
            Some(branch) => self.current(&format!("{}/{branch}", self.remote), context)?,
            None => self.current("HEAD", context)?,
        };
        Ok(self.current("HEAD", context)? == newest)
    }

    /// Puts the files of a revision in their places.
    pub(super) fn check_out(&self, revision: &str, context: &mut Context<'_>) -> Outcome {
        let wanted = self.revision.as_deref().unwrap_or_default();
        let is_new = !self.has_branch(wanted, context)? && self.has_remote_branch(wanted, context)?;
        let tracked = format!("{}/{revision}", self.remote);
        match is_new {
            true => self.run(&["checkout", "--force", "-b", revision, "--track", &tracked], context),
            false => self.run(&["checkout", "--force", revision], context),
        }
        .map(drop)
    }

    /// Brings it to a revision.
    pub(super) fn set_revision(&self, revision: &str, context: &mut Context<'_>) -> Outcome {
        self.check_out(revision, context)?;
        if self.has_branch(revision, context)? {
            let own = format!("{}/{revision}", self.remote);
            self.run(&["reset", "--hard", if self.remotes.is_empty() { revision } else { &own }], context)?;
        }
        self.update_submodules(context)?;
        self.finish(context)
    }

    fn aside(&self) -> PathBuf {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.path.with_file_name(format!(".{name}.vcsrepo-{}", std::process::id()))
    }

    /// Leaves only what is not a file to work on.
    pub(super) fn convert_to_bare(&self) -> Outcome {
        let aside = self.aside();
        self.io(fs::rename(self.path.join(".git"), &aside))?;
        self.destroy()?;
        self.io(fs::rename(&aside, &self.path))
    }

    /// Puts files to work on next to it.
    pub(super) fn convert_to_working_copy(&self, context: &mut Context<'_>) -> Outcome {
        let aside = self.aside();
        self.io(fs::rename(&self.path, &aside))?;
        self.io(fs::create_dir(&self.path))?;
        let own = self.path.join(".git");
        self.io(fs::rename(&aside, &own))?;
        if !fs::read_dir(own.join("objects/info")).is_ok_and(|mut entries| entries.next().is_some()) {
            return Ok(());
        }
        self.run(&["reset", "--hard", "HEAD"], context)?;
        self.run(&["checkout", "--force"], context).map(drop)
    }

    /// Gives the files to their owner, and tells which are no part of it.
    pub(super) fn finish(&self, context: &mut Context<'_>) -> Outcome {
        if self.owner.is_some() || self.group.is_some() {
            let uid = self.owner.as_ref().and_then(|name| context.accounts.uid(name));
            let gid = self.group.as_ref().and_then(|name| context.accounts.gid(name));
            self.io(give(&self.path, (uid, gid)))?;
        }
        let Some(excludes) = &self.excludes else { return Ok(()) };
        let text: String = excludes.iter().map(|pattern| format!("{pattern}\n")).collect();
        self.io(crate::write::replace(&self.path.join(".git/info/exclude"), &text, 0o644))
    }
}

/// Gives all of a directory to an owner; links are not followed.
fn give(path: &Path, owner: (Option<u32>, Option<u32>)) -> std::io::Result<()> {
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        Place::of(&path)?.chown(owner.0, owner.1)?;
        if fs::symlink_metadata(&path)?.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        }
    }
    Ok(())
}
