//! What is asked of a run: the settings of the reference that matter when a catalog is applied.

use std::path::PathBuf;
use std::time::Duration;

/// What is asked of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The name of the node.
    pub host: String,
    /// What the program does: `user` for `apply`, `agent` for the agent.
    pub run_mode: String,
    /// The environment that was asked for.
    pub initial_environment: String,
    /// The release that reports name.
    pub version: String,
    /// Nothing is changed, only told.
    pub noop: bool,
    /// Only a plan is made: nothing is changed, whatever resources say about `noop`, and nothing is kept.
    pub plans: bool,
    /// Differences of files are shown.
    pub show_diff: bool,
    /// The program that shows differences, and its arguments.
    pub diff: Vec<String>,
    /// Only resources with one of these tags.
    pub tags: Vec<String>,
    /// No resource with one of these tags.
    pub skip_tags: Vec<String>,
    /// The catalog gets the schedules and the filebucket that every catalog has.
    pub adds_defaults: bool,
    /// `Deferred` values are found out before anything is applied.
    pub resolves_early: bool,
    /// Schedules do not count.
    pub ignore_schedules: bool,
    /// Reports leave out what did not change.
    pub exclude_unchanged: bool,
    /// The names of the classes and resources of the catalog are written to files.
    pub writes_summary: bool,
    /// The report is kept.
    pub report: bool,
    /// Where graphs are written, if they are asked for.
    pub graphs: Option<PathBuf>,
    /// Where things are kept.
    pub paths: Paths,
    /// How long an entry of the state file is kept; nothing for ever.
    pub state_ttl: Option<Duration>,
    /// How a cached catalog was used, as reports tell it.
    pub cached_catalog_status: String,
    /// How long it took to get the catalog.
    pub retrieval: Duration,
    /// What tells this run from all others.
    pub transaction_uuid: String,
    /// The job that the run belongs to.
    pub job_id: Option<String>,
    /// The server that the catalog came from, if several could be asked.
    pub server_used: Option<String>,
}

/// Where a run keeps things.
#[derive(Debug, Clone, Default)]
pub struct Paths {
    /// When resources were looked at and changed, and what is watched.
    pub state: PathBuf,
    /// The summary of the last run.
    pub last_run_summary: PathBuf,
    /// The report of the last run.
    pub last_run_report: PathBuf,
    /// The classes of the catalog.
    pub classes: PathBuf,
    /// The resources of the catalog.
    pub resources: PathBuf,
    /// Where the program keeps things.
    pub vardir: PathBuf,
    /// Where its configuration is.
    pub confdir: PathBuf,
    /// The filebucket of the machine.
    pub client_bucket: PathBuf,
    /// What the last run left, by which a change that somebody else made is known; only the agent keeps it.
    pub transaction_store: Option<PathBuf>,
}
