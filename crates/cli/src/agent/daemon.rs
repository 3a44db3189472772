//! The agent that stays: it looks every once in a while, each time in a process of its own, and does what signals ask for.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bunraku::apply::{Level, Log};
use bunraku::{PUPPET_VERSION, Settings};
use bunraku_agent::{Lock, seconds};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use super::{flag, path};

/// How often it is looked whether a run has ended.
const LOOK: Duration = Duration::from_millis(100);

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    End,
    /// To begin anew, with the settings as they are then.
    Restart,
    /// To look now.
    Run,
    /// To open the files of the log again, which somebody has moved.
    OpenLog,
}

impl Wish {
    /// What a signal asks for, and what is said about it.
    fn of(signal: i32) -> (Wish, &'static str) {
        match signal {
            SIGHUP => (Wish::Restart, "Caught HUP; storing restart"),
            SIGUSR1 => (Wish::Run, "Caught USR1; storing reload"),
            SIGUSR2 => (Wish::OpenLog, "Caught USR2; storing reopen_logs"),
            SIGINT => (Wish::End, "Caught INT; exiting"),
            _ => (Wish::End, "Caught TERM; exiting"),
        }
    }
}

/// Runs again and again, in the background unless the settings say otherwise.
pub(super) fn run(settings: &Settings, open_log: &dyn Fn() -> Result<Log, String>) -> Result<ExitCode, String> {
    if flag(settings, "daemonize")? {
        return detach();
    }
    let mut log = open_log()?;
    let file = path(settings, "pidfile")?;
    let taken = Lock::take(&file).map_err(|error| format!("{}: {}", file.display(), bunraku::reason(&error)))?;
    let Some(lock) = taken else { return Err(format!("Could not create PID file: {}", file.display())) };
    let signals = watch()?;
    log.say(Level::Notice, format!("Starting Puppet client version {PUPPET_VERSION}"));
    let interval = Duration::from_secs(seconds(settings, "runinterval")?.unwrap_or(1800));
    let wait = seconds(settings, "waitforcert")?.unwrap_or_default().to_string();
    let mut is_asked = false;
    loop {
        // A run leaves nothing behind in this process, whatever becomes of it; what it has to say it says itself.
        let mut command = again()?;
        command.arg("--onetime").stdin(Stdio::null());
        if !std::env::args_os().any(|it| it == "--waitforcert" || it == "-w") {
            command.args(["--waitforcert", &wait]);
        }
        if is_asked {
            command.arg("--no-splay");
        }
        let mut child = match command.spawn() {
            Ok(child) => Some(child),
            Err(error) => {
                let reason = bunraku::reason(&error);
                log.say(Level::Err, format!("Could not run Puppet configuration client: {reason}"));
                None
            }
        };
        let end = Instant::now() + interval;
        is_asked = false;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            // While nothing runs there is nothing to look at.
            let time = match is_running(&mut child) {
                true => LOOK,
                false if is_asked || left.is_zero() => break,
                false => left,
            };
            let signal = match signals.recv_timeout(time) {
                Ok(signal) => signal,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err("nobody watches for signals".to_owned()),
            };
            let (wish, message) = Wish::of(signal);
            log.say(Level::Notice, message);
            match wish {
                Wish::End => {
                    stop(&mut child);
                    return Ok(ExitCode::SUCCESS);
                }
                Wish::Restart => {
                    // Who is at work finishes it: the next one waits for that.
                    child.as_mut().map(Child::wait);
                    drop(lock);
                    let error = again()?.exec();
                    return Err(format!("Could not begin anew: {}", bunraku::reason(&error)));
                }
                Wish::Run if child.is_some() => {
                    log.say(Level::Notice, "Not triggering already-running agent");
                }
                Wish::Run => is_asked = true,
                Wish::OpenLog => log = open_log()?,
            }
        }
    }
}

/// Hands on what signals ask for.
fn watch() -> Result<Receiver<i32>, String> {
    let (tell, told) = channel();
    let begin = || {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2])?;
        let hand_on =
            move || signals.forever().map(|signal| tell.send(signal)).take_while(Result::is_ok).for_each(drop);
        std::thread::Builder::new().name("signals".to_owned()).spawn(hand_on)
    };
    let begun: std::io::Result<_> = begin();
    begun.map_err(|error| format!("Could not watch for signals: {}", bunraku::reason(&error)))?;
    Ok(told)
}

/// Whether the run is not at its end. One that has ended is forgotten.
fn is_running(child: &mut Option<Child>) -> bool {
    let is_running = child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)));
    if !is_running {
        *child = None;
    }
    is_running
}

/// Ends the run as whoever wants this process to end would.
fn stop(child: &mut Option<Child>) {
    let Some(child) = child else { return };
    if let Some(process) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        _ = kill_process(process, Signal::TERM);
    }
    _ = child.wait();
}

/// Goes on in the background, in a process that no terminal ends.
fn detach() -> Result<ExitCode, String> {
    let mut command = again()?;
    command.arg("--no-daemonize").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command.spawn().map_err(|error| format!("Could not go to the background: {}", bunraku::reason(&error)))?;
    Ok(ExitCode::SUCCESS)
}

/// This command, as it was called.
fn again() -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| bunraku::reason(&error))?;
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1));
    Ok(command)
}
