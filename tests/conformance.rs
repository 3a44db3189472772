//! Recorded conformance: every case of `conformance/*.jsonl` gives what the reference implementation gave, but for those
//! that `conformance/SCORE.md` lists.

use std::fs;
use std::path::{Path, PathBuf};

use bunraku_tests::score::{self, Corpora};
use serde_json::Value as Json;

#[test]
fn the_score_does_not_drop() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let cases: Vec<(String, Json)> = files.iter().flat_map(|path| read(path)).collect();
    assert!(cases.len() > 4_000, "the corpora were not found");
    let half = cases.len() / 2;
    // Two halves on two threads.
    let results: Vec<(String, String, bool)> = std::thread::scope(|scope| {
        let workers: Vec<_> = [&cases[..half], &cases[half..]]
            .into_iter()
            .map(|part| {
                let work = move || part.iter().map(|(corpus, case)| check(corpus, case)).collect::<Vec<_>>();
                scope.spawn(work)
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let mut corpora = Corpora::new();
    for (corpus, id, has_passed) in results {
        corpora.entry(corpus).or_default().add(&id, has_passed);
    }
    score::check(corpora);
}

fn read(path: &Path) -> Vec<(String, Json)> {
    let corpus = path.file_stem().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| (corpus.clone(), serde_json::from_str(line).unwrap())).collect()
}

fn check(corpus: &str, case: &Json) -> (String, String, bool) {
    let id = case["id"].as_str().unwrap().to_owned();
    let has_passed = bunraku_tests::harness::run(case) == case["expect"];
    (corpus.to_owned(), id, has_passed)
}
