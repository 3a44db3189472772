//! A process together with all that it starts: they end together, and none of them outlives this program.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};

/// What the guard of a group runs: when this program is gone, so is the other end of its standard input.
#[cfg(unix)]
const GUARD: &str = "trap '' HUP INT TERM; read line; kill -KILL 0";

/// A process in a group of its own, to which everything belongs that it starts, unless that leaves on purpose.
///
/// A guard in the same group waits for the end of this program, whatever ends it: a handler of signals or of panics
/// could not see to that, and a parent-death signal would come with the end of the thread that started the process.
#[derive(Debug)]
pub struct ProcessGroup {
    leader: Child,
    /// While the guard lives, no other group can have this group's number. It is the one who reads our pipe.
    guard: Option<Child>,
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    /// Starts a command as the first process of a new group.
    pub fn start(command: &mut Command) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let leader = command.spawn()?;
        let guard = guard(&leader);
        Ok(ProcessGroup { leader, guard, status: None })
    }

    /// The process that was started, with its pipes.
    pub fn leader(&mut self) -> &mut Child {
        &mut self.leader
    }

    /// How the process that was started has ended, if it has.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.leader.try_wait()?;
        }
        Ok(self.status)
    }

    /// Kills all processes of the group and collects those that were started here, so that none is left as a zombie.
    pub fn end(&mut self) {
        if self.guard.is_none() && self.status.is_some() {
            // Nothing of it is known to be left, and its number may be that of others by now.
            return;
        }
        #[cfg(unix)]
        if let Some(id) = i32::try_from(self.leader.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
        let _ = self.leader.kill();
        self.status = self.leader.wait().ok().or(self.status);
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts the guard of a group. A machine without a shell has none: there, only what this program ends itself ends.
#[cfg(unix)]
fn guard(leader: &Child) -> Option<Child> {
    use std::os::unix::process::CommandExt;
    let mut guard = Command::new("/bin/sh");
    guard.args(["-c", GUARD]).process_group(i32::try_from(leader.id()).ok()?);
    guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

#[cfg(not(unix))]
fn guard(_: &Child) -> Option<Child> {
    None
}
