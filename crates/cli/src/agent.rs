//! `bunraku agent`: gets a catalog from a server, or takes the one that was kept, and brings this machine to its state.

mod daemon;
mod host;
mod run;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bunraku::apply::{Level, Log};
use bunraku::{Disk, RunMode, Settings, World};
use bunraku_agent::{Bootstrap, Disabled, Identity, Lock, Stop, disable, disabled, enable, fingerprint, seconds};
use clap::Args;

use crate::apply::{agent_destinations, destinations};
use crate::output::print;
use crate::report::log;
use crate::setup::Setup;
use run::CatalogRun;

/// Get the catalog of this machine from a server and apply it.
///
/// The first time a certificate is asked for. Without --test and --onetime the agent stays in the background and looks every
/// half an hour (setting runinterval); with --no-daemonize it stays in the foreground.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku agent --test --server puppet.example.com\n  \
    bunraku agent --test --noop\n  \
    bunraku agent --test --use_cached_catalog\n  \
    bunraku agent --disable 'while the disk is replaced'")]
pub(crate) struct Agent {
    /// Run once in the foreground, and tell everything: --onetime, --verbose, --no-daemonize, --show_diff,
    /// --detailed-exitcodes, --no-usecacheonfailure, --no-splay
    #[arg(short, long)]
    test: bool,
    /// Exit with 2 if something changed, 4 if something failed, 6 if both, 1 if nothing could be applied
    #[arg(long = "detailed-exitcodes")]
    detailed_exitcodes: bool,
    /// Let no agent apply anything, for a reason
    #[arg(long, value_name = "REASON", num_args = 0..=1, default_missing_value = "reason not specified")]
    disable: Option<String>,
    /// Let agents apply catalogs again
    #[arg(long)]
    enable: bool,
    /// Show the fingerprint of the certificate, or of the request for one
    #[arg(long)]
    fingerprint: bool,
    /// The digest of the fingerprint
    #[arg(long, value_name = "NAME", default_value = "SHA256")]
    digest: String,
    /// How many seconds to wait before looking again whether the certificate is signed; 0 ends the agent
    #[arg(short, long, value_name = "SECONDS")]
    waitforcert: Option<u64>,
    /// The job that the run belongs to, for reports
    #[arg(long = "job-id", value_name = "ID")]
    job_id: Option<String>,
    /// The name of this machine, in the place of the setting certname
    #[arg(long, value_name = "NAME")]
    fqdn: Option<String>,
    /// Where messages go: console, syslog, or a file
    #[arg(short, long, value_name = "PLACE")]
    logdest: Option<String>,
    /// There are none; who gives one is told
    #[arg(hide = true)]
    arguments: Vec<String>,
    #[command(flatten)]
    setup: Setup,
}

/// How often an agent that waits for another looks again, at most.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

