//! Programs that would go on for ever, through the binary: each ends in a located error, in time.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::process::Command;
use std::time::{Duration, Instant};

/// On a busy machine and without optimisation; without limits these programs take hours.
const PATIENCE: Duration = Duration::from_secs(300);

/// Evaluates a program that must fail, and checks what is said about it.
fn check(code: &str, expected: &str) {
    let begin = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_bunraku")).args(["eval", "-e", code]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{code}\n{said}");
    assert!(said.starts_with("Error: ") && said.contains(expected), "{code}\n{said}");
    assert!(begin.elapsed() < PATIENCE, "{code}");
}

#[test]
fn data_that_nests_without_end_is_refused() {
    let nested = |start: &str, around: &str| format!("Integer[1, 10000000].reduce({start}) |$m, $x| {{ {around} }}");
    let message = "the data is nested more than 2000 levels deep (line: 1, column: ";
    for (start, around) in [
        ("[]", "[$m]"),
        ("[]", "[1, [$m], 2]"),
        ("[]", "[] << $m"),
        ("[]", "[1].map |$y| { $m }"),
        ("{}", "{ 'a' => $m }"),
        ("{}", "{ $m => 1 }"),
        ("{}", "{ 'a' => [$m, 1] } + { 'b' => 2 }"),
        ("1", "Sensitive([$m])"),
        ("Any", "Array[$m]"),
        ("Any", "Struct[{ 'a' => $m }]"),
    ] {
        check(&nested(start, around), message);
    }
}

#[test]
fn data_that_grows_without_end_is_refused() {
    check("Integer[1, 64].reduce([1, 2, 3]) |$m, $x| { $m + $m }", "the data is larger than 256 MiB");
}

#[test]
fn data_that_is_shared_without_end_is_refused() {
    let message =
        "the data is larger than 256 MiB, with shared parts counted as often as they are used (line: 1, column: ";
    for (start, around) in [
        ("[1]", "[$m, $m]"),
        ("[1]", "[$m] + [$m]"),
        ("{}", "{ 'a' => $m, 'b' => [2, $m] }"),
        ("[1]", "[Sensitive($m), $m]"),
        ("[1]", "[1, 2, 3].map |$y| { $m }"),
        ("Integer", "Tuple[$m, $m]"),
    ] {
        for last in ["flatten($m)", "type($m)", "$m == [$m]", "notice($m)", "$m.tree_each.map |$x| { 1 }"] {
            check(&format!("$m = Integer[1, 60].reduce({start}) |$m, $x| {{ {around} }} {last}"), message);
        }
    }
}

#[test]
fn recursion_without_end_is_refused() {
    let levels = "called more than 2000 levels deep (line: 1, column: ";
    for code in [
        "function f() { f() } f()",
        "function f($x) { g([$x]) } function g($x) { f($x) } f(1)",
        "function f() { [1].each |$x| { with($x) |$y| { f() } } } f()",
        "function f($x) { case $x { default: { if true { f($x + 1) } } } } f(1)",
    ] {
        check(code, levels);
    }
    let template = "more than 2000 levels deep (file: inlined-epp-text, line: 1, column: 5)";
    check("function f() { inline_epp('<%= f() %>') } f()", template);
    check("define d() { d { \"${title}x\": } } d { 'a': }", "Somehow looped more than 1000 times");
    check("class a inherits b { } class b inherits a { } include a", "The class 'a' inherits from itself (line: 1)");
    check(
        "type A = Variant[A, B] type B = A 1 =~ A",
        "Type alias 'A' cannot be resolved to a real type (line: 1, column: ",
    );
}
