//! `versus-puppet`: the same work done by Bunraku and by the reference implementation, in one run on one machine.
//!
//! Needs Debian's `puppet-agent`. Writes `docs/benchmarks.md`; only ratios count, for both were measured under the same
//! load. Run it with `cargo run --release -p bunraku-benches`.

mod workload;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bunraku::{Compiler, Environment, Memory, Node, RubyOptions, RunMode, Settings};
use serde_json::{Value as Json, json};

use workload::{Workload, workloads};

/// How often each side repeats a piece of work; the median counts.
const REPEATS: usize = 5;

/// Evaluation recurses as deeply as programs call.
const STACK: usize = 512 << 20;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(run)?;
    worker.join().map_err(|_| "the benchmark ended in a panic")?
}

fn run() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workloads = workloads();
    let reference = reference_times(folder, &workloads)?;
    let mut rows = Vec::new();
    for (workload, theirs) in workloads.iter().zip(reference) {
        let ours = median((0..REPEATS).map(|_| compile(workload)).collect::<Result<Vec<_>>>()?);
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        eprintln!("{:<52} {ratio:>8.0} times", workload.name);
        rows.push((workload.name, ours, theirs, ratio));
    }
    let mut text = "# Benchmarks\n\nWritten by `cargo run --release -p bunraku-benches`: the same programs compiled by \
        both implementations in one run, each in a warm process, the median of five. Only the ratio says something; times \
        depend on the machine and its load.\n\n| work | Bunraku | Puppet | times faster |\n|---|---|---|---|\n"
        .to_owned();
    for (name, ours, theirs, ratio) in rows {
        writeln!(text, "| {name} | {} | {} | {ratio:.0} |", shown(ours), shown(theirs))?;
    }
    std::fs::write(folder.join("../docs/benchmarks.md"), text)?;
    Ok(())
}

fn shown(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    if milliseconds < 10.0 { format!("{milliseconds:.2} ms") } else { format!("{milliseconds:.0} ms") }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Compiles a program once in a new environment, as a warm server does after a change of code.
fn compile(workload: &Workload) -> Result<Duration> {
    let world = Memory::default();
    for (path, text) in &workload.files {
        world.write(&format!("/production/{path}"), text.as_str());
    }
    let mut settings = Settings::new(RunMode::Server);
    settings.set("code", workload.code.as_str());
    settings.set("modulepath", "/production/modules");
    let begin = Instant::now();
    let environment = Environment::at(Arc::new(world), &settings, "production", "/production")?;
    let compiler = Compiler::new(environment, RubyOptions::default())?;
    let compiled = compiler.compile(&Node::new("bench.example.com"));
    let time = begin.elapsed();
    match compiled.catalog {
        Ok(_) => Ok(time),
        Err(failure) => Err(format!("{}: {:?}", workload.name, failure.diagnostics).into()),
    }
}

/// The same by the reference: all workloads in one process, each repeated, medians on standard output.
fn reference_times(folder: &Path, workloads: &[Workload]) -> Result<Vec<Duration>> {
    let mut child =
        Command::new("ruby").arg(folder.join("reference.rb")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        for workload in workloads {
            let files: serde_json::Map<String, Json> =
                workload.files.iter().map(|(path, text)| (path.clone(), json!(text))).collect();
            let line = json!({"code": workload.code, "files": files, "repeats": REPEATS});
            writeln!(input, "{line}")?;
        }
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8(output.stdout)?;
    let times: Vec<Duration> = text.lines().filter_map(|line| line.parse().ok()).map(Duration::from_secs_f64).collect();
    if times.len() != workloads.len() {
        return Err(format!("the reference gave {} of {} times", times.len(), workloads.len()).into());
    }
    Ok(times)
}
