//! How long the index of many modules takes from cold, and the update of one file: `index [DIRECTORY]`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use bunraku_index::{FileIndex, ProjectIndex};
use bunraku_syntax::{FileId, Source, parse};

/// How often each update is measured.
const RUNS: usize = 5;

fn main() {
    let directory = std::env::args().nth(1).unwrap_or_else(|| "/usr/share/puppet/modules.available".to_owned());
    let start = Instant::now();
    let mut files = Vec::new();
    find(Path::new(&directory), &mut files);
    let mut project = ProjectIndex::default();
    for (number, path) in (0..).zip(&files) {
        update(&mut project, number, path);
    }
    println!("{} files in {:.0} ms", project.len(), start.elapsed().as_secs_f64() * 1e3);
    // The best of several runs: what else the machine does is not the index's.
    let mut slowest = 0.0_f64;
    for (number, path) in (0..).zip(&files) {
        let runs = (0..RUNS).map(|_| {
            let start = Instant::now();
            update(&mut project, number, path);
            start.elapsed().as_secs_f64() * 1e3
        });
        slowest = slowest.max(runs.fold(f64::INFINITY, f64::min));
    }
    println!("the slowest update of one file took {slowest:.2} ms");
}

fn update(project: &mut ProjectIndex, number: u32, path: &Path) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let parsed = parse(&Source::string(FileId(number), text));
    project.update(path.display().to_string().into(), FileIndex::new(&parsed.program));
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
