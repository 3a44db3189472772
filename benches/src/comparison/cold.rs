//! From the start of the program to a catalog on disk.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Measured, Row, both};
use crate::workload::Workload;
use crate::{Result, ours};

const NODE: &str = "bench.example.com";

/// A workload on disk, where both programs find it.
pub struct Cold<'a> {
    workload: &'a Workload,
    directory: &'a Path,
}

impl Cold<'_> {
    /// Writes a workload to a directory: the environment, and facts in the form of either program.
    pub fn new<'a>(workload: &'a Workload, directory: &'a Path) -> Result<Cold<'a>> {
        let environment = directory.join("environments/production");
        super::warm::write_files(workload, &environment)?;
        std::fs::create_dir_all(environment.join("manifests"))?;
        std::fs::write(environment.join("manifests/site.pp"), &workload.code)?;
        if let Some(modules) = workload.modulepath {
            std::fs::write(environment.join("environment.conf"), format!("modulepath = modules:{modules}\n"))?;
        }
        let values = workload.facts.as_ref().map_or(Ok("{}\n".to_owned()), std::fs::read_to_string)?;
        std::fs::write(directory.join("facts.yaml"), &values)?;
        // The reference takes facts from the directory in which a server keeps what agents sent.
        let kept = directory.join("var/yaml/facts");
        std::fs::create_dir_all(&kept)?;
        std::fs::write(kept.join(format!("{NODE}.yaml")), reference_facts(&values))?;
        Ok(Cold { workload, directory })
    }

    /// How Bunraku compiles it.
    pub fn ours(&self, bunraku: &Path) -> Command {
        let mut command = Command::new(bunraku);
        command.args(["catalog", "compile", NODE, "--facts"]).arg(self.directory.join("facts.yaml"));
        self.common(&mut command);
        command
    }

    /// How the reference compiles it.
    fn theirs(&self) -> Command {
        let mut command = Command::new("puppet");
        command.args(["catalog", "compile", NODE, "--render-as", "json", "--facts_terminus", "yaml"]);
        command.arg("--vardir").arg(self.directory.join("var")).arg("--confdir").arg(self.directory.join("conf"));
        self.common(&mut command);
        command
    }

    fn common(&self, command: &mut Command) {
        command.arg("--environmentpath").arg(self.directory.join("environments"));
        for (name, value) in &self.workload.settings {
            match *value {
                "false" => command.arg(format!("--no-{name}")),
                value => command.arg(format!("--{name}")).arg(value),
            };
        }
    }
}

/// Compiles a workload with both programs, each started anew, and writes the catalog to a file.
pub fn compare(workload: &Workload, directory: &Path, bunraku: &Path) -> Result<Row> {
    let cold = Cold::new(workload, directory)?;
    let ours = || run(&mut cold.ours(bunraku), &directory.join("ours.json"));
    let theirs = || run(&mut cold.theirs(), &directory.join("theirs.json"));
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
