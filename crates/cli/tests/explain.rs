//! `bunraku explain` and `bunraku schema`, the references that the program carries.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::process::Command;

/// Output, messages and exit code.
fn run(args: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_bunraku")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn codes_data_types_and_checks_are_explained() {
    let begins = |name: &str, expected: &str| {
        let (page, messages, code) = run(&["explain", name]);
        assert!(page.starts_with(expected), "{page}");
        assert_eq!((messages.as_str(), code), ("", 0));
    };
    begins("unknown_variable", "UNKNOWN_VARIABLE\n\n");
    begins("struct", "Struct\n\nA hash with known keys");
    begins(
        "arrow_alignment",
        "arrow_alignment\n\nThe arrows of a resource stand in one column.\n\nA check of `bunraku lint`",
    );
    let refused = |name: &str, meant: &str| {
        let expected = format!("Error: There is no code, data type or check {name}{meant}\n");
        assert_eq!(run(&["explain", name]), (String::new(), expected, 1));
    };
    refused("Strct", ": did you mean Struct?");
    refused("unknown_varable", ": did you mean UNKNOWN_VARIABLE?");
    refused("arow_alignment", ": did you mean arrow_alignment?");
    refused("x", "");
}

#[test]
fn everything_that_is_listed_has_a_page() {
    let (list, _, _) = run(&["explain"]);
    let groups: Vec<Vec<&str>> = list.split("\n\n").map(|group| group.lines().collect()).collect();
    assert_eq!(groups.len(), 3);
    for first in groups.iter().filter_map(|group| group.first()) {
        let (name, summary) = first.split_once(": ").unwrap();
        assert!(!summary.is_empty());
        assert!(run(&["explain", name]).0.starts_with(name), "{first}");
    }
    assert!(groups.iter().flatten().all(|line| line.contains(": ")), "a line for each");
}

#[test]
fn a_schema_that_is_not_there_is_an_error() {
    let expected = "Error: There is no schema catlog: did you mean catalog?\n".to_owned();
    assert_eq!(run(&["schema", "catlog"]), (String::new(), expected, 1));
}
