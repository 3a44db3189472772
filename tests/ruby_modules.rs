//! The Ruby of Debian's modules, run by the interpreter alone: recorded calls of functions and rendered templates.
//!
//! Neither a Ruby nor the native functions that stand in for functions of modules take part. `ruby/SCORE.md` lists what
//! differs; it may only get better. `SHOW=prefix` shows the cases that differ and whose names begin so; `MODULES=FILE`
//! runs those of a file instead and shows which differ.

use std::fs;
use std::path::{Path, PathBuf};

use bunraku_tests::score::{Corpora, check_in};
use bunraku_tests::{harness, packages};
use serde_json::{Value as Json, json};

#[test]
fn the_score_of_modules_does_not_drop() {
    packages::require_recorded();
    let other = std::env::var("MODULES").ok();
    let cases: Vec<Json> = match &other {
        Some(path) => read(Path::new(path)),
        None => ["functions", "templates"].iter().flat_map(|corpus| read(&recorded(corpus))).collect(),
    };
    if other.is_some() {
        for case in &cases {
            has_passed(case);
        }
        return;
    }
    assert!(cases.len() > 3_000, "the cases were not found");
    // Every other one on each of two threads, with room for deep recursion.
    let results: Vec<(&Json, bool)> = std::thread::scope(|scope| {
        let workers: Vec<_> = [0, 1]
            .map(|first| {
                let part: Vec<&Json> = cases.iter().skip(first).step_by(2).collect();
                let work = move || part.into_iter().map(|case| (case, has_passed(case))).collect::<Vec<_>>();
                std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).unwrap()
            })
            .into();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let mut corpora = Corpora::new();
    for (case, has_passed) in results {
        corpora.entry(text(case, "topic").to_owned()).or_default().add(text(case, "id"), has_passed);
    }
    check_in("ruby/SCORE.md", "The reasons are in docs/compatibility.md (§ Recorded Ruby).", corpora);
}

fn recorded(corpus: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ruby/modules").join(corpus).with_extension("jsonl")
}

fn read(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'c>(case: &'c Json, name: &str) -> &'c str {
    case[name].as_str().unwrap_or_default()
}

fn has_passed(case: &Json) -> bool {
    let mut alone = case.clone();
    alone["ruby"] = json!("never");
    alone["stand_ins"] = json!("never");
    let given = harness::run(&alone);
    let is_equal = without_excerpts(&given) == without_excerpts(&case["expect"]);
    let is_shown = std::env::var("MODULES").is_ok()
        || std::env::var("SHOW").is_ok_and(|wanted| text(case, "id").starts_with(&wanted));
    if !is_equal && is_shown {
        eprintln!("{}: {}\n  expected {}\n  given    {given}", text(case, "id"), text(case, "code"), case["expect"]);
    }
    is_equal
}

/// A result whose message ends at the first blank line: what follows is an excerpt of the source of an error.
fn without_excerpts(result: &Json) -> Json {
    let mut result = result.clone();
    if let Some(message) = result["error"]["message"].as_str() {
        let head = message.split_once("\n\n").map_or(message, |(head, _)| head).trim_end().to_owned();
        result["error"]["message"] = json!(head);
    }
    result
}
