//! Programs that make much of little, through the binary and with four gigabytes of address space: each ends in a located
//! error, in time.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::process::Command;
use std::time::{Duration, Instant};

/// How much address space the program has, in kilobytes.
const ADDRESS_SPACE: &str = "4000000";

/// On a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(300);

const DATA: &str = "the data is larger than 256 MiB, with shared parts counted as often as they are used";
const TEXT: &str = "the string is longer than 128 MiB";
const ELEMENTS: &str = "the collection has more than 4194304 elements";
const HELD: &str = "the resources, relationships and messages are larger than 1024 MiB";
const TIMES: &str = "calls its block more than 4194304 times";

/// Evaluates a program that must fail with this message and a place.
fn check(code: &str, expected: &str) {
    let begin = Instant::now();
    let script = format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" eval -e \"$1\"");
    let binary = env!("CARGO_BIN_EXE_bunraku");
    let output = Command::new("bash").args(["-c", &script, binary, code]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let shown: String = said.chars().take(400).collect();
    assert_eq!(output.status.code(), Some(1), "{code}\n{shown}");
    assert!(said.contains(expected) && said.contains("line: 1, column: "), "{code}\n{shown}");
    assert!(begin.elapsed() < PATIENCE, "{code}");
}

/// A string of 2^`doublings` times two bytes as `$m`, and then something.
fn of_long(doublings: u32, rest: &str) -> String {
    format!("$m = Integer[1, {doublings}].reduce('ab') |$m, $x| {{ \"${{m}}${{m}}\" }} {rest}")
}

#[test]
fn strings_that_grow_without_end_are_refused() {
    for (doublings, rest) in [
        (24, "join([$m, $m, $m, $m, $m])"),
        (20, "join(Integer[1, 100].map |$x| { $x }, $m)"),
        (
            20,
            "sprintf('%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s\
             %1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s\
             %1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s%1$s', $m)",
        ),
        (12, "regsubst($m, 'a', $m, 'G').length + regsubst($m, 'a', \"${m}${m}${m}${m}${m}${m}${m}${m}\", 'G').length"),
        (20, "inline_epp('<% Integer[1, 100].each |$x| { %><%= $m %><% } %>', { 'm' => $m })"),
        (
            20,
            "\"${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}\
             ${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}\
             ${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}\
             ${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}${[$m, $m, $m, $m]}\"",
        ),
    ] {
        check(&of_long(doublings, rest), TEXT);
    }
    check("sprintf('%1000000000d', 1)", "width too big");
    check("sprintf('%*d', 1000000000, 1)", "width too big");
    check("sprintf('%.1000000000f', 1.5)", "precision too big");
    check("String('a', '%1000000000s')", "width too big");
    check("String([1, 2], '%1000000000p')", "width too big");
}

#[test]
fn what_stays_until_the_end_is_bounded() {
    let names = "Integer[1, 17].reduce('a::') |$m, $x| { \"${m}${m}\" }";
    check(&format!("include(\"${{{names}}}a\")"), "Could not find class");
    let many = "$y = Array(Integer[1, 300000])";
    check(&format!("{many} fail(\"${{($y - $y).length}} are left\")"), "0 are left");
    check(&of_long(22, "Integer[1, 200].each |$x| { notify { \"n${x}\": message => $m } }"), HELD);
    let many = "Integer[1, 8000].each |$x| { notify { \"n${x}\": } user { \"u${x}\": } }";
    check(&format!("{many} Notify <| |> -> User <| |>"), HELD);
    check("flatten(Integer[1, 1000000000000].step(1)).map |$x| { $x.join }", "expects an Array value, got Iterator");
}

#[test]
fn collections_that_grow_without_end_are_refused() {
    check("Integer[1, 30].reduce([1]) |$m, $x| { flatten([$m, $m]) }", DATA);
    check("Integer[1, 30].reduce([1]) |$m, $x| { $m + $m }", DATA);
    check("Integer[1, 60].reduce([1]) |$m, $x| { [$m, $m] }", DATA);
    check(&of_long(20, "Integer[1, 1000].map |$x| { \"${m}${x}\" }"), DATA);
    check(&of_long(23, "$m.split('').length"), ELEMENTS);
    check(&of_long(23, "Array($m)"), "array size too big");
    check("Hash([[Array(Integer[1, 100000]), 1]], 'hash_tree')", "a path has more than 2000 steps");
    let wide = "$d = Integer[1, 1900].reduce(Array(Integer[1, 10000])) |$m, $x| { [$m] }";
    check(&format!("{wide} $d.tree_each |$x| {{ }}"), ELEMENTS);
}

#[test]
fn shared_data_is_not_written_without_end() {
    let shared = "$m = Integer[1, 21].reduce([1]) |$m, $x| { [$m, $m] }";
    for rest in ["[$m, $m]", "String([$m, $m], '%p')", "notify { 'a': message => [$m, $m] }", "type([$m, $m])"] {
        check(&format!("{shared} {rest}"), DATA);
    }
}

#[test]
fn long_ranges_are_not_gone_through() {
    let long = "Integer[1, 1000000000000000000]";
    for rest in ["slice(2)", "slice(100000000000) |$x| { }", "unique", "reverse_each.slice(2)", "index(-1)"] {
        check(&format!("{long}.{rest}"), ELEMENTS);
    }
    check("unique(2147483648)", ELEMENTS);
    check(&format!("[*{long}.step(2)]"), ELEMENTS);
    check(&format!("Array({long})"), "array size too big");
    check(&format!("String({long}.step(2))"), ELEMENTS);
}

#[test]
fn blocks_are_not_called_without_end() {
    let long = "Integer[1, 1000000000000000000]";
    for rest in
        ["map |$x| { $x }", "each |$x| { }", "filter |$x| { false }", "any |$x| { false }", "reduce |$m, $x| { 1 }"]
    {
        check(&format!("{long}.{rest}"), TIMES);
    }
}

#[test]
fn a_program_without_memory_says_so() {
    let script = "ulimit -v 60000; exec \"$0\" eval -e 'Integer[1, 2000000].map |$x| { \"some words and ${x}\" }'";
    let output = Command::new("bash").args(["-c", script, env!("CARGO_BIN_EXE_bunraku")]).output().unwrap();
    assert_ne!(output.status.code(), Some(0));
    assert!(!output.stderr.is_empty());
}
