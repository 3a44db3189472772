//! One run of the agent: the environment, plugins, facts, the catalog, the commands before and after it, and the report.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bunraku::apply::{Level, Log, Options, Prepared, Run};
use bunraku::notation::yaml;
use bunraku::world::Command;
use bunraku::{Catalog, Compiler, Disk, Hash, Issue, Settings, Value, World, whole_file, wire};
use bunraku_agent::{Asked, Client, Failure, Identity, Mirror, Plugins, Server, stand_for_module};

use super::host::{AgentHost, Files};
use super::{flag, path, text};
use crate::apply::{ProjectHost, options};
use crate::output::print;
use crate::setup::Setup;

/// How often the server may name another environment.
const MOST_ENVIRONMENTS: usize = 4;

/// A catalog as it was sent, and what it says.
struct Received {
    catalog: Catalog,
    text: String,
}

impl Received {
    /// The environment that it is for, if that is not this one.
    fn other_environment(&self, own: &str) -> Option<String> {
        let other = &self.catalog.environment;
        (!other.is_empty() && other != own).then(|| other.to_string())
    }
}

/// One run of the agent.
pub(super) struct CatalogRun<'a> {
    setup: &'a Setup,
    settings: Settings,
    identity: Identity,
    name: String,
    environment: String,
    options: Options,
    /// How long it took to get so far.
    pub(super) startup: Duration,
}

impl<'a> CatalogRun<'a> {
    /// A run that nothing has been done for.
    pub(super) fn new(
        setup: &'a Setup,
        settings: Settings,
        identity: Identity,
        job_id: Option<String>,
    ) -> Result<Self, String> {
        let name = text(&settings, "certname")?;
        let environment = text(&settings, "environment")?;
        let mut options = options(&settings, &name).map_err(|issue| issue.to_string())?;
        options.run_mode = "agent".to_owned();
        options.job_id = job_id;
        options.paths.transaction_store = Some(path(&settings, "transactionstorefile")?);
        Ok(CatalogRun { setup, settings, identity, name, environment, options, startup: Duration::ZERO })
    }

    /// Does it all; the exit code, or nothing if no catalog was applied.
    pub(super) fn run(mut self, log: &mut Log) -> Result<Option<u8>, String> {
        let mut run = Run::begin(&self.environment, log);
        run.note_time("startup_time", self.startup);
        let attempted = self.attempt(&mut run, log);
        if let Err(Some(reason)) = &attempted {
            log.say(Level::Err, reason.clone());
        }
        let is_fine = self.command("postrun_command", log)?;
        run.environment.clone_from(&self.environment);
        let outcome = run.conclude(&self.options, log);
        if flag(&self.settings, "summarize")? {
            print(format_args!("{}", outcome.summary))?;
        }
        if flag(&self.settings, "report")? {
            self.send_report(&outcome.report, log);
        }
        let code = u8::from(outcome.is_changed) * 2 + u8::from(outcome.is_failed) * 4;
        Ok((attempted.is_ok() && is_fine).then_some(code))
    }

    /// Everything up to the end of the catalog. An error is why nothing was applied, if that has not been told.
    fn attempt(&mut self, run: &mut Run, log: &mut Log) -> Result<(), Option<String>> {
        let mut server = self.server(log)?;
        let mut cached = None;
        if self.is_cached()? {
            cached = self.cached(log);
            match &cached {
                Some(Received { catalog, .. }) => self.move_to_cached(catalog, log)?,
                None => {
                    self.settings.set("use_cached_catalog", "false");
                    self.settings.set("usecacheonfailure", "false");
                }
            }
        }
        if cached.is_none() {
            self.find_environment(&mut server, run, log)?;
        }
        log.say(Level::Info, format!("Using environment '{}'", self.environment));
        let (mut compiler, mut facts) = self.prepare(&mut server, cached.is_none(), true, run, log)?;
        let mut received = match cached {
            Some(received) => received,
            None => self.catalog(&mut server, &facts, log)?,
        };
        let is_strict = flag(&self.settings, "strict_environment_mode")?;
        let mut tries = 0;
        while let Some(other) = received.other_environment(&self.environment) {
            let own = self.environment.clone();
            if is_strict {
                return Err(Some(format!(
                    "Not using catalog because its environment '{other}' does not match agent specified environment \
                     '{own}' and strict_environment_mode is set"
                )));
            }
            if tries >= MOST_ENVIRONMENTS {
                let reason = format!("Catalog environment didn't stabilize after {tries} fetches, aborting run");
                return Err(Some(format!("Failed to apply catalog: {reason}")));
            }
            log.say(
                Level::Notice,
                format!(
                    "Local environment: '{own}' doesn't match server specified environment '{other}', restarting agent \
                     run with environment '{other}'"
                ),
            );
            self.environment = other;
            (compiler, facts) = self.prepare(&mut server, true, false, run, log)?;
            received = self.catalog(&mut server, &facts, log)?;
            tries += 1;
        }
        self.apply(received, &compiler, &facts, server, run, log)
    }

