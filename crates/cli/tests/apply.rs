//! `bunraku apply` from outside, without a change to the machine.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::process::Command;

/// What is said about a resource that would be changed.
fn check(code: &str, expected: &str) {
    let directory = std::env::temp_dir().join(format!("bunraku-apply-{}", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_bunraku"))
        .args(["apply", "--noop", "--color=false", "-e", code, "--confdir"])
        .arg(directory.join("conf"))
        .arg("--vardir")
        .arg(directory.join("var"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(expected), "{code}: {text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn resources_are_there_unless_something_else_is_said() {
    check("package { 'bunraku-no-such': }", "Package[bunraku-no-such]/ensure: created (noop)");
    check("user { 'bunraku-no-such': shell => '/bin/sh' }", "User[bunraku-no-such]/ensure: created (noop)");
    check("group { 'bunraku-no-such': }", "Group[bunraku-no-such]/ensure: created (noop)");
}
