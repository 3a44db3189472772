//! What compiling for a node came to, as its agent is told.

use bunraku_catalog::Catalog;
use bunraku_catalog::graph::{Cycle, Graph, Line};
use bunraku_compiler::log::Log;
use bunraku_compiler::{Compiled, Failure};
use bunraku_environment::Environment;
use bunraku_pcore::Value;
use bunraku_syntax::Span;

/// What compiling for a node came to.
#[derive(Debug)]
pub struct Outcome {
    /// What the agent of the node gets, or why there is nothing.
    pub catalog: Result<Catalog, Failure>,
    /// What the node exports to others, for a [`Store`](crate::Store); nothing if there is no catalog.
    pub exported: Option<Catalog>,
    /// The value of the last statement outside of everything else.
    pub value: Value,
    /// What was said while compiling: notices, warnings and the like.
    pub logs: Vec<Log>,
}

impl From<Compiled> for Outcome {
    fn from(compiled: Compiled) -> Outcome {
        let Compiled { catalog, value, logs } = compiled;
        let (catalog, exported) = match catalog.map(Catalog::for_agent) {
            Ok((catalog, exported)) => (Ok(catalog), Some(exported)),
            Err(failure) => (Err(failure), None),
        };
        Outcome { catalog, exported, value, logs }
    }
}

/// The shortest dependency cycle, if there is one: an agent could not apply such a catalog. The environment that the
/// catalog was compiled from tells where relationships are written.
pub fn cycle(graph: &Graph<'_>, environment: Option<&Environment>) -> Option<Cycle> {
    let line_at = |span: Span| {
        let code = environment?.code(span.file)?;
        Some(Line { file: code.path.clone(), line: code.line_number(span.start) })
    };
    graph.cycle(&line_at)
}
