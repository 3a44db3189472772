//! Parsing and validating the manifests of many modules.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Measured, Row, both, memory, reference};
use crate::{Result, ours};

/// What was found about parsing.
#[derive(Debug)]
pub struct Parsing {
    /// Both implementations on one core.
    pub row: Row,
    /// The size of all manifests in bytes.
    pub bytes: u64,
    /// How much faster two threads are than one.
    pub scaling: f64,
}

impl Parsing {
    /// Megabytes a second.
    pub fn rate(&self, time: Duration) -> f64 {
        self.bytes as f64 / 1e6 / time.as_secs_f64()
    }
}

/// Parses and validates every manifest under a directory.
pub fn compare(directory: &Path) -> Result<Parsing> {
    let mut files = Vec::new();
    manifests(directory, &mut files)?;
    files.sort();
    let bytes = files.iter().map(|path| std::fs::metadata(path).map(|it| it.len())).sum::<std::io::Result<u64>>()?;
    let time = |threads: usize| ours::repeated(|| check_all(&files, threads));
    let ours = || Ok(Measured { time: time(1)?, memory: memory() });
    let (ours, theirs) = both(ours, || reference(&json!({"mode": "parse", "files": files})))?;
    let scaling = time(1)?.as_secs_f64() / time(2)?.as_secs_f64();
    let name = format!("{} manifests parsed and validated, {:.1} MB", files.len(), bytes as f64 / 1e6);
    Ok(Parsing { row: Row { name, ours, theirs, goal: 100 }, bytes, scaling })
}

/// Reads and checks all files, each thread a part of them.
fn check_all(files: &[PathBuf], threads: usize) -> Result<Duration> {
    let begin = Instant::now();
    if threads == 1 {
        check_part(files)?;
        return Ok(begin.elapsed());
    }
    std::thread::scope(|scope| -> Result<()> {
        let parts = files.chunks(files.len().div_ceil(threads).max(1));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || check_part(part))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a thread ended in a panic")?)
    })?;
    Ok(begin.elapsed())
}

fn check_part(files: &[PathBuf]) -> Result<()> {
    for path in files {
        std::hint::black_box(ours::check(std::fs::read_to_string(path)?));
    }
    Ok(())
}

fn manifests(directory: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            manifests(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "pp") {
            found.push(path);
        }
    }
    Ok(())
}
