//! `function` from outside: the list, the pages, and the manual that is kept in `docs`.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::process::Command;

/// Output, messages and exit code of `function` with arguments.
fn run(args: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_bunraku")).arg("function").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn the_manual_is_current() {
    let (manual, _, code) = run(&["manual"]);
    let kept = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/functions.md")).unwrap();
    assert_eq!(code, 0);
    assert!(manual == kept, "docs/functions.md is to be written anew by `bunraku function manual`");
}

#[test]
fn every_function_has_a_page() {
    let (list, _, _) = run(&["list"]);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 300, "only {} functions", names.len());
    for name in ["abs", "stdlib::sha256", "archive::parse_artifactory_url", "ip_subnet"] {
        assert!(names.contains(&name), "{name}");
        let (page, _, code) = run(&["show", name]);
        assert!(code == 0 && page.contains(&format!("{name}(")), "{page}");
    }
    let (_, message, code) = run(&["show", "nope"]);
    assert_eq!((message.as_str(), code), ("Error: there is no function 'nope' that is built in\n", 1));
}
