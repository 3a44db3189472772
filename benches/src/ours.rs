//! Bunraku's side of a comparison.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bunraku::{Catalog, Compiler, Disk, Environment, Memory, Node, RubyOptions, RunMode, Settings, World, facts, wire};
use bunraku_syntax::{Diagnostic, FileId, Severity, Source, ValidateOptions, parse, validate};

use crate::Result;
use crate::workload::Workload;

/// A compiler for the program of a workload; a directory holds its files, or memory does.
pub fn compiler(workload: &Workload, directory: Option<&Path>) -> Result<Compiler> {
    let mut settings = Settings::new(RunMode::Server);
    settings.set("code", workload.code.as_str());
    let root = directory.map_or_else(|| "/production".into(), |directory| directory.to_string_lossy());
    let modules =
        workload.modulepath.map_or_else(|| format!("{root}/modules"), |more| format!("{root}/modules:{more}"));
    settings.set("modulepath", modules.as_str());
    for (name, value) in &workload.settings {
        settings.set(name, *value);
    }
    let world: Arc<dyn World> = match directory {
        Some(_) => Arc::new(Disk),
        None => {
            let memory = Memory::default();
            for (path, text) in &workload.files {
                memory.write(&format!("{root}/{path}"), text.as_str());
            }
            Arc::new(memory)
        }
    };
    let environment = Environment::at(world, &settings, "production", &root)?;
    Ok(Compiler::new(environment, RubyOptions::default())?)
}

/// The node of a workload.
pub fn node(workload: &Workload) -> Result<Node> {
    let mut node = Node::new("bench.example.com");
    if let Some(path) = &workload.facts {
        node.facts = facts::read(&Disk, path)?;
    }
    Ok(node)
}

/// Compiles once.
pub fn compile(compiler: &Compiler, node: &Node) -> Result<Catalog> {
    let compiled = compiler.compile(node);
    compiled.catalog.map_err(|failure| format!("{:?}", failure.diagnostics).into())
}

/// How long one compilation takes in a warm process: code and data were read by an earlier one.
pub fn warm_time(compiler: &Compiler, node: &Node) -> Result<Duration> {
    drop(compile(compiler, node)?);
    repeated(|| {
        let begin = Instant::now();
        let catalog = compile(compiler, node)?;
        let time = begin.elapsed();
        drop(catalog);
        Ok(time)
    })
}

/// How often something is done at least, and for how long: what takes a millisecond tells nothing in nine of them.
const REPEATS: usize = 9;
const REPEATED_FOR: Duration = Duration::from_secs(1);

/// The median of how long something takes.
pub fn repeated(mut work: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < REPEATS || begin.elapsed() < REPEATED_FOR {
        times.push(work()?);
    }
    Ok(median(times))
}

/// Compiles once and gives the catalog as an agent receives it.
pub fn catalog_text(workload: &Workload) -> Result<String> {
    let catalog = compile(&compiler(workload, None)?, &node(workload)?)?;
    Ok(wire::to_json(&catalog, wire::Options::default())?)
}

/// Parses and validates a text; gives how many errors it has.
pub fn check(text: impl Into<String>) -> usize {
    let source = Source::string(FileId::default(), text);
    let parsed = parse(&source);
    let found = validate(&source, &parsed.program, &ValidateOptions::default());
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    parsed.diagnostics.iter().chain(&found).filter(is_error).count()
}

/// The value in the middle.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
