//! `bunraku catalog compile`: compiles the catalogs of one or many nodes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use bunraku::{Catalog, Compiled, Compiler, Node, RunMode};
use bunraku_catalog::graph::Graph;
use bunraku_catalog::{resource_types, summary, wire};
use clap::{Args, ValueEnum};
use rayon::prelude::*;

use crate::report::{Verbosity, log, show_failure, show_logs};
use crate::setup::Setup;

/// Compile the catalogs of nodes.
///
/// The catalog of one node goes to standard output; those of several go to files, one for each node, in the folder given
/// with --output.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog compile web1.example.com --facts web1.yaml\n  \
    bunraku catalog compile --facts web1.yaml --modulepath modules --manifest site.pp --render-as summary\n  \
    bunraku catalog compile --all facts/ --output catalogs/")]
pub(crate) struct Compile {
    /// The certificate names of the nodes; by default that of the facts
    nodes: Vec<String>,
    /// Compile for every node with a file of facts in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["nodes", "facts"])]
    all: Option<PathBuf>,
    /// The folder to which the catalogs of several nodes are written
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The form in which catalogs are written
    #[arg(long = "render-as", default_value = "json")]
    render_as: RenderAs,
    /// Leave out what differs from one compilation to the next
    #[arg(long)]
    reproducible: bool,
    /// A circle of dependencies is an error, not a warning
    #[arg(long)]
    strict_graph: bool,
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    verbosity: Verbosity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RenderAs {
    /// What an agent receives
    Json,
    /// The same as YAML
    Yaml,
    /// A graph for Graphviz
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
        let compiler = self.setup.compiler(RunMode::Server, None).map_err(|issue| issue.to_string())?;
        let nodes = self.nodes(&compiler)?;
        match (nodes.as_slice(), &self.output) {
            ([node], None) => {
                let Some(text) = self.compile(&compiler, node) else { return Ok(ExitCode::FAILURE) };
                anstream::println!("{text}");
                Ok(ExitCode::SUCCESS)
            }
            (_, Some(folder)) => self.compile_many(&compiler, &nodes, folder),
            (_, None) => Err("the catalogs of several nodes need a folder: give --output".to_owned()),
        }
    }

    fn nodes(&self, compiler: &Compiler) -> Result<Vec<Node>, String> {
        let environment = compiler.environment();
        let failed = |issue: bunraku::Issue| issue.to_string();
        if let Some(folder) = &self.all {
            let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            let mut paths: Vec<PathBuf> =
                entries.flatten().map(|entry| entry.path()).filter(|path| holds_facts(path)).collect();
            paths.sort();
            let node = |path: &PathBuf| {
                let facts = Some(path.display().to_string());
                let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let node = self.setup.node_with(&facts, None, environment);
                node.or_else(|_| self.setup.node_with(&facts, name.as_deref(), environment)).map_err(failed)
            };
            return paths.iter().map(node).collect();
        }
        if self.nodes.is_empty() {
            return Ok(vec![self.setup.node(None, environment).map_err(failed)?]);
        }
        self.nodes.iter().map(|name| self.setup.node(Some(name), environment).map_err(failed)).collect()
    }

    /// Compiles for many nodes on all cores and tells how far it got.
    fn compile_many(&self, compiler: &Compiler, nodes: &[Node], folder: &Path) -> Result<ExitCode, String> {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let (done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let pool =
            rayon::ThreadPoolBuilder::new().stack_size(crate::STACK).build().map_err(|error| error.to_string())?;
        let written: Result<(), String> = pool.install(|| {
            nodes.par_iter().try_for_each(|node| {
                match self.compile(compiler, node) {
                    Some(text) => {
                        let path = folder.join(format!("{}.{}", node.name, self.render_as.extension()));
                        write_whole(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
                    }
                    None => _ = failed.fetch_add(1, Ordering::Relaxed),
                }
                show_progress(done.fetch_add(1, Ordering::Relaxed) + 1, nodes.len());
                Ok(())
            })
        });
        written?;
        let failed = failed.into_inner();
        anstream::eprintln!("{} of {} catalogs compiled", nodes.len() - failed, nodes.len());
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The text of a node's catalog, or nothing if there is none; why has been shown.
    fn compile(&self, compiler: &Compiler, node: &Node) -> Option<String> {
        let environment = compiler.environment();
        let Compiled { catalog, logs, .. } = compiler.compile(node);
        show_logs(environment, &logs, self.verbosity);
        let mut catalog = match catalog {
            Ok(catalog) => catalog,
            Err(failure) => {
                show_failure(environment, &failure, &node.name, None);
                return None;
            }
        };
        // Agents do not get what is exported to others.
        catalog.retain(|resource| !resource.is_virtual);
        let types = resource_types::builtin();
        let graph = Graph::new(&catalog, &types);
        if super::show_cycle(&graph, self.strict_graph) {
            return None;
        }
        match self.render(&catalog, &graph) {
            Ok(text) => Some(text),
            Err(issue) => {
                log("Error", &format!("{issue} on node {}", node.name));
                None
            }
        }
    }

    fn render(&self, catalog: &Catalog, graph: &Graph<'_>) -> Result<String, bunraku::Issue> {
        let options = wire::Options { is_pretty: true, is_reproducible: self.reproducible };
        match self.render_as {
            RenderAs::Json => wire::to_json(catalog, options),
            RenderAs::Yaml => wire::to_yaml(catalog, options),
            RenderAs::Dot => Ok(graph.to_dot()),
            RenderAs::Summary => Ok(summary::summary(catalog)),
        }
    }
}

fn holds_facts(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml" || extension == "json")
}

/// A file appears with all of its text or not at all.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    let mut file = std::fs::File::create(&part)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    std::fs::rename(&part, path)
}

/// One line that is written over, on a terminal only.
fn show_progress(done: usize, total: usize) {
    use std::io::IsTerminal;
    if std::io::stderr().is_terminal() {
        let end = if done == total { "\n" } else { "" };
        anstream::eprint!("\r{done}/{total}{end}");
    }
}
