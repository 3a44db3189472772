//! `bunraku catalog`: works with compiled catalogs.

pub(crate) mod compile;
mod diff;
pub(crate) mod graph;
mod plan;
mod select;

use std::process::ExitCode;

use bunraku::catalog::graph::Graph;
use bunraku::{Catalog, Disk, Environment, World, wire};

use crate::output::tell;
use crate::report;

/// Compile, compare and draw catalogs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog compile web1.example.com --facts web1.yaml > new.json\n  \
    bunraku catalog diff old.json new.json\n  \
    bunraku catalog graph new.json | dot -Tsvg > graph.svg")]
pub(crate) struct CatalogCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    #[command(visible_alias = "find")]
    Compile(Box<compile::Compile>),
    Diff(diff::Diff),
    Graph(graph::Graph),
    Select(Box<select::Select>),
}

impl CatalogCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let result = match self.action {
            Action::Compile(compile) => compile.run(),
            Action::Diff(diff) => diff.run(),
            Action::Graph(graph) => graph.run(),
            Action::Select(select) => select.run(),
        };
        result.unwrap_or_else(|message| {
            report::log("Error", &message);
            ExitCode::FAILURE
        })
    }
}

/// Of a longer cycle nobody would read every step.
const MOST_STEPS: usize = 100;

/// Shows the shortest dependency cycle, if there is one; whether it is an error. The sources are those of the
/// environment that the catalog was compiled from.
fn show_cycle(graph: &Graph<'_>, sources: Option<&Environment>, is_strict: bool) -> bool {
    let Some(cycle) = bunraku::cycle(graph, sources) else { return false };
    report::log(if is_strict { "Error" } else { "Warning" }, &format!("Found a dependency cycle: {cycle}"));
    for step in cycle.steps.iter().take(MOST_STEPS) {
        tell(format_args!("  {step}\n"));
    }
    if let Some(more @ 1..) = cycle.steps.len().checked_sub(MOST_STEPS) {
        tell(format_args!("  … and {more} more\n"));
    }
    is_strict
}

/// Reads a catalog from a file, or from standard input if the path is `-`.
fn read(path: &str) -> Result<Catalog, String> {
    let text = match path {
        "-" => std::io::read_to_string(std::io::stdin()),
        _ => Disk.read_named(path).and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other)),
    };
    let text = text.map_err(|error| format!("Could not read {path}: {error}"))?;
    wire::from_json(&text).map_err(|issue| format!("{path}: {issue}"))
}
