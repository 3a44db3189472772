//! How long facts take, asked of Facter and of Bunraku in turn: `facts [BUNRAKU [FACTER]]`. Only the ratios say something.

use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each is asked; the median counts.
const RUNS: usize = 7;

/// What is asked.
const QUESTIONS: [(&str, &[&str]); 3] = [
    ("all core facts", &["--json", "--no-custom-facts", "--no-external-facts"]),
    ("all core and legacy facts", &["--json", "--no-custom-facts", "--no-external-facts", "--show-legacy"]),
    ("one fact", &["os.family"]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let ours = match arguments.next() {
        Some(path) => PathBuf::from(path),
        None => std::env::current_exe()?.with_file_name("bunraku"),
    };
    let theirs = PathBuf::from(arguments.next().unwrap_or_else(|| "facter".to_owned()));
    println!("| facts | Bunraku | Facter | times faster |\n|---|---|---|---|");
    for (name, question) in QUESTIONS {
        let (mut times, mut reference) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            times.push(asked(Command::new(&ours).arg("facter").args(question))?);
            reference.push(asked(Command::new(&theirs).args(question))?);
        }
        let (time, reference) = (median(times), median(reference));
        let ratio = reference.as_secs_f64() / time.as_secs_f64();
        println!(
            "| {name} | {:.1} ms | {:.0} ms | {ratio:.0} |",
            time.as_secs_f64() * 1e3,
            reference.as_secs_f64() * 1e3
        );
    }
    Ok(())
}

/// How long a command takes.
fn asked(command: &mut Command) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    // Its exit code says whether there were errors, which Facter has in some containers.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