    /// The server that is asked: the first of the list that answers, or the one that the settings name.
    fn server(&mut self, log: &mut Log) -> Result<Server, String> {
        let list = text(&self.settings, "server_list")?;
        let entries: Vec<&str> = list.split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect();
        for entry in &entries {
            let (host, port) = entry.rsplit_once(':').unwrap_or((entry, "8140"));
            let port = port.parse().map_err(|_| format!("server_list has no port in {entry}"))?;
            let mut server = Server::new(Client::new(host, port, &self.identity, &self.settings, log)?);
            match server.is_running() {
                Ok(()) => {
                    self.options.server_used = Some(server.address());
                    return Ok(server);
                }
                Err(failure) => log.say(Level::Debug, format!("Puppet server {entry} is unavailable: {failure}")),
            }
        }
        if !entries.is_empty() {
            let reason = format!("Could not select a functional puppet server from server_list: '{list}'");
            if !flag(&self.settings, "usecacheonfailure")? {
                return Err(reason);
            }
            log.say(Level::Err, reason);
        }
        Ok(Server::new(Client::of("server", "serverport", &self.identity, &self.settings, log)?))
    }

    fn is_cached(&self) -> Result<bool, String> {
        flag(&self.settings, "use_cached_catalog")
    }

    fn cache(&self) -> Result<PathBuf, String> {
        Ok(path(&self.settings, "client_datadir")?.join("catalog").join(format!("{}.json", self.name)))
    }

