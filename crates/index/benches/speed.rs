//! How long the index of many modules takes from cold, and the update of one file:
//! `cargo bench -p bunraku-index -- [DIRECTORY]`.
#![expect(clippy::print_stdout, reason = "the figures are the result")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use bunraku_index::{FileIndex, ProjectIndex};
use bunraku_syntax::{FileId, Source, parse};

/// How often each update is measured.
const RUNS: usize = 5;

/// How many manifests a large repository has.
const LARGE: usize = 3_000;

fn main() {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let directory = given.unwrap_or_else(|| "/usr/share/puppet/modules.available".to_owned());
    let mut files = Vec::new();
    let start = cpu_milliseconds();
    find(Path::new(&directory), &mut files);
    let mut project = index(files.iter());
    println!("{} files in {:.0} ms", project.len(), cpu_milliseconds() - start);
    let start = cpu_milliseconds();
    let large = index(files.iter().cycle().take(LARGE));
    println!("{} files, some of them again, in {:.0} ms", large.len(), cpu_milliseconds() - start);
    // The best of several runs: what the machine does besides is not the index's.
    let mut updates = Vec::with_capacity(files.len());
    for (number, path) in (0..).zip(&files) {
        let runs = (0..RUNS).map(|run| {
            let edit = format!("$edited{run} = 1\n");
            let start = Instant::now();
            update(&mut project, number, path, &edit);
            start.elapsed().as_secs_f64() * 1e3
        });
        updates.push((runs.fold(f64::INFINITY, f64::min), path));
    }
    updates.sort_by(|one, other| one.0.total_cmp(&other.0));
    if let (Some((median, _)), Some((slowest, path))) = (updates.get(updates.len() / 2), updates.last()) {
        println!("updates of one file: median {median:.3} ms, slowest {slowest:.2} ms ({})", path.display());
    }
}

/// The CPU time of this thread so far: what other programs do on the machine does not count.
fn cpu_milliseconds() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|it| it.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e6
}

/// The index of files, each as one of its own.
fn index<'p>(files: impl Iterator<Item = &'p PathBuf>) -> ProjectIndex {
    let mut project = ProjectIndex::default();
    for (number, path) in (0..).zip(files) {
        update(&mut project, number, path, "");
    }
    project
}

/// Indexes a file with something added to its end.
fn update(project: &mut ProjectIndex, number: u32, path: &Path, edit: &str) {
    let Ok(mut text) = std::fs::read_to_string(path) else { return };
    text.push_str(edit);
    let parsed = parse(&Source::string(FileId(number), text));
    project.update(format!("{number}:{}", path.display()).into(), FileIndex::new(&parsed.program));
}

fn find(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => find(&path, files),
            false if path.extension().is_some_and(|extension| extension == "pp") => files.push(path),
            false => {}
        }
    }
}
