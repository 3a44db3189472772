//! `bunraku catalog graph`: the relationships of a catalog, and whether they go round in cycles.

use std::process::ExitCode;

use bunraku::catalog::graph;

use crate::output::print;
use crate::report::Reporter;

/// Write the relationships of a catalog for Graphviz, and report a dependency cycle.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog graph catalog.json | dot -Tsvg > graph.svg\n  \
    bunraku catalog graph catalog.json --strict-graph > graph.dot")]
pub(super) struct Graph {
    /// The catalog as JSON; `-` is standard input
    catalog: String,
    /// Fail if resources form a dependency cycle
    #[arg(long)]
    strict_graph: bool,
}

impl Graph {
    pub(super) fn run(self) -> Result<ExitCode, String> {
        let catalog = super::read(&self.catalog)?;
        let graph = graph::Graph::new(&catalog);
        print(graph.to_dot())?;
        let is_fatal = super::show_cycle(&graph, None, self.strict_graph, &Reporter::new(None));
        Ok(if is_fatal { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
