//! `bunraku apply`: brings this machine to the state of a manifest or a catalog.

mod console;
mod host;
mod network;
mod plan;
mod reports;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use bunraku::apply::{Level, Log, Options, Paths, apply};
use bunraku::{Catalog, Disk, Issue, Outcome, Settings, World, wire};
use clap::Args;

use crate::output::print;
use crate::report::{log, show_failure};
use crate::setup::Setup;
pub(crate) use console::{agent_destinations, destinations};
pub(crate) use host::ProjectHost;
use plan::Plan;

/// Bring this machine to the state of a manifest.
///
/// The manifest is a file or a directory, is given with -e, or comes from standard input; a catalog that was compiled
/// before is given with --catalog. Exit code 1 means that nothing could be applied.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku apply site.pp\n  \
    bunraku apply --noop --show_diff site.pp\n  \
    bunraku apply -e 'notify { \"hello\": }' --detailed-exitcodes\n  \
    bunraku apply --catalog catalog.json")]
pub(crate) struct Apply {
    /// The manifest, or a directory of manifests
    files: Vec<String>,
    /// The code itself
    #[arg(short = 'e', long = "execute", alias = "e", value_name = "CODE")]
    code: Option<String>,
    /// A catalog to apply, `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "code")]
    catalog: Option<String>,
    /// Exit with 2 if something changed, 4 if something failed, 6 if both
    #[arg(long = "detailed-exitcodes")]
    detailed_exitcodes: bool,
    /// Show everything: --verbose, --show_diff and --detailed-exitcodes
    #[arg(short, long)]
    test: bool,
    /// Write which classes and resources the catalog has
    #[arg(long = "write-catalog-summary")]
    write_catalog_summary: bool,
    /// Change nothing, and write what would change to a file
    #[arg(long, value_name = "FILE", conflicts_with = "approved")]
    plan: Option<String>,
    /// Apply exactly what a plan says, or nothing
    #[arg(long, value_name = "FILE")]
    approved: Option<String>,
    /// Gone: `bunraku parser validate` looks at syntax
    #[arg(long, hide = true)]
    parseonly: bool,
    /// Show which resources took longest
    #[arg(long)]
    timing: bool,
    #[command(flatten)]
    setup: Setup,
}

/// How many resources are shown with their times.
const SLOWEST: usize = 20;

impl Apply {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        self.apply().unwrap_or_else(|message| {
            log("Error", &message);
            ExitCode::FAILURE
        })
    }

    fn apply(mut self) -> Result<ExitCode, String> {
        let wrong = |issue: Issue| issue.to_string();
        if self.parseonly {
            print("--parseonly has been removed. Please use 'puppet parser validate <manifest>'\n")?;
            return Ok(ExitCode::FAILURE);
        }
        let code = self.code()?;
        if let Some(more) = self.files.get(1..).filter(|more| !more.is_empty()) {
            log("Warning", &format!("Only one file can be applied per run.  Skipping {}", more.join(", ")));
        }
        if let (None, None, Some(path)) = (&code, &self.catalog, self.files.first()) {
            self.setup = std::mem::take(&mut self.setup).with_manifest(path.clone());
        }
        // Without code of its own a catalog needs no manifest either.
        let code = code.or_else(|| self.catalog.is_some().then(String::new));
        let compiler = self.setup.own_compiler(code.as_deref()).map_err(wrong)?;
        let environment = compiler.environment();
        let settings = &environment.settings;
        let name = settings.text("certname").map_err(wrong)?;
        let start = Instant::now();
        let mut console = Log::new(self.level(settings)?, destinations(settings)?);
        if self.catalog.is_none() {
            console.say(Level::Info, "Loading facts");
        }
        let node = self.setup.own_node(&name, environment).map_err(wrong)?;
        let catalog = match &self.catalog {
            Some(path) => compiler.revive(&node, read(path)?).map_err(|reason| format!("Could not run: {reason}"))?,
            None => {
                let Outcome { catalog, logs, .. } = compiler.compile(&node);
                for entry in &logs {
                    let Some(level) = Level::named(entry.level.name()) else { continue };
                    match &entry.source {
                        Some(scope) => console.say_as(scope, level, entry.message.as_str()),
                        None => console.say(level, entry.located(environment)),
                    }
                }
                match catalog {
                    Ok(catalog) => catalog,
                    Err(failure) => {
                        show_failure(environment, &failure, Some(&name));
                        return Ok(ExitCode::FAILURE);
                    }
                }
            }
        };
        let mut options = options(settings, &name).map_err(wrong)?;
        options.show_diff |= self.test;
        // Compatibility: a catalog that is handed in is applied as it is.
        options.adds_defaults = self.catalog.is_none();
        options.retrieval = start.elapsed();
        if self.catalog.is_none() {
            let seconds = options.retrieval.as_secs_f64();
            let environment = &catalog.environment;
            let message = format!("Compiled catalog for {name} in environment {environment} in {seconds:.2} seconds");
            console.say(Level::Notice, message);
        }
        options.writes_summary = self.write_catalog_summary || settings.is_from_command_line("write_catalog_summary");
        let host = ProjectHost::new(&compiler, &node, &console);
        if let Some(path) = &self.plan {
            let Some(plan) = self.make_plan(&catalog, &options, &host, &mut console)? else {
                return Ok(ExitCode::FAILURE);
            };
            plan.write(path)?;
            let changes = if plan.len() == 1 { "change" } else { "changes" };
            log("Notice", &format!("Wrote a plan of {} {changes} to {path}", plan.len()));
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(path) = &self.approved {
            let approved = Plan::read(path)?;
            let mut silent = Log::new(Level::Err, destinations(settings)?);
            let Some(plan) = self.make_plan(&catalog, &options, &host, &mut silent)? else {
                return Ok(ExitCode::FAILURE);
            };
            plan.check(&approved)?;
        }
        let outcome = match apply(catalog, &options, &host, &mut console) {
            Ok(outcome) => outcome,
            Err(fault) => {
                let place = if self.catalog.is_some() { "Could not run: " } else { "" };
                console.say(Level::Err, format!("{place}{}", fault.message));
                return Ok(ExitCode::FAILURE);
            }
        };
        host.finish();
        if options.report {
            reports::process(settings, &name, &outcome.report, &mut console)?;
        }
        if settings.boolean("summarize").map_err(wrong)? {
            print(format_args!("{}", outcome.summary))?;
        }
        if self.timing {
            show_times(&outcome.times);
        }
        let code = match (outcome.is_completed, self.detailed_exitcodes || self.test) {
            // Compatibility: whatever became of a catalog that was handed in, the reference is content.
            _ if self.catalog.is_some() => 0,
            (false, _) => 1,
            (true, false) => 0,
            (true, true) => u8::from(outcome.is_changed) * 2 + u8::from(outcome.is_failed) * 4,
        };
        Ok(ExitCode::from(code))
    }

    /// Finds out what a run would change.
    fn make_plan(
        &self,
        catalog: &Catalog,
        options: &Options,
        host: &ProjectHost<'_>,
        console: &mut Log,
    ) -> Result<Option<Plan>, String> {
        let options = Options { plans: true, noop: true, writes_summary: false, ..options.clone() };
        let outcome = match apply(catalog.clone(), &options, host, console) {
            Ok(outcome) => outcome,
            Err(fault) => {
                console.say(Level::Err, fault.message);
                return Ok(None);
            }
        };
        host.finish();
        outcome.is_completed.then(|| Plan::new(catalog, &outcome.changes)).transpose()
    }

    /// The code that is not in a file of its own.
    fn code(&self) -> Result<Option<String>, String> {
        match (&self.code, self.files.first(), &self.catalog) {
            (Some(code), ..) => Ok(Some(code.clone())),
            (None, None, None) => {
                std::io::read_to_string(std::io::stdin()).map(Some).map_err(|error| bunraku::reason(&error))
            }
            (None, Some(path), None) if !Disk.exists(path).unwrap_or(false) => {
                Err(format!("Could not run: Could not find file {path}"))
            }
            _ => Ok(None),
        }
    }

    fn level(&self, settings: &Settings) -> Result<Level, String> {
        let name = settings.text("log_level").map_err(|issue| issue.to_string())?;
        let level = Level::named(&name).unwrap_or(Level::Notice);
        Ok(if self.test { level.min(Level::Info) } else { level })
    }
}

