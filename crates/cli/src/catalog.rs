//! `bunraku catalog`: works with compiled catalogs.

pub(crate) mod compile;
mod diff;
pub(crate) mod graph;
mod plan;
mod store;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use bunraku::Environment;
use bunraku_catalog::graph::{Graph, Line};
use bunraku_catalog::{Catalog, wire};
use bunraku_syntax::Span;

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
    Compile(Box<compile::Compile>),
    Diff(diff::Diff),
    Graph(graph::Graph),
}

impl CatalogCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let result = match self.action {
            Action::Compile(compile) => compile.run(),
            Action::Diff(diff) => diff.run(),
            Action::Graph(graph) => graph.run(),
        };
        result.unwrap_or_else(|message| {
            report::log("Error", &message);
            ExitCode::FAILURE
        })
    }
}

/// Shows the shortest dependency cycle, if there is one; whether it is an error. The sources are those of the
/// environment that the catalog was compiled from.
fn show_cycle(graph: &Graph<'_>, sources: Option<&Environment>, is_strict: bool) -> bool {
    let line_at = |span: Span| {
        let code = sources?.code(span.file)?;
        Some(Line { file: code.path.clone(), line: code.line_number(span.start) })
    };
    let Some(cycle) = graph.cycle(&line_at) else { return false };
    report::log(if is_strict { "Error" } else { "Warning" }, &format!("Found a dependency cycle: {cycle}"));
    for step in &cycle.steps {
        tell(format_args!("  {step}\n"));
    }
    is_strict
}

/// Reads a catalog from a file, or from standard input if the path is `-`.
fn read(path: &str) -> Result<Catalog, String> {
    let mut text = String::new();
    let result = match path {
        "-" => std::io::stdin().read_to_string(&mut text),
        _ => File::open(path).and_then(|mut file| file.read_to_string(&mut text)),
    };
    result.map_err(|error| format!("Could not read {path}: {error}"))?;
    wire::from_json(&text).map_err(|issue| format!("{path}: {issue}"))
}

/// A file appears with all of its text or not at all.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // What failed is the answer, whether there is something to take away or not.
        let _ = std::fs::remove_file(&part);
    }
    written
}
