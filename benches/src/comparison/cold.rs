//! From the start of the program to a catalog on disk.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Measured, Row, both};
use crate::workload::Workload;
use crate::{Result, ours};

const NODE: &str = "bench.example.com";

/// Compiles a workload with both programs, each started anew, and writes the catalog to a file.
pub fn compare(workload: &Workload, scratch: &Path, bunraku: &Path) -> Result<Row> {
    let environment = scratch.join("environments/production");
    super::warm::write_files(workload, &environment)?;
    std::fs::create_dir_all(environment.join("manifests"))?;
    std::fs::write(environment.join("manifests/site.pp"), &workload.code)?;
    if let Some(modules) = workload.modulepath {
        std::fs::write(environment.join("environment.conf"), format!("modulepath = modules:{modules}\n"))?;
    }
    let values = workload.facts.as_ref().map_or(Ok("{}\n".to_owned()), std::fs::read_to_string)?;
    let facts = scratch.join("facts.yaml");
    std::fs::write(&facts, &values)?;
    // The reference takes facts from the folder in which a server keeps what agents sent.
    let kept = scratch.join("var/yaml/facts");
    std::fs::create_dir_all(&kept)?;
    std::fs::write(kept.join(format!("{NODE}.yaml")), reference_facts(&values))?;

    let common = |command: &mut Command| {
        command.arg("--environmentpath").arg(scratch.join("environments"));
        for (name, value) in &workload.settings {
            match *value {
                "false" => command.arg(format!("--no-{name}")),
                value => command.arg(format!("--{name}")).arg(value),
            };
        }
    };
    let theirs = || {
        let mut command = Command::new("puppet");
        command.args(["catalog", "compile", NODE, "--render-as", "json", "--facts_terminus", "yaml"]);
        command.arg("--vardir").arg(scratch.join("var")).arg("--confdir").arg(scratch.join("conf"));
        common(&mut command);
        run(&mut command, &scratch.join("theirs.json"))
    };
    let ours = || {
        let mut command = Command::new(bunraku);
        command.args(["catalog", "compile", NODE, "--facts"]).arg(&facts);
        common(&mut command);
        run(&mut command, &scratch.join("ours.json"))
    };
    let measured = |time| Measured { time, memory: None };
    let (ours, theirs) = both(|| timed(9, ours).map(measured), || timed(3, theirs).map(measured))?;
    Ok(Row { name: format!("{}, from start to JSON on disk", workload.name), ours, theirs, goal: 100 })
}

/// How long the program takes to say its version.
pub fn start(bunraku: &Path) -> Result<Duration> {
    timed(21, || {
        let status = Command::new(bunraku).arg("--version").stdout(Stdio::null()).status()?;
        status.success().then_some(()).ok_or_else(|| "the program does not start".into())
    })
}

/// Facts as the reference keeps them in a file.
fn reference_facts(values: &str) -> String {
    let body: String = values.lines().filter(|line| *line != "---").map(|line| format!("  {line}\n")).collect();
    format!("--- !ruby/object:Puppet::Node::Facts\nname: {NODE}\nvalues:\n{body}")
}

fn timed(repeats: usize, mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut times = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let begin = Instant::now();
        work()?;
        times.push(begin.elapsed());
    }
    Ok(ours::median(times))
}

fn run(command: &mut Command, output: &Path) -> Result<()> {
    let status = command.stdout(std::fs::File::create(output)?).stderr(Stdio::null()).status()?;
    match status.success() && std::fs::metadata(output)?.len() > 1_000 {
        true => Ok(()),
        false => Err(format!("{command:?} made no catalog").into()),
    }
}
