//! Files no parser wants to see, through the binary: each gives a located error or Puppet's result, in time, and no panic.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const PREFIX: &str = "Error: Could not parse for environment production: ";

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Validates a file; gives the exit code and what was said on standard error, with the path relative to the directory.
fn validate(directory: &Path, subcommand: &str, file: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bunraku"));
    let output = command.args([subcommand, "validate", file]).current_dir(directory).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap().replace(&format!("{}/", directory.display()), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{file}");
    (output.status.code().unwrap(), said)
}

#[test]
fn what_is_not_terminated_is_located() {
    let directory = directory("unterminated");
    let check = |text: &str, message: &str| {
        fs::write(directory.join("a.pp"), text).unwrap();
        assert_eq!(validate(&directory, "parser", "a.pp"), (1, format!("{PREFIX}{message}\n")), "{text:?}");
    };
    let at_end = "Syntax error at end of input (file: a.pp)";
    check("\n'abc", "Unclosed quote after \"'\" followed by 'abc...' (file: a.pp, line: 2, column: 2)");
    check("\n \"abc", "Unclosed quote after '\"' followed by 'abc...' (file: a.pp, line: 2, column: 3)");
    check("\"a${b", "Unclosed quote after 'b' followed by '<eof>' (file: a.pp, line: 1, column: 6)");
    check("$x = @(END)\n text\n", "Heredoc without end-tagged line (file: a.pp, line: 2, column: 1)");
    check("$x = @(END", "Unclosed parenthesis after '@(' followed by '@(END...' (file: a.pp, line: 1, column: 6)");
    check("/* abc", "Unclosed multiline comment (file: a.pp, line: 1, column: 1)");
    for open in ["[", "{", "(", "f(1", "$x = [1, ", "if true {", "class a {", "file { 'a':", "case 1 {", "A <| "] {
        check(open, at_end);
    }
}

#[test]
fn what_is_not_terminated_in_a_template_is_located() {
    let directory = directory("unterminated-template");
    fs::write(directory.join("a.epp"), "text\n<%= $x").unwrap();
    let (code, said) = validate(&directory, "epp", "a.epp");
    let place = "(file: a.epp, line: 2, column: 7)";
    let expected = format!("Error: Unbalanced epp tag, reached <eof> without closing tag. {place}\n");
    assert_eq!(
        (code, said),
        (1, format!("{expected}Error: Errors while validating epp\nError: Try 'puppet help epp validate' for usage\n"))
    );
}

#[test]
fn a_million_brackets_are_refused() {
    let directory = directory("brackets");
    for open in ["[", "(", "{", "[1, ", "A["] {
        fs::write(directory.join("a.pp"), open.repeat(1_000_000)).unwrap();
        let start = Instant::now();
        let (code, said) = validate(&directory, "parser", "a.pp");
        assert_eq!(code, 1, "{open}");
        assert!(
            said.contains("nested more than 200 levels deep (file: a.pp, line: 1, column: "),
            "{open}: {said:.300}"
        );
        // Without a limit it would take hours, on any machine.
        assert!(start.elapsed() < Duration::from_secs(300), "{open}");
    }
}

#[test]
fn a_hundred_megabytes_are_read() {
    let directory = directory("large");
    let line = format!("# {}\n", "x".repeat(997));
    let text = format!("{}$x = '{}'\n$y = )\n", line.repeat(50_000), "y".repeat(50_000_000));
    assert!(text.len() > 100_000_000);
    fs::write(directory.join("a.pp"), text).unwrap();
    let expected = format!("{PREFIX}Syntax error at ')' (file: a.pp, line: 50002, column: 6)\n");
    assert_eq!(validate(&directory, "parser", "a.pp"), (1, expected));
    fs::remove_dir_all(directory).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let directory = directory("unreadable");
    // Not even root may read the first page of a process.
    std::os::unix::fs::symlink("/proc/self/mem", directory.join("a.pp")).unwrap();
    let (code, said) = validate(&directory, "parser", "a.pp");
    let expected = format!("{PREFIX}Could not read a.pp: Input/output error\n");
    assert_eq!((code, said), (1, expected));
}
