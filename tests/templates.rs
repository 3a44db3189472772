//! ERB templates with and without Ruby: the recorded ones give the same either way, and most of them need no Ruby.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

/// How many of the recorded cases need no Ruby, at least. Errors have Ruby's words, so a case that fails always needs it.
const WITHOUT_RUBY: usize = 580;

#[test]
fn templates_give_the_same_with_and_without_ruby() {
    let cases: Vec<Json> = ["erb", "templates"].iter().flat_map(|corpus| read(corpus)).collect();
    let mut without_ruby = 0;
    let mut different = String::new();
    for case in &cases {
        let native = run(case, "never");
        if native == case["expect"] {
            without_ruby += 1;
        } else if !native.to_string().contains("this needs Ruby") {
            // It is not what the reference gives; then at least it is what Ruby gives here.
            let by_ruby = run(case, "always");
            if native != by_ruby {
                different += &format!("{}\n  {native}\n  {by_ruby}\n", case["code"]);
            }
        }
    }
    assert!(different.is_empty(), "{different}");
    assert!(without_ruby >= WITHOUT_RUBY, "only {without_ruby} of {} cases need no Ruby", cases.len());
}

fn read(corpus: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(corpus).with_extension("jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn run(case: &Json, ruby: &str) -> Json {
    let mut case = case.clone();
    case["ruby"] = json!(ruby);
    bunraku_tests::harness::run(&case)
}
