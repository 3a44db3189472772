//! `bunraku catalog graph`: the relationships of a catalog, and whether they go round in circles.

use std::process::ExitCode;

use bunraku_catalog::{graph, resource_types};

/// Draw the relationships of a catalog, and report a dependency cycle.
#[derive(Debug, clap::Args)]
pub(super) struct Graph {
    /// The catalog as JSON; `-` is standard input.
    catalog: String,
    /// How the graph is drawn: dot or svg.
    #[arg(long, default_value = "dot")]
    format: String,
    /// Fail if resources depend on each other in a circle.
    #[arg(long)]
    strict_graph: bool,
}

impl Graph {
    pub(super) fn run(self) -> Result<ExitCode, String> {
        let catalog = super::read(&self.catalog)?;
        let types = resource_types::builtin();
        let graph = graph::Graph::new(&catalog, &types);
        match self.format.as_str() {
            "dot" => anstream::print!("{}", graph.to_dot()),
            "svg" => anstream::print!("{}", graph::to_svg(&graph)),
            other => return Err(format!("Unknown format '{other}'")),
        }
        let Some(cycle) = graph.cycle() else {
            return Ok(ExitCode::SUCCESS);
        };
        let severity = if self.strict_graph { "Error" } else { "Warning" };
        anstream::eprintln!("{severity}: Found a dependency cycle: {cycle}");
        for step in &cycle.steps {
            anstream::eprintln!("  {step}");
        }
        Ok(if self.strict_graph { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
