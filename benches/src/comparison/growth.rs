//! How the cost grows with the number of resources, and what a second core brings.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::workload::{self, Workload};
use crate::{Result, ours};

/// The time that each resource takes, for several numbers of them.
pub fn by_resources(scratch: &Path) -> Result<Vec<(usize, Duration)>> {
    [1_000_u32, 10_000, 100_000]
        .into_iter()
        .map(|count| {
            let workload = workload::resources(count as usize);
            let directory = scratch.join(format!("resources{count}"));
            super::warm::write_files(&workload, &directory)?;
            let (compiler, node) = (ours::compiler(&workload, Some(&directory))?, ours::node(&workload)?);
            Ok((count as usize, ours::warm_time(&compiler, &node)? / count))
        })
        .collect()
}

/// How much faster `catalog compile --all` is with two threads than with one, for so many nodes.
pub fn by_cores(workload: &Workload, nodes: usize, scratch: &Path, bunraku: &Path) -> Result<f64> {
    let environment = scratch.join("environments/production");
    super::warm::write_files(workload, &environment)?;
    std::fs::create_dir_all(environment.join("manifests"))?;
    std::fs::write(environment.join("manifests/site.pp"), &workload.code)?;
    let facts = scratch.join("facts");
    std::fs::create_dir_all(&facts)?;
    for node in 0..nodes {
        std::fs::write(facts.join(format!("node{node}.example.com.yaml")), format!("number: {node}\n"))?;
    }
    let time = |threads: &str| -> Result<Duration> {
        let mut times = Vec::new();
        for _ in 0..5 {
            let begin = Instant::now();
            let status = Command::new(bunraku)
                .args(["catalog", "compile", "--all"])
                .arg(&facts)
                .arg("--output")
                .arg(scratch.join("catalogs"))
                .arg("--environmentpath")
                .arg(scratch.join("environments"))
                .env("RAYON_NUM_THREADS", threads)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
            if !status.success() {
                return Err("the catalogs of all nodes cannot be compiled".into());
            }
            times.push(begin.elapsed());
        }
        Ok(ours::median(times))
    };
    Ok(time("1")?.as_secs_f64() / time("2")?.as_secs_f64())
}
