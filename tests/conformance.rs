//! Recorded conformance: every case of `conformance/*.jsonl` gives what the reference implementation gave.
//!
//! `SCORE.md` lists what does not, and may only get shorter: a case that is not listed there must pass. `UPDATE=1` writes
//! it anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// Passed and total cases of one topic, with the names of those that fail.
#[derive(Default)]
struct Topic {
    passed: usize,
    failed: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

#[test]
fn the_score_does_not_drop() {
    let mut topics: BTreeMap<String, Topic> = BTreeMap::new();
    let mut corpora: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    corpora.sort();
    let cases: Vec<(String, Json)> = corpora.iter().flat_map(|path| read(path)).collect();
    assert!(cases.len() > 4_000, "the corpora were not found");
    let half = cases.len() / 2;
    // Two halves on two threads, each with room for deep recursion.
    let results: Vec<(String, String, bool)> = std::thread::scope(|scope| {
        let workers: Vec<_> = [&cases[..half], &cases[half..]]
            .into_iter()
            .map(|part| {
                let work = move || part.iter().map(|(topic, case)| check(topic, case)).collect::<Vec<_>>();
                std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).unwrap()
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    for (topic, id, passed) in results {
        let topic = topics.entry(topic).or_default();
        if passed {
            topic.passed += 1;
        } else {
            topic.failed.push(id);
        }
    }
    let score = render(&topics);
    let path = folder().join("SCORE.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &score).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(score == committed, "the score differs from conformance/SCORE.md (UPDATE=1 rewrites it):\n{score}");
}

fn read(path: &Path) -> Vec<(String, Json)> {
    let topic = path.file_stem().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| (topic.clone(), serde_json::from_str(line).unwrap())).collect()
}

fn check(topic: &str, case: &Json) -> (String, String, bool) {
    let id = case["id"].as_str().unwrap().to_owned();
    let passed = bunraku_cli::run_case(case) == case["expect"];
    (topic.to_owned(), id, passed)
}

fn render(topics: &BTreeMap<String, Topic>) -> String {
    let mut text = "# Score\n\nWritten by the test runner: cases equal to the reference implementation.\n\n".to_owned();
    text.push_str("| corpus | passed | total |\n|---|---|---|\n");
    let (mut passed, mut total) = (0, 0);
    for (name, topic) in topics {
        let all = topic.passed + topic.failed.len();
        writeln!(text, "| {name} | {} | {all} |", topic.passed).unwrap();
        passed += topic.passed;
        total += all;
    }
    writeln!(
        text,
        "| **all** | **{passed}** | **{total}** |\n\n## Failing\n\nThe reasons are in docs/spec-differences.md."
    )
    .unwrap();
    for (name, topic) in topics.iter().filter(|(_, topic)| !topic.failed.is_empty()) {
        writeln!(text, "\n- {name}: {}", topic.failed.join(" ")).unwrap();
    }
    text
}
