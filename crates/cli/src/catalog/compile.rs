//! `bunraku catalog compile`: compiles the catalogs of one or many nodes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bunraku::catalog::graph::Graph;
use bunraku::catalog::summary;
use bunraku::notation::yaml;
use bunraku::{Catalog, Directory, Issue, Limits, Outcome, Profile, Store, whole_file, wire};
use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::plan::{Candidate, Plan, Planned, candidates_in};
use crate::interrupt;
use crate::output::{Progress, print, tell};
use crate::report::{ErrorFormat, Reporter, log};
use crate::setup::Setup;

/// Compile the catalogs of nodes.
///
/// The catalog of one node goes to standard output; those of several go to files, one for each node, in the directory given
/// with --output. With a --format for programs, what is wrong goes to standard output if no catalog does.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog compile web1.example.com --facts web1.yaml\n  \
    bunraku catalog compile --facts web1.yaml --modulepath modules --manifest site.pp --render-as summary\n  \
    bunraku catalog compile --all facts/ --output catalogs/")]
pub(crate) struct Compile {
    /// The certificate names of the nodes; by default that of the facts
    nodes: Vec<String>,
    /// Compile for every node with a file of facts in this directory
    #[arg(long, value_name = "DIR", conflicts_with_all = ["nodes", "facts"])]
    all: Option<PathBuf>,
    /// The directory to which the catalogs of several nodes are written
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The form in which catalogs are written
    #[arg(long = "render-as", default_value = "json")]
    render_as: RenderAs,
    /// The directory with what nodes export, which collectors such as `File <<| |>>` search; this node's exports go there
    #[arg(long, value_name = "DIR")]
    exported_resources: Option<PathBuf>,
    /// Omit values that change between runs, such as the version and the UUID
    #[arg(long)]
    reproducible: bool,
    /// Treat dependency cycles as errors
    #[arg(long)]
    strict_graph: bool,
    /// How long the compilation for one node may take [default: as long as it needs]
    #[arg(long, value_name = "SECONDS")]
    compile_timeout: Option<u64>,
    /// Write where the time goes: classes, defined types and functions as folded stacks, for flame graphs
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    errors: ErrorFormat,
    #[command(flatten)]
    setup: Setup,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RenderAs {
    /// What an agent receives
    Json,
    /// The same as YAML
    Yaml,
    /// The graph of relationships for Graphviz
    Dot,
    /// What is in the catalog, for people
    Summary,
}

impl RenderAs {
    fn extension(self) -> &'static str {
        match self {
            RenderAs::Json => "json",
            RenderAs::Yaml => "yaml",
            RenderAs::Dot => "dot",
            RenderAs::Summary => "txt",
        }
    }
}

