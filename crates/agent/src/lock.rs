//! Locks: one agent at a time applies a catalog, and none while the agent is disabled.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use bunraku::whole_file;
use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};

/// A lock that this process has; it goes when this is dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
}

impl Lock {
    /// Takes the lock; nothing if another agent has it. A lock whose owner is gone, or is no agent, counts for nothing.
    pub fn take(path: &Path) -> io::Result<Option<Lock>> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let own = std::process::id();
        // The lock appears with the number in it, so that it is never taken for one that was left half-written.
        let part = path.with_extension(format!("lock.{own}"));
        whole_file::write(&part, &own.to_string())?;
        let taken = take(&part, path);
        fs::remove_file(&part)?;
        Ok(taken?.then(|| Lock { path: path.to_owned() }))
    }

    /// Gives the lock back without waiting for the end of its life, for a process that is about to end.
    pub fn abandon(path: &Path) {
        if owner(path) == i32::try_from(std::process::id()).ok() {
            // Where it cannot be removed, the next run finds that its owner is gone.
            _ = fs::remove_file(path);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        Lock::abandon(&self.path);
    }
}

fn take(part: &Path, path: &Path) -> io::Result<bool> {
    for _ in 0..2 {
        match fs::hard_link(part, path) {
            Ok(()) => return Ok(true),
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            Err(_) if is_held(path) => return Ok(false),
            Err(_) => match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            },
        }
    }
    Ok(false)
}

/// The process that a lock names.
fn owner(path: &Path) -> Option<i32> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Whether the process that a lock names is an agent that runs.
fn is_held(path: &Path) -> bool {
    let Some(process) = owner(path).and_then(Pid::from_raw) else { return false };
    if matches!(test_kill_process(process), Err(rustix::io::Errno::SRCH)) {
        return false;
    }
    let read = |file: &str| fs::read(format!("/proc/{}/{file}", process.as_raw_nonzero())).unwrap_or_default();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim_end().replace('\0', " ");
    is_agent(&text(read("comm")), &text(read("cmdline")))
}

/// Whether a process of this name and these arguments is an agent, of Puppet or of ours.
fn is_agent(name: &str, arguments: &str) -> bool {
    let ends_like_puppet = name.rfind("puppet").is_some_and(|at| {
        let rest = name.get(at + "puppet".len()..).unwrap_or_default();
        rest.is_empty() || rest.starts_with('-')
    });
    ends_like_puppet
        || name.contains("ruby") && arguments.contains("puppet")
        || name.contains("bunraku") && arguments.contains("agent")
}

/// Why nothing is applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disabled {
    /// What whoever disabled the agent says about it.
    pub reason: Option<String>,
    /// Whether there is something in the file that is no JSON.
    pub is_garbled: bool,
}

/// The key of the reason in the file.
const REASON: &str = "disabled_message";

/// Lets no agent apply anything until it is enabled again. Whoever was first stays the one who says why.
pub fn disable(path: &Path, reason: &str) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    whole_file::write_for(path, json!({ REASON: reason }).to_string().as_bytes(), |file| {
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
    })
}

/// Lets agents apply catalogs again.
pub fn enable(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether the agent is disabled, and why.
pub fn disabled(path: &Path) -> Option<Disabled> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        // What cannot be read disables the agent all the same.
        read => read.unwrap_or_default(),
    };
    let data = serde_json::from_str::<Value>(&text);
    let is_garbled = data.is_err() && !text.is_empty();
    let data = data.unwrap_or_default();
    Some(Disabled { reason: data.get(REASON).and_then(Value::as_str).map(str::to_owned), is_garbled })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    fn directory(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("bunraku-lock-{name}-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    #[test]
    fn a_lock_is_for_one_and_goes_with_its_owner() {
        let directory = directory("one");
        let path = directory.join("run.lock");
        let lock = Lock::take(&path).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), std::process::id().to_string());
        drop(lock);
        assert!(!path.exists());
        for stale in ["", "no number", "1", "2147483647"] {
            fs::write(&path, stale).unwrap();
            assert!(Lock::take(&path).unwrap().is_some(), "{stale:?}");
        }
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn an_agent_is_known_by_its_name() {
        for (name, arguments, is) in [
            ("puppet", "/usr/bin/puppet agent", true),
            ("puppet-agent", "", true),
            ("ruby", "/usr/bin/ruby /usr/bin/puppet agent", true),
            ("bunraku", "bunraku agent --test", true),
            ("bunraku", "bunraku server", false),
            ("ruby", "ruby x.rb", false),
            ("puppetserver", "", false),
            ("init", "/sbin/init", false),
        ] {
            assert_eq!(is_agent(name, arguments), is, "{name}");
        }
    }

    #[test]
    fn who_disables_says_why() {
        let directory = directory("disabled");
        let path = directory.join("agent_disabled.lock");
        assert_eq!(disabled(&path), None);
        disable(&path, "maintenance").unwrap();
        disable(&path, "later").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), r#"{"disabled_message":"maintenance"}"#);
        assert_eq!(disabled(&path), Some(Disabled { reason: Some("maintenance".to_owned()), is_garbled: false }));
        enable(&path).unwrap();
        enable(&path).unwrap();
        assert_eq!(disabled(&path), None);
        fs::remove_dir_all(&directory).unwrap();
    }
}
