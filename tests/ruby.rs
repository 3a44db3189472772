//! Recorded Ruby: what the one interpreter answers to every snippet of `ruby/*.jsonl` against what Ruby 3.1 answered.
//!
//! `ruby/SCORE.md` says how many of each group are equal and lists the others. It may only get better: a snippet that is
//! not listed there must pass. `UPDATE=1` writes it anew.

use std::fs;
use std::path::{Path, PathBuf};

use bunraku_ruby::interpreter::{Answer, answer};
use bunraku_tests::score::{Corpora, check_in};
use serde_json::Value as Json;

#[test]
fn the_score_of_snippets_does_not_drop() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("ruby");
    let mut files: Vec<PathBuf> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let cases: Vec<Json> = files
        .iter()
        .flat_map(|path| fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    assert!(cases.len() > 4_000, "the snippets were not found");
    let mut corpora = Corpora::new();
    for case in &cases {
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let sources: Vec<&str> = case["setup"].as_str().into_iter().chain([text("code")]).collect();
        let given = answer(&sources, "case.rb");
        let has_passed = is_equal(case, &given);
        if std::env::var("SHOW").is_ok_and(|wanted| text("id").starts_with(&wanted)) && !has_passed {
            let expected = (&case["result"], &case["error"], &case["stdout"]);
            eprintln!("{}: {:?}\n  expected {expected:?}\n  given    {given:?}", text("id"), text("code"));
        }
        corpora.entry(text("topic").to_owned()).or_default().add(text("id"), has_passed);
    }
    check_in("ruby/SCORE.md", "What is not there yet.", corpora);
}

/// Whether an answer is the recorded one. Addresses read `0x0`; of a syntax error only the class counts.
fn is_equal(case: &Json, given: &Answer) -> bool {
    let output = without_addresses(&String::from_utf8_lossy(&given.output));
    if output != case["stdout"].as_str().unwrap_or_default() {
        return false;
    }
    match (&given.result, &given.error) {
        (Some(result), _) => case["result"].as_str() == Some(&without_addresses(result)),
        (None, Some((class, message))) => {
            let error = &case["error"];
            error["class"].as_str() == Some(class)
                && (class == "SyntaxError" || error["message"].as_str() == Some(&without_addresses(message)))
        }
        (None, None) => false,
    }
}

fn without_addresses(text: &str) -> String {
    let mut made = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("0x0000") {
        let (before, after) = rest.split_at(at);
        made.push_str(before);
        made.push_str("0x0");
        rest = after[2..].trim_start_matches(|letter: char| letter.is_ascii_hexdigit());
    }
    made + rest
}
