//! `versus-puppet`: the same work done by Bunraku and by the reference implementation, in one run on one machine.
//!
//! Needs Debian's `puppet-agent` and `puppet-module-*` packages, and the program itself beside this one:
//! `cargo build --release && target/release/versus-puppet`. Writes `docs/benchmarks.md`; only ratios count, for
//! both were measured under the same load. With the keys of workloads, or `parsing`, `cold`, `growth` and `kept`, it runs
//! those alone and writes nothing.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use bunraku_benches::Result;
use bunraku_benches::comparison::{Memory, Row, Scratch, cold, growth, home, kept, parsing, program, warm};
use bunraku_benches::workload::{self, Workload};

/// Where Debian's packages of modules put them.
const MODULES: &str = "/usr/share/puppet/modules";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [] => everything(),
        [mode, key, directory] if mode == "measure" => measure(key, Path::new(directory)),
        [mode, directory] if mode == "keep" => keep(Path::new(directory)),
        keys => some(keys),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(key: &str, directory: &Path) -> Result<()> {
    println!("{}", warm::measure(&find(key)?, directory)?.to_json());
    Ok(())
}

fn keep(directory: &Path) -> Result<()> {
    println!("{}", kept::keep(directory)?);
    Ok(())
}

fn find(key: &str) -> Result<Workload> {
    workload::find(key).ok_or_else(|| format!("no workload {key}").into())
}

/// Runs the named comparisons and prints the ratios.
fn some(keys: &[String]) -> Result<()> {
    let scratch = Scratch::new()?;
    for key in keys {
        match key.as_str() {
            "parsing" => println!("{}", line(&parsing::compare(Path::new(MODULES))?.row)?),
            "cold" => drop(cold_rows(&scratch)?),
            "growth" => println!("{}", growth_text(&scratch)?),
            "kept" => println!("{}", kept::text(&scratch.directory("kept"))?),
            key => println!("{}", line(&warm_row(&find(key)?, &scratch)?)?),
        }
    }
    Ok(())
}

fn everything() -> Result<()> {
    let bunraku = program()?;
    let scratch = Scratch::new()?;
    let parsing = parsing::compare(Path::new(MODULES))?;
    let mut rows = vec![parsing.row.clone()];
    eprintln!("{}", line(&parsing.row)?);
    for key in workload::keys() {
        let row = warm_row(&find(key)?, &scratch)?;
        eprintln!("{}", line(&row)?);
        rows.push(row);
    }
    rows.extend(cold_rows(&scratch)?);
    let growth = growth_text(&scratch)?;
    let kept = kept::text(&scratch.directory("kept"))?;

    let mut text = format!(
        "# Benchmarks\n\nWritten by `cargo build --release && target/release/versus-puppet`: the same work done by \
         both implementations in one run on one machine, each in a process of its own. Unless a line says otherwise the \
         process is warm: code and data were read by an earlier compilation; the median counts, for Bunraku that of five \
         processes, two before the reference and three after it. Only ratios say something; \
         times depend on the machine and its load. Memory is private: what the process \
         has written to, while a catalog is there; in brackets with its share of the pages of files that processes have \
         in common (`Pss`). Versions: {}, {}.\n\n\
         | work | Bunraku | Puppet | times faster | goal | private memory, MB (Pss) |\n|---|---|---|---|---|---|\n",
        version(Command::new(&bunraku).arg("--version"))?,
        version(Command::new("puppet").arg("--version")).map(|version| format!("Puppet {version}"))?,
    );
    for row in &rows {
        writeln!(text, "{}", line(row)?)?;
    }
    write!(
        text,
        "\nParsing and validating: {:.0} MB/s on one core, the reference {:.2} MB/s; two threads are {:.2} times as fast as \
         one. The program starts in {}. {growth}\n\n{kept}\n\nFacts are compared with Facter in \
         [facts](facts.md#how-long-they-take).\n",
        parsing.rate(parsing.row.ours.time),
        parsing.rate(parsing.row.theirs.time),
        parsing.scaling,
        shown(cold::start(&bunraku)?),
    )?;
    std::fs::write(home().join("../docs/benchmarks.md"), text)?;
    Ok(())
}

fn cold_rows(scratch: &Scratch) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for key in ["classes", "real"] {
        let row = cold::compare(&find(key)?, &scratch.directory(&format!("cold-{key}")), &program()?)?;
        eprintln!("{}", line(&row)?);
        rows.push(row);
    }
    Ok(rows)
}

fn growth_text(scratch: &Scratch) -> Result<String> {
    let growth = growth::by_resources(&scratch.directory("growth"))?;
    let scaling = growth::by_cores(&find("defines")?, 200, &scratch.directory("all"), &program()?)?;
    let shown = growth.iter().map(|(count, time)| format!("{:.2} µs of {count}", time.as_secs_f64() * 1e6));
    Ok(format!(
        "`catalog compile --all` over 200 nodes with 4,000 resources each is {scaling:.2} times as fast with two threads. \
         Time for each resource: {}.",
        shown.collect::<Vec<_>>().join(", ")
    ))
}

fn warm_row(workload: &Workload, scratch: &Scratch) -> Result<Row> {
    let directory = scratch.directory(workload.key);
    warm::write_files(workload, &directory)?;
    warm::compare(workload, &directory)
}

fn line(row: &Row) -> Result<String> {
    let mut text = String::new();
    let (ours, theirs) = (&row.ours, &row.theirs);
    write!(
        text,
        "| {} | {} | {} | {:.0} | {} | ",
        row.name,
        shown(ours.time),
        shown(theirs.time),
        row.ratio(),
        row.goal
    )?;
    match ours.memory.zip(theirs.memory) {
        None => write!(text, "|")?,
        Some((ours, theirs)) => write!(text, "{} against {} |", megabytes(ours), megabytes(theirs))?,
    }
    Ok(text)
}

fn megabytes(memory: Memory) -> String {
    let [private, proportional] = [memory.private, memory.proportional].map(|kilobytes| kilobytes as f64 / 1024.0);
    format!("{private:.1} ({proportional:.1})")
}

fn shown(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    if milliseconds < 10.0 { format!("{milliseconds:.2} ms") } else { format!("{milliseconds:.0} ms") }
}

fn version(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8(command.output()?.stdout)?.trim().to_owned())
}