/// What the settings ask of a run.
pub(crate) fn options(settings: &Settings, name: &str) -> Result<Options, Issue> {
    let list = |name: &str| -> Result<Vec<String>, Issue> {
        let text = settings.text(name)?;
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        Ok(words.map(str::to_lowercase).collect())
    };
    let path = |name: &str| settings.text(name).map(PathBuf::from);
    let words = format!("{} {}", settings.text("diff")?, settings.text("diff_args")?);
    Ok(Options {
        host: name.to_owned(),
        run_mode: "user".to_owned(),
        initial_environment: settings.text("environment")?,
        version: bunraku::PUPPET_VERSION.to_owned(),
        plans: false,
        noop: settings.boolean("noop")?,
        show_diff: settings.boolean("show_diff")?,
        diff: words.split_whitespace().map(str::to_owned).collect(),
        tags: list("tags")?,
        skip_tags: list("skip_tags")?,
        adds_defaults: true,
        resolves_early: settings.boolean("preprocess_deferred")?,
        ignore_schedules: settings.boolean("ignoreschedules")?,
        exclude_unchanged: settings.boolean("exclude_unchanged_resources")?,
        writes_summary: false,
        report: settings.boolean("report")?,
        graphs: settings.boolean("graph")?.then(|| path("graphdir")).transpose()?,
        paths: Paths {
            state: path("statefile")?,
            last_run_summary: path("lastrunfile")?,
            last_run_report: path("lastrunreport")?,
            classes: path("classfile")?,
            resources: path("resourcefile")?,
            vardir: path("vardir")?,
            confdir: path("confdir")?,
            client_bucket: path("clientbucketdir")?,
            transaction_store: None,
        },
        state_ttl: Some(std::time::Duration::from_secs(32 * 24 * 3600)),
        cached_catalog_status: "not_used".to_owned(),
        retrieval: std::time::Duration::ZERO,
        // Without entropy there is no name for the run, which then has none.
        transaction_uuid: bunraku::random_uuid(&Disk).map(|uuid| uuid.to_string()).unwrap_or_default(),
        job_id: None,
        server_used: None,
    })
}

/// Shows which resources took longest.
fn show_times(times: &[(String, std::time::Duration)]) {
    for (label, time) in times.iter().take(SLOWEST) {
        // Who closed standard output does not want to know.
        _ = print(format_args!("{:>10.3} s  {label}\n", time.as_secs_f64()));
    }
}

/// Reads a catalog that was compiled before.
fn read(path: &str) -> Result<Catalog, String> {
    let text = match path {
        "-" => std::io::read_to_string(std::io::stdin()),
        _ => Disk.read_named(path).and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other)),
    };
    let text = text.map_err(|error| format!("Could not run: {} - {path}", bunraku::reason(&error)))?;
    wire::from_json(&text).map_err(|issue| {
        let issue = issue.to_string();
        let reason = issue.strip_prefix("Could not deserialize catalog from json: ").unwrap_or(&issue);
        let format = "rich_data_json";
        format!("Could not run: Could not deserialize catalog from {format}: Could not intern from {format}: {reason}")
    })
}
