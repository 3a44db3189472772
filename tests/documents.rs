//! The programs in the documents do what the documents say.

use std::fs;
use std::path::Path;

use serde_json::json;

/// The fenced blocks of a document, with the word after the fence.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((kind.to_owned(), body.join("\n")));
        }
    }
    blocks
}

#[test]
fn the_differences_are_as_described() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/spec-differences.md");
    let blocks = blocks(&fs::read_to_string(path).unwrap());
    let mut checked = 0;
    for pair in blocks.windows(2) {
        let [(first, program), (second, expected)] = pair else { continue };
        let actual = match (first.as_str(), second.as_str()) {
            ("puppet", "value") => bunraku_tests::harness::run(&json!({"code": program}))["value"]["repr"].clone(),
            ("puppet", "error") => bunraku_tests::harness::run(&json!({"code": program}))["error"]["message"].clone(),
            _ => continue,
        };
        assert_eq!(actual, json!(expected), "{program}");
        checked += 1;
    }
    assert!(checked > 50, "the programs were not found");
}