impl Agent {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        self.obey().unwrap_or_else(|message| {
            log("Error", &message);
            ExitCode::FAILURE
        })
    }

    fn obey(mut self) -> Result<ExitCode, String> {
        if !self.arguments.is_empty() {
            return Err("Could not prepare for execution: The puppet agent command does not take parameters".to_owned());
        }
        let mut given: Vec<(&str, String)> = Vec::new();
        if self.test {
            for (name, value) in [
                ("usecacheonfailure", "false"),
                ("splay", "false"),
                ("show_diff", "true"),
                ("daemonize", "false"),
                ("onetime", "true"),
            ] {
                given.push((name, value.to_owned()));
            }
            if !self.setup.is_verbose() {
                given.push(("log_level", "info".to_owned()));
            }
        }
        given.extend(self.fqdn.clone().map(|name| ("certname", name)));
        given.extend(self.logdest.clone().map(|place| ("logdest", place)));
        self.setup = std::mem::take(&mut self.setup).with_settings(given);
        let settings = self.setup.settings_with_log(RunMode::Agent).map_err(|issue| issue.to_string())?;
        let is_shown = self.test || self.setup.is_verbose();
        let level = Level::named(&text(&settings, "log_level")?).unwrap_or(Level::Notice);
        let open_log = || {
            let places = match settings.is_from_command_line("logdest") {
                true => destinations(&settings)?,
                false => agent_destinations(&settings, is_shown)?,
            };
            Ok(Log::new(level, places))
        };
        if self.fingerprint {
            return self.show_fingerprint(&settings);
        }
        if !self.enable && self.disable.is_none() && !flag(&settings, "onetime")? {
            return daemon::run(&settings, &open_log);
        }
        let mut log = open_log()?;
        if self.enable || self.disable.is_some() {
            return self.set_disabled(&settings, &mut log).map(|()| ExitCode::SUCCESS);
        }
        crate::interrupt::remove_unfinished_files()?;
        let code = self.once(settings, &mut log).unwrap_or_else(|message| {
            log.say(Level::Err, message);
            None
        });
        Ok(match code {
            None => ExitCode::FAILURE,
            Some(code) if self.detailed_exitcodes || self.test => ExitCode::from(code),
            Some(_) => ExitCode::SUCCESS,
        })
    }

    fn show_fingerprint(&self, settings: &Settings) -> Result<ExitCode, String> {
        match fingerprint(settings, &self.digest) {
            Ok(Some(fingerprint)) => print(format_args!("{fingerprint}\n")).map(|()| ExitCode::SUCCESS),
            Ok(None) => {
                let reason = "neither the certificate, nor the certificate request have been issued";
                crate::output::tell(format_args!("Fingerprint asked but {reason}\n"));
                Ok(ExitCode::FAILURE)
            }
            Err(reason) => Err(format!("Failed to generate fingerprint: {reason}")),
        }
    }

    fn set_disabled(&self, settings: &Settings, log: &mut Log) -> Result<(), String> {
        let path = path(settings, "agent_disabled_lockfile")?;
        let done = match &self.disable {
            Some(reason) if !self.enable => {
                log.say(Level::Notice, "Disabling Puppet.");
                disable(&path, reason)
            }
            _ => {
                log.say(Level::Notice, "Enabling Puppet.");
                enable(&path)
            }
        };
        done.map_err(|error| format!("{}: {}", path.display(), bunraku::reason(&error)))
    }

    /// One run. Nothing if there was none: the agent is disabled, or another one is at work, or there is no catalog.
    fn once(&self, settings: Settings, log: &mut Log) -> Result<Option<u8>, String> {
        let begun = Instant::now();
        if is_disabled(&settings, log)? {
            return Ok(None);
        }
        if flag(&settings, "splay")? {
            splay(&settings, log)?;
            if is_disabled(&settings, log)? {
                return Ok(None);
            }
        }
        let wait = match (self.waitforcert, flag(&settings, "onetime")?) {
            (Some(seconds), _) => seconds,
            (None, true) => 0,
            (None, false) => seconds(&settings, "waitforcert")?.unwrap_or_default(),
        };
        let tell = |line: &str| _ = print(format_args!("{line}\n"));
        let mut bootstrap = Bootstrap { settings: &settings, wait, is_onetime: true, log: log.clone(), tell: &tell };
        let identity = match bootstrap.run() {
            Ok(identity) => identity,
            Err(Stop::Failed(reason)) => return Err(reason),
            Err(Stop::Unsigned) => return Ok(None),
        };
        let Some(_lock) = lock(&settings, log)? else { return Ok(None) };
        if is_disabled(&settings, log)? {
            return Ok(None);
        }
        limit_time(&settings)?;
        self.apply(settings, identity, begun, log)
    }

    fn apply(
        &self,
        settings: Settings,
        identity: Identity,
        begun: Instant,
        log: &mut Log,
    ) -> Result<Option<u8>, String> {
        let mut run = CatalogRun::new(&self.setup, settings, identity, self.job_id.clone())?;
        run.startup = begun.elapsed();
        run.run(log)
    }
}

