//! `bunraku catalog`: works with compiled catalogs.

pub(crate) mod compile;
mod diff;
mod download;
pub(crate) mod graph;
mod plan;
mod select;

use std::process::ExitCode;

use bunraku::catalog::graph::{Cycle, Graph, Step};
use bunraku::{Catalog, Diagnostic, Disk, Environment, Issue, Severity, World, wire};

use crate::output::tell;
use crate::report::{self, Reporter};

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
    Diff(Box<diff::Diff>),
    Download(Box<download::Download>),
    Graph(graph::Graph),
    Select(Box<select::Select>),
}

impl CatalogCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let result = match self.action {
            Action::Compile(compile) => compile.run(),
            Action::Diff(diff) => diff.run(),
            Action::Download(download) => download.run(),
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
fn show_cycle<'e>(
    graph: &Graph<'_>,
    sources: Option<&'e Environment>,
    is_strict: bool,
    reporter: &Reporter<'e>,
) -> bool {
    let Some(cycle) = bunraku::cycle(graph, sources) else { return false };
    if let Some(environment) = sources.filter(|_| reporter.is_for_people() || reporter.is_for_programs()) {
        let severity = if is_strict { Severity::Error } else { Severity::Warning };
        reporter.diagnostic(environment, &diagnostic(&cycle).with_severity(severity));
        return is_strict;
    }
    report::log(if is_strict { "Error" } else { "Warning" }, &format!("Found a dependency cycle: {cycle}"));
    for step in cycle.steps.iter().take(MOST_STEPS) {
        tell(format_args!("  {step}\n"));
    }
    if let Some(more @ 1..) = cycle.steps.len().checked_sub(MOST_STEPS) {
        tell(format_args!("  … and {more} more\n"));
    }
    is_strict
}

/// A cycle as something that is wrong with the code: every step where it is written.
fn diagnostic(cycle: &Cycle) -> Diagnostic {
    let issue = Issue::new("DEPENDENCY_CYCLE", format!("Found a dependency cycle: {cycle}"));
    let diagnostic = issue.nowhere().with_headline("these resources wait for each other");
    let mut steps = cycle.steps.iter().take(MOST_STEPS);
    let label = |step: &Step| format!("{} before {}", step.from, step.to);
    let first = steps.by_ref().find_map(|step| Some((label(step), step.span?)));
    let diagnostic = first.into_iter().fold(diagnostic, |it, (label, span)| it.with_primary(label, span));
    let diagnostic = steps.fold(diagnostic, |diagnostic, step| match step.span {
        Some(span) => diagnostic.with_label(label(step), span),
        None => diagnostic.with_remark(step.to_string()),
    });
    diagnostic.with_remark(cycle.to_string())
}

/// Reads a catalog from a file, or from standard input if the path is `-`.
fn read(path: &str) -> Result<Catalog, String> {
    let text = match path {
        "-" => std::io::read_to_string(std::io::stdin()),
        _ => Disk.read_named(path).and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other)),
    };
    let text = text.map_err(|error| format!("Could not read {path}: {}", bunraku::reason(&error)))?;
    if text.trim().is_empty() {
        let source = if path == "-" { "standard input" } else { path };
        return Err(format!("{source} is empty: a catalog is expected"));
    }
    wire::from_json(&text).map_err(|issue| format!("{path}: {issue}"))
}
