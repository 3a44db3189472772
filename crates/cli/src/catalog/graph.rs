//! `bunraku catalog graph`: the relationships of a catalog, and whether they go round in cycles.

use std::process::ExitCode;

use bunraku::catalog::graph;

use crate::output::print;

/// Draw the relationships of a catalog, and report a dependency cycle.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog graph catalog.json | dot -Tpng > graph.png\n  \
    bunraku catalog graph catalog.json --format svg --strict-graph > graph.svg")]
pub(super) struct Graph {
    /// The catalog as JSON; `-` is standard input
    catalog: String,
    /// How the graph is drawn
    #[arg(long, default_value = "dot")]
    format: Format,
    /// Fail if resources form a dependency cycle
    #[arg(long)]
    strict_graph: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

impl Graph {
    pub(super) fn run(self) -> Result<ExitCode, String> {
        let catalog = super::read(&self.catalog)?;
        let graph = graph::Graph::new(&catalog);
        let drawn = match self.format {
            Format::Dot => graph.to_dot(),
            Format::Svg => graph::to_svg(&graph),
        };
        print(&drawn)?;
        let is_fatal = super::show_cycle(&graph, None, self.strict_graph);
        Ok(if is_fatal { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
