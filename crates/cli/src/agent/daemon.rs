//! The agent that stays: it looks every once in a while, each time in a process of its own.

use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use bunraku::apply::{Level, Log};
use bunraku::{PUPPET_VERSION, Settings};
use bunraku_agent::{Lock, seconds};

use super::{flag, path};

/// Runs again and again, in the background unless the settings say otherwise.
pub(super) fn run(settings: &Settings, log: &mut Log) -> Result<ExitCode, String> {
    if flag(settings, "daemonize")? {
        return detach();
    }
    let file = path(settings, "pidfile")?;
    let taken = Lock::take(&file).map_err(|error| format!("{}: {}", file.display(), bunraku::reason(&error)))?;
    let Some(_lock) = taken else { return Err(format!("Could not create PID file: {}", file.display())) };
    log.say(Level::Notice, format!("Starting Puppet client version {PUPPET_VERSION}"));
    let interval = Duration::from_secs(seconds(settings, "runinterval")?.unwrap_or(1800));
    loop {
        // A run leaves nothing behind in this process, whatever becomes of it; what it has to say it says itself.
        if let Err(error) = again()?.args(["--onetime"]).stdin(Stdio::null()).status() {
            log.say(Level::Err, format!("Could not run Puppet configuration client: {}", bunraku::reason(&error)));
        }
        std::thread::sleep(interval);
    }
}

/// Goes on in the background, in a process that no terminal ends.
fn detach() -> Result<ExitCode, String> {
    use std::os::unix::process::CommandExt;
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