impl Compile {
    /// Runs the command: catalogs go to standard output or files, everything else to standard error.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        if self.output.is_some() || self.exported_resources.is_some() {
            interrupt::remove_unfinished_files()?;
        }
        let mut plan = Plan::new(self.candidates()?, &self.setup)?;
        if let Some(directory) = &self.exported_resources {
            let store = Directory::new(directory);
            let exported = || store.exported().map_err(|issue| issue.to_string());
            plan = plan.with_exported(exported()?);
            if plan.nodes.len() > 1 {
                self.gather_exports(&plan, &store)?;
                plan = plan.with_exported(exported()?);
            }
        }
        let profile = Arc::<Profile>::default();
        if self.profile.is_some() {
            plan = plan.with_profile(&profile);
        }
        let code = self.compile_all(&plan)?;
        if let Some(path) = &self.profile {
            whole_file::write(path, &profile.folded())
                .map_err(|error| format!("Could not write {}: {}", path.display(), bunraku::reason(&error)))?;
        }
        Ok(code)
    }

    fn compile_all(&self, plan: &Plan) -> Result<ExitCode, String> {
        let reporter = Reporter::new(self.errors.format).for_many(plan.nodes.len());
        match (plan.nodes.as_slice(), &self.output) {
            ([node], None) => match self.compile(plan, node, &reporter) {
                Some(text) => {
                    print(text)?;
                    Ok(ExitCode::SUCCESS)
                }
                None => {
                    reporter.finish()?;
                    Ok(ExitCode::FAILURE)
                }
            },
            (_, Some(directory)) => {
                let code = self.compile_many(plan, directory, &reporter)?;
                reporter.finish()?;
                Ok(code)
            }
            (_, None) => Err("the catalogs of several nodes need a directory: give --output".to_owned()),
        }
    }

    fn limits(&self) -> Limits {
        self.compile_timeout.map(Duration::from_secs).map(Limits::of_time).unwrap_or_default()
    }

    fn candidates(&self) -> Result<Vec<Candidate>, String> {
        if let Some(directory) = &self.all {
            return candidates_in(directory);
        }
        if self.nodes.is_empty() {
            return Ok(vec![Candidate::default()]);
        }
        Ok(self.nodes.iter().map(|name| Candidate { name: Some(name.clone()), facts: None }).collect())
    }

    /// Compiles for all nodes only to learn what they export; failures are told the second time.
    fn gather_exports(&self, plan: &Plan, store: &dyn Store) -> Result<(), String> {
        pool()?.install(|| {
            plan.nodes.par_iter().for_each(|planned| {
                let Ok((node, compiler)) = plan.prepared(planned) else { return };
                if let Some(exported) = compiler.compile_within(node, &self.limits()).exported {
                    _ = store.keep(&exported);
                }
            });
        });
        Ok(())
    }

    /// Compiles for many nodes on all cores and tells how far it got.
    fn compile_many<'p>(&self, plan: &'p Plan, directory: &Path, reporter: &Reporter<'p>) -> Result<ExitCode, String> {
        std::fs::create_dir_all(directory).map_err(|error| {
            let reason = bunraku::reason(&error);
            format!("Could not make the directory {}: {reason}", directory.display())
        })?;
        let (failed, total) = (AtomicUsize::new(0), plan.nodes.len());
        let progress = Progress::new(total);
        pool()?.install(|| {
            plan.nodes.par_iter().for_each(|node| {
                if !self.compile_to_file(plan, node, directory, reporter) {
                    failed.fetch_add(1, Ordering::Relaxed);
                }
                progress.step();
            });
        });
        drop(progress);
        let failed = failed.into_inner();
        tell(format_args!("{} of {total} catalogs compiled\n", total - failed));
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Compiles for one node of many; whether there is a file now. If not, why has been shown.
    fn compile_to_file<'p>(
        &self,
        plan: &'p Plan,
        node: &'p Planned,
        directory: &Path,
        reporter: &Reporter<'p>,
    ) -> bool {
        let Some(text) = self.compile(plan, node, reporter) else { return false };
        let path = directory.join(format!("{}.{}", node.name, self.render_as.extension()));
        let written = whole_file::write(&path, &text);
        if let Err(error) = &written {
            let reason = bunraku::reason(error);
            log("Error", &format!("Could not write {}: {reason} on node {}", path.display(), node.name));
        }
        written.is_ok()
    }

    /// What is to be written for a node, or nothing if it has no catalog; why has been shown.
    fn compile<'p>(&self, plan: &'p Plan, planned: &'p Planned, reporter: &Reporter<'p>) -> Option<String> {
        let fail = |message: &dyn std::fmt::Display| {
            log("Error", &format!("{message} on node {}", planned.name));
            None
        };
        let (node, compiler) = match plan.prepared(planned) {
            Ok(prepared) => prepared,
            Err(message) => return fail(&message),
        };
        let environment = compiler.environment();
        let started = Instant::now();
        let Outcome { catalog, exported, logs, .. } = compiler.compile_within(node, &self.limits());
        reporter.logs(environment, &logs);
        if self.setup.is_verbose() {
            let (seconds, modules) = (started.elapsed().as_secs_f64(), environment.modules().len());
            let place = format!("environment {} with {modules} modules", environment.name);
            log("Info", &format!("Compiled catalog for {} in {place} in {seconds:.3} seconds", node.name));
        }
        let catalog = match catalog {
            Ok(catalog) => catalog,
            Err(failure) => {
                reporter.failure(environment, &failure, Some(&node.name));
                return None;
            }
        };
        if let (Some(directory), Some(exported)) = (&self.exported_resources, &exported)
            && let Err(issue) = Directory::new(directory).keep(exported)
        {
            return fail(&issue);
        }
        let graph = Graph::new(&catalog);
        if super::show_cycle(&graph, Some(environment), self.strict_graph, reporter) {
            return None;
        }
        match self.render(&catalog, &graph) {
            Ok(text) if text.ends_with('\n') => Some(text),
            Ok(text) => Some(text + "\n"),
            Err(issue) => fail(&issue),
        }
    }

    fn render(&self, catalog: &Catalog, graph: &Graph<'_>) -> Result<String, Issue> {
        let options = wire::Options { is_pretty: true, is_reproducible: self.reproducible };
        match self.render_as {
            RenderAs::Json => wire::to_json(catalog, options),
            RenderAs::Yaml => wire::to_data(catalog, options).map(|data| yaml::emit(&data)),
            RenderAs::Dot => Ok(graph.to_dot()),
            RenderAs::Summary => Ok(summary::summary(catalog)),
        }
    }
}

/// Threads, one for each core.
fn pool() -> Result<rayon::ThreadPool, String> {
    rayon::ThreadPoolBuilder::new().build().map_err(|error| format!("no threads can be started: {error}"))
}
