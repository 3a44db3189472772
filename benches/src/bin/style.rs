//! What `lint` and `fmt` cost, and how much `fmt` changes:
//!
//! - `style lint [DIRECTORY …]`: CPU time of `bunraku lint` and of Debian's puppet-lint, on the same files with the same checks.
//!   The binary is the one next to this program.
//! - `style fmt [DIRECTORY …]`: laying out against parsing and validating, in this process.
//! - `style growth`: both on a manifest of 10,000 and one of 100,000 lines.
//! - `style unchanged DIRECTORY …`: the share of files and lines that the layout leaves as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bunraku::format::{Style, format};
use bunraku::lint::{RULES, Settings, check};
use bunraku_benches::Result;
use bunraku_syntax::{FileId, Source, ValidateOptions, parse, validate};
use similar::{ChangeTag, TextDiff};

/// Modules of Debian, a good deal of code that puppet-lint takes seconds for.
const MODULES: [&str; 4] = ["nova", "keystone", "puppetlabs-apache", "puppetlabs-mysql"];
const DEBIAN: &str = "/usr/share/puppet/modules.available";

/// How often something is measured; the best counts.
const RUNS: usize = 9;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let mut directories: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if directories.is_empty() {
        directories = MODULES.map(|module| Path::new(DEBIAN).join(module)).to_vec();
    }
    let mut files = Vec::new();
    directories.iter().for_each(|directory| find(directory, &mut files));
    files.sort();
    match mode.as_str() {
        "lint" => versus_puppet_lint(&files),
        "fmt" => layout(&files),
        "growth" => growth(),
        "unchanged" => unchanged(&files),
        _ => Err("style lint|fmt|growth|unchanged [DIRECTORY …]".into()),
    }
}

fn find(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() && !path.is_symlink() {
            true => find(&path, files),
            false if path.extension().is_some_and(|extension| extension == "pp") => files.push(path),
            false => {}
        }
    }
}

/// The CPU time of all processes that have been started and waited for, in ticks of 10 ms.
fn ticks_of_children() -> Result<u64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // What is before the bracket may have blanks in it; user and system time are 13 and 14 fields behind it.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let field = |place: usize| fields.get(place).and_then(|it| it.parse::<u64>().ok()).unwrap_or_default();
    Ok(field(13) + field(14))
}

/// The CPU time of a command in milliseconds, and how many lines it writes.
fn run(program: &Path, arguments: &[String], times: u64) -> Result<(f64, usize)> {
    let before = ticks_of_children()?;
    let mut lines = 0;
    for _ in 0..times {
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).env_remove("GITHUB_ACTION").output()?;
        lines = output.stdout.split(|byte| *byte == b'\n').count() - 1;
    }
    Ok(((ticks_of_children()? - before) as f64 * 10.0 / times as f64, lines))
}

fn versus_puppet_lint(files: &[PathBuf]) -> Result<()> {
    let listed = Command::new("puppet-lint").arg("--list-checks").output()?;
    let listed = String::from_utf8(listed.stdout)?;
    let checks: Vec<&str> = listed.lines().filter(|name| RULES.iter().any(|rule| rule.name == *name)).collect();
    let mut arguments = ["--no-config", "--with-filename", "--only-checks"].map(str::to_owned).to_vec();
    arguments.push(checks.join(","));
    arguments.extend(files.iter().map(|path| path.display().to_string()));
    let ours = std::env::current_exe()?.with_file_name("bunraku");
    let lint: Vec<String> = std::iter::once("lint".to_owned()).chain(arguments.iter().cloned()).collect();
    let (fast, found) = run(&ours, &lint, 20)?;
    let (slow, expected) = run(Path::new("puppet-lint"), &arguments, 1)?;
    println!("{} files, {} checks: {found} lines of problems, puppet-lint {expected}", files.len(), checks.len());
    println!("CPU time {fast:.0} ms, puppet-lint {slow:.0} ms: {:.0} times as fast", slow / fast);
    Ok(())
}

fn best(mut work: impl FnMut()) -> Duration {
    let runs = (0..RUNS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}

fn sources(files: &[PathBuf]) -> Vec<Source> {
    let texts = files.iter().filter_map(|path| fs::read_to_string(path).ok());
    texts.map(|text| Source::string(FileId(0), text)).collect()
}

fn layout(files: &[PathBuf]) -> Result<()> {
    let sources = sources(files);
    let style = Style::default();
    let reading = best(|| {
        for source in &sources {
            let parsed = parse(source);
            std::hint::black_box(validate(source, &parsed.program, &ValidateOptions::default()));
        }
    });
    let writing = best(|| {
        for source in &sources {
            std::hint::black_box(format(source, &style).is_ok());
        }
    });
    let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
    println!("{} files, {bytes} bytes: parse and validate {reading:?}, fmt {writing:?}", sources.len());
    println!("{:.2} times the time", writing.as_secs_f64() / reading.as_secs_f64());
    Ok(())
}

fn growth() -> Result<()> {
    let manifest = |lines: usize| -> String {
        let resource = |number: usize| {
            format!("  file {{ '/{number}':\n    ensure=>file,\n    mode   => \"0644\"\n  }}\n  $a{number}=1\n")
        };
        format!("class big {{\n{}}}\n", (0..lines / 5).map(resource).collect::<String>())
    };
    for lines in [10_000, 100_000] {
        let text = manifest(lines);
        let source = Source::string(FileId(0), text.as_str());
        let lint = best(|| _ = std::hint::black_box(check(&text, "big/manifests/init.pp", &Settings::default())));
        let fmt = best(|| _ = std::hint::black_box(format(&source, &Style::default()).is_ok()));
        println!("{lines} lines: lint {lint:?}, fmt {fmt:?}");
    }
    Ok(())
}

fn unchanged(files: &[PathBuf]) -> Result<()> {
    let (mut count, mut same_files, mut lines, mut same_lines) = (0_u32, 0_u32, 0_usize, 0_usize);
    for source in sources(files) {
        let Ok(written) = format(&source, &Style::default()) else { continue };
        count += 1;
        same_files += u32::from(written == source.text);
        lines += source.text.lines().count();
        let changes = TextDiff::from_lines(source.text.as_str(), written.as_str());
        same_lines += changes.iter_all_changes().filter(|change| change.tag() == ChangeTag::Equal).count();
    }
    let share = |part: f64, whole: f64| 100.0 * part / whole.max(1.0);
    println!("{count} files: {:.1} % unchanged", share(f64::from(same_files), f64::from(count)));
    println!("{lines} lines: {:.1} % unchanged", share(same_lines as f64, lines as f64));
    Ok(())
}