fn text(settings: &Settings, name: &str) -> Result<String, String> {
    settings.text(name).map_err(|issue| issue.message().to_owned())
}

fn flag(settings: &Settings, name: &str) -> Result<bool, String> {
    settings.boolean(name).map_err(|issue| issue.message().to_owned())
}

fn path(settings: &Settings, name: &str) -> Result<PathBuf, String> {
    text(settings, name).map(PathBuf::from)
}

fn is_disabled(settings: &Settings, log: &mut Log) -> Result<bool, String> {
    let path = path(settings, "agent_disabled_lockfile")?;
    let Some(Disabled { reason, is_garbled }) = disabled(&path) else { return Ok(false) };
    if is_garbled {
        let path = path.display();
        log.say(Level::Warning, format!("Unable to read lockfile data from {path}: not in JSON"));
    }
    log.say(
        Level::Notice,
        format!(
            "Skipping run of Puppet configuration client; administratively disabled (Reason: '{}');\nUse 'puppet agent \
             --enable' to re-enable.",
            reason.unwrap_or_default()
        ),
    );
    Ok(true)
}

/// Waits a while, so that not all agents ask at once.
fn splay(settings: &Settings, log: &mut Log) -> Result<(), String> {
    let limit = seconds(settings, "splaylimit")?.unwrap_or_default();
    let mut bytes = [0; 8];
    Disk.random(&mut bytes).map_err(|error| bunraku::reason(&error))?;
    let time = u64::from_le_bytes(bytes) % limit.saturating_add(1);
    log.say(Level::Info, format!("Sleeping for {time} seconds (splay is enabled)"));
    std::thread::sleep(Duration::from_secs(time));
    Ok(())
}

/// Makes sure that no other agent is at work. Nothing if one is, for longer than this one waits.
fn lock(settings: &Settings, log: &mut Log) -> Result<Option<Lock>, String> {
    let path = path(settings, "agent_catalog_run_lockfile")?;
    let wait = seconds(settings, "waitforlock")?.unwrap_or_default();
    let most = seconds(settings, "maxwaitforlock")?.map(Duration::from_secs);
    let start = Instant::now();
    loop {
        let taken = Lock::take(&path).map_err(|error| format!("{}: {}", path.display(), bunraku::reason(&error)))?;
        if taken.is_some() {
            return Ok(taken);
        }
        if wait < 1 {
            let path = path.display();
            let message = format!("Run of Puppet configuration client already in progress; skipping  ({path} exists)");
            log.say(Level::Notice, message);
            return Ok(None);
        }
        if most.is_some_and(|most| start.elapsed() >= most) {
            log.say(Level::Notice, "Exiting now because the maxwaitforlock timeout has been exceeded.");
            return Ok(None);
        }
        let another = "Another puppet instance is already running; --waitforlock flag used";
        log.say(Level::Info, format!("{another}, waiting for running instance to finish."));
        log.say(Level::Info, format!("Will try again in {wait} seconds."));
        let until = Instant::now() + Duration::from_secs(wait);
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            std::thread::sleep(left.min(LONGEST_LOOK));
        }
    }
}

/// A run that takes longer than it may ends where it is, without its lock and without half-written files.
fn limit_time(settings: &Settings) -> Result<(), String> {
    let Some(limit) = seconds(settings, "runtimeout")?.filter(|limit| *limit > 0) else { return Ok(()) };
    let lock = path(settings, "agent_catalog_run_lockfile")?;
    let end = move || {
        std::thread::sleep(Duration::from_secs(limit));
        let client = "Execution of Puppet configuration client";
        log("Error", &format!("{client} did not complete within {limit} seconds and was terminated."));
        bunraku::whole_file::abandon_all();
        Lock::abandon(&lock);
        std::process::exit(1);
    };
    let thread = std::thread::Builder::new().name("runtimeout".to_owned()).spawn(end);
    thread.map(drop).map_err(|error| format!("no thread that watches the time: {error}"))
}
