//! Comparisons with the reference implementation: each piece of work is done by both, each in a process of its own, one
//! right after the other.
//!
//! A machine is not always equally fast, and what takes milliseconds meets only one of its moods: Bunraku is measured
//! several times, before and after the reference, which takes seconds.

pub mod cold;
pub mod growth;
pub mod kept;
pub mod parsing;
pub mod warm;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::{Result, ours};

/// How long a piece of work took, and how much memory the process had at the end.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// The median of several runs.
    pub time: Duration,
    /// Where the process tells it.
    pub memory: Option<Memory>,
}

/// How much memory a process has, in kilobytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory {
    /// What it has written to, which no other process can share.
    pub private: u64,
    /// The same, and its share of the pages of files that processes have in common (`Pss`).
    pub proportional: u64,
}

impl Measured {
    /// As one process tells another.
    pub fn to_json(self) -> Json {
        let memory = self.memory.map(|memory| json!({"private": memory.private, "proportional": memory.proportional}));
        json!({"seconds": self.time.as_secs_f64(), "memory": memory})
    }

    fn from_json(text: &[u8]) -> Result<Measured> {
        let json: Json = serde_json::from_slice(text)?;
        let seconds = json.get("seconds").and_then(Json::as_f64).ok_or("no time was measured")?;
        let kilobytes = |name| json.get("memory")?.get(name)?.as_u64();
        let memory = kilobytes("private").zip(kilobytes("proportional"));
        let memory = memory.map(|(private, proportional)| Memory { private, proportional });
        Ok(Measured { time: Duration::try_from_secs_f64(seconds)?, memory })
    }
}

/// One line of a table.
#[derive(Debug, Clone)]
pub struct Row {
    /// The work.
    pub name: String,
    /// Bunraku.
    pub ours: Measured,
    /// The reference.
    pub theirs: Measured,
    /// How much faster it is to be.
    pub goal: u32,
}

impl Row {
    /// How many times faster Bunraku is.
    pub fn ratio(&self) -> f64 {
        self.theirs.time.as_secs_f64() / self.ours.time.as_secs_f64()
    }
}

/// Measures both: Bunraku twice before the reference and three times after it, of which the median counts.
fn both(
    ours: impl Fn() -> Result<Measured>,
    theirs: impl FnOnce() -> Result<Measured>,
) -> Result<(Measured, Measured)> {
    let mut all = vec![ours()?, ours()?];
    let theirs = theirs()?;
    for _ in 0..3 {
        all.push(ours()?);
    }
    let memory = all.iter().filter_map(|measured| measured.memory).max();
    let time = ours::median(all.iter().map(|measured| measured.time).collect());
    Ok((Measured { time, memory }, theirs))
}

/// The program itself.
pub fn program() -> Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name("bunraku");
    match program.exists() {
        true => Ok(program),
        false => Err("the program is not there; run `cargo build --release` first".into()),
    }
}

/// The directory of this crate.
pub fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The memory that this process has now.
pub fn memory() -> Option<Memory> {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let kilobytes = |name: &str| -> Option<u64> {
        let line = rollup.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    Some(Memory { private: kilobytes("Private_Dirty:")?, proportional: kilobytes("Pss:")? })
}

/// Has the reference do a piece of work.
fn reference(work: &Json) -> Result<Measured> {
    let script = home().join("reference.rb");
    answer(Command::new("ruby").arg(script), &work.to_string())
}

/// Runs a command that tells what it measured.
fn answer(command: &mut Command, input: &str) -> Result<Measured> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("{command:?} failed").into());
    }
    Measured::from_json(&output.stdout)
}

/// A directory that is gone at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new one, of this process.
    pub fn new() -> Result<Scratch> {
        let directory = std::env::temp_dir().join(format!("bunraku-benches-{}", std::process::id()));
        std::fs::create_dir_all(&directory)?;
        Ok(Scratch(directory))
    }

    /// A directory in it, which is not made.
    pub fn directory(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}