    /// The catalog that was kept.
    fn cached(&mut self, log: &mut Log) -> Option<Received> {
        let start = Instant::now();
        let read = self.cache().and_then(|path| match std::fs::read_to_string(&path) {
            Ok(text) => wire::from_json(&text).map(|catalog| Some((catalog, text))).map_err(|issue| issue.to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {}", path.display(), bunraku::reason(&error))),
        });
        self.options.retrieval = start.elapsed();
        match read {
            Ok(Some((catalog, text))) => {
                let environment = &catalog.environment;
                log.say(Level::Info, format!("Using cached catalog from environment '{environment}'"));
                Some(Received { catalog, text })
            }
            Ok(None) => None,
            Err(reason) => {
                log.say(Level::Err, format!("Could not retrieve catalog from cache: {reason}"));
                None
            }
        }
    }

    fn move_to_cached(&mut self, catalog: &Catalog, log: &mut Log) -> Result<(), String> {
        self.options.cached_catalog_status = "explicitly_requested".to_owned();
        let (own, other) = (&self.environment, &catalog.environment);
        if own != other.as_str() && !flag(&self.settings, "strict_environment_mode")? {
            log.say(
                Level::Notice,
                format!(
                    "Local environment: '{own}' doesn't match the environment of the cached catalog '{other}', switching \
                     agent to '{other}'."
                ),
            );
            self.environment = other.to_string();
        }
        Ok(())
    }

    /// Finds out which environment the server has for this machine, unless the command line names one.
    fn find_environment(&mut self, server: &mut Server, run: &mut Run, log: &mut Log) -> Result<(), String> {
        if self.settings.is_from_command_line("environment") || flag(&self.settings, "strict_environment_mode")? {
            return Ok(());
        }
        if flag(&self.settings, "use_last_environment")?
            && let Some(last) = last_environment(&self.options.paths.last_run_summary)
        {
            self.environment = last.unwrap_or_else(|| self.environment.clone());
            return Ok(());
        }
        let start = Instant::now();
        let asked = self.asked();
        match server.environment_of(&self.name, &asked) {
            Ok(environment) => {
                run.note_time("node_retrieval", start.elapsed());
                if environment != self.environment {
                    let own = &self.environment;
                    log.say(
                        Level::Notice,
                        format!(
                            "Local environment: '{own}' doesn't match server specified node environment \
                             '{environment}', switching agent to '{environment}'."
                        ),
                    );
                }
                self.environment = environment;
            }
            Err(failure) => {
                log.say(Level::Warning, "Unable to fetch my node definition, but the agent run will continue:");
                log.say(Level::Warning, failure.to_string());
            }
        }
        Ok(())
    }

    fn asked(&self) -> Asked {
        let is_configured = self.settings.is_from_file("environment");
        Asked {
            environment: self.environment.clone(),
            configured: is_configured.then(|| text(&self.settings, "environment").ok()).flatten(),
            transaction_uuid: self.options.transaction_uuid.clone(),
            job_id: self.options.job_id.clone(),
        }
    }

    /// Brings the plugins of the environment, and finds out the facts with them.
    fn prepare(
        &mut self,
        server: &mut Server,
        is_synced: bool,
        is_first: bool,
        run: &mut Run,
        log: &mut Log,
    ) -> Result<(Compiler, Hash), Option<String>> {
        if is_synced {
            self.bring_plugins(server, is_first, run, log)?;
        }
        let wrong = |issue: Issue| format!("Failed to apply catalog: {issue}");
        let modules = stand_for_module(&self.settings)?;
        let compiler = self.setup.agent_compiler(&self.environment, &modules.to_string_lossy()).map_err(wrong)?;
        let start = Instant::now();
        if is_synced && Path::new(&text(&self.settings, "plugindest")?).join("facter").is_dir() {
            log.say(Level::Info, "Loading facts");
        }
        let facts = self.setup.find_facts(compiler.environment());
        run.note_time("fact_generation", start.elapsed());
        Ok((compiler, facts))
    }

    fn bring_plugins(
        &mut self,
        server: &mut Server,
        is_first: bool,
        run: &mut Run,
        log: &mut Log,
    ) -> Result<(), Option<String>> {
        let plugins = Plugins::new(&self.settings)?;
        let environment = self.environment.clone();
        if is_first && let Err(failure) = plugins.is_known(server, &environment) {
            if !failure.is(404) {
                log.say(Level::Err, failure.to_string());
                return Ok(());
            }
            if flag(&self.settings, "strict_environment_mode")? {
                let reason = format!("Environment '{environment}' not found on server, aborting run.");
                return Err(Some(format!("Failed to apply catalog: {reason}")));
            }
            let message = format!("Environment '{environment}' not found on server, skipping initial pluginsync.");
            log.say(Level::Notice, message);
            return Ok(());
        }
        let start = Instant::now();
        let brought = plugins.bring(server, &environment, log);
        run.note_time("plugin_sync", start.elapsed());
        match brought {
            Err(reason) if !flag(&self.settings, "usecacheonfailure")? => {
                Err(Some(format!("Failed to apply catalog: {reason}")))
            }
            Err(reason) => {
                log.say(Level::Err, reason);
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// The catalog that the server compiles, or else the one that was kept.
    fn catalog(&mut self, server: &mut Server, facts: &Hash, log: &mut Log) -> Result<Received, Option<String>> {
        let start = Instant::now();
        let answer = server.catalog(&self.name, facts, &self.asked()).map_err(|failure| failure.to_string());
        let received = answer.and_then(|text| match wire::from_json(&text) {
            Ok(catalog) => Ok(Received { catalog, text }),
            Err(issue) => Err(issue.to_string()),
        });
        self.options.retrieval = start.elapsed();
        let reason = match received {
            Ok(Received { catalog, .. }) if catalog.name != self.name.as_str() => {
                format!("the server has sent the catalog of {}", catalog.name)
            }
            Ok(received) => return Ok(received),
            Err(reason) => reason,
        };
        log.say(Level::Err, format!("Could not retrieve catalog from remote server: {reason}"));
        let nothing = || Some("Could not retrieve catalog; skipping run".to_owned());
        if !flag(&self.settings, "usecacheonfailure")? {
            log.say(Level::Warning, "Not using cache on failed catalog");
            return Err(nothing());
        }
        let cached = self.cached(log).ok_or_else(nothing)?;
        if let Some(other) = cached.other_environment(&self.environment) {
            let own = &self.environment;
            let reason = format!("its environment '{other}' does not match '{own}'");
            log.say(Level::Err, format!("Not using cached catalog because {reason}"));
            return Err(nothing());
        }
        self.options.cached_catalog_status = "on_failure".to_owned();
        Ok(cached)
    }

    fn apply(
        &mut self,
        received: Received,
        compiler: &Compiler,
        facts: &Hash,
        server: Server,
        run: &mut Run,
        log: &mut Log,
    ) -> Result<(), Option<String>> {
        let failed = |reason: String| Some(format!("Failed to apply catalog: {reason}"));
        let node = self.setup.known_node(&self.name, facts, compiler.environment());
        let node = node.map_err(|issue| failed(issue.to_string()))?;
        let mirror = Mirror::new(&path(&self.settings, "client_datadir")?.join("files"), &self.environment);
        let mirror = mirror.map_err(|error| failed(error.to_string()))?;
        let environment = self.environment.clone();
        let files = RefCell::new(Files { server, mirror, environment });
        let host = AgentHost { project: ProjectHost::new(compiler, &node, log), files };
        let Received { catalog, text: kept } = received;
        let catalog = compiler.revive(&node, catalog).map_err(failed)?;
        let options = self.options.clone();
        let start = Instant::now();
        let mut prepared = Prepared::new(catalog, &options, &host, log).map_err(|fault| failed(fault.to_string()))?;
        run.note_time("convert_catalog", start.elapsed());
        if flag(&self.settings, "write_catalog_summary")? {
            prepared.write_summary();
        }
        if !options.noop {
            prepared.log().say(Level::Info, format!("Caching catalog for {}", self.name));
            let path = self.cache()?;
            if let Err(error) = whole_file::write_with_directory(&path, &kept) {
                return Err(failed(format!("{}: {}", path.display(), bunraku::reason(&error))));
            }
        }
        if !self.command("prerun_command", prepared.log())? {
            return Err(None);
        }
        let applied = prepared.apply(run).map_err(|fault| failed(fault.to_string()));
        host.project.finish();
        applied
    }

    /// Runs the command that a setting names; whether nothing went wrong.
    fn command(&self, setting: &str, log: &mut Log) -> Result<bool, String> {
        let line = text(&self.settings, setting)?;
        if line.is_empty() {
            return Ok(true);
        }
        // Both streams are shown, in the order in which they were written.
        let script = format!("exec 2>&1\n{line}");
        let arguments = ["-c", script.as_str()];
        let variables = [("LANG", "C"), ("LC_ALL", "C")];
        let command =
            Command { program: "/bin/sh", arguments: &arguments, variables: &variables, ..Command::default() };
        let failure = match Disk.run(&command) {
            Ok(output) if output.code == Some(0) => return Ok(true),
            Ok(output) => {
                let code = output.code.map_or_else(String::new, |code| code.to_string());
                let text = String::from_utf8_lossy(&output.stdout);
                format!("Execution of '{line}' returned {code}: {}", text.trim())
            }
            Err(error) => error.to_string(),
        };
        log.say(Level::Err, format!("Could not run command from {setting}: {failure}"));
        Ok(false)
    }

    fn send_report(&self, report: &Value, log: &mut Log) {
        // Who asks for the catalog that was kept may have no server at all: the report is kept here in any case.
        let is_alone = self.options.cached_catalog_status == "explicitly_requested";
        let lines = if is_alone { Log::new(Level::Err, Vec::new()) } else { log.clone() };
        let client = Client::of("report_server", "report_port", &self.identity, &self.settings, &lines);
        let sent = client
            .map_err(Failure::Unanswered)
            .and_then(|client| Server::new(client).send_report(&self.name, report, &self.environment));
        let Err(failure) = sent else { return };
        // Who asks for the catalog that was kept may have no server at all: the report is kept here in any case.
        let is_expected =
            self.options.cached_catalog_status == "explicitly_requested" && matches!(failure, Failure::Unanswered(_));
        let level = if is_expected { Level::Debug } else { Level::Err };
        log.say(level, format!("Could not send report: {failure}"));
    }
}

/// The environment that the server had for this machine in the last run: nothing if that is not known, and `None` if it was
/// the one that the agent itself wanted.
fn last_environment(summary: &Path) -> Option<Option<String>> {
    let bytes = std::fs::read(summary).ok()?;
    let document = yaml::load(&bytes, &summary.display().to_string()).ok()?;
    let application = document.value?.get("application")?.clone();
    let field = |name: &str| application.get(name).and_then(Value::as_str).map(str::to_owned);
    if field("run_mode")? != "agent" {
        return None;
    }
    let (initial, converged) = (field("initial_environment")?, field("converged_environment")?);
    Some((initial != converged).then_some(converged))
}
