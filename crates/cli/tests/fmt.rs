//! `fmt` from outside: files, directories and standard input, what is written where, exit codes; and the hooks for pre-commit.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const UNTIDY: &str = "class a {\n$b=1\n}\n";
const TIDY: &str = "class a {\n  $b = 1\n}\n";

/// An empty directory for a test.
fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fmt").join(name);
    _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn run(place: &Path, arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bunraku"));
    command.arg("fmt").args(arguments).current_dir(place);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn files_and_directories_are_rewritten() {
    let place = place("files");
    fs::create_dir_all(place.join("m/manifests")).unwrap();
    fs::write(place.join("m/manifests/a.pp"), UNTIDY).unwrap();
    fs::write(place.join("m/manifests/b.pp"), TIDY).unwrap();
    fs::write(place.join("m/manifests/c.txt"), UNTIDY).unwrap();
    fs::write(place.join("d.pp"), UNTIDY).unwrap();
    assert_eq!(run(&place, &["--check", "m", "d.pp"], ""), (1, "m/manifests/a.pp\nd.pp\n".into(), String::new()));
    assert_eq!(fs::read_to_string(place.join("d.pp")).unwrap(), UNTIDY);
    assert_eq!(run(&place, &["m", "d.pp"], ""), (0, "m/manifests/a.pp\nd.pp\n".into(), String::new()));
    assert_eq!(fs::read_to_string(place.join("m/manifests/a.pp")).unwrap(), TIDY);
    assert_eq!(fs::read_to_string(place.join("m/manifests/c.txt")).unwrap(), UNTIDY);
    assert_eq!(run(&place, &["--check"], ""), (0, String::new(), String::new()));
}

#[test]
fn differences_are_shown() {
    let place = place("diff");
    fs::write(place.join("a.pp"), UNTIDY).unwrap();
    let expected = "--- a.pp\n+++ a.pp\n@@ -1,3 +1,3 @@\n class a {\n-$b=1\n+  $b = 1\n }\n";
    assert_eq!(run(&place, &["--diff", "a.pp"], ""), (0, expected.into(), String::new()));
    assert_eq!(run(&place, &["--diff", "--check", "."], ""), (1, expected.into(), String::new()));
    assert_eq!(fs::read_to_string(place.join("a.pp")).unwrap(), UNTIDY);
}

#[test]
fn standard_input_is_filtered() {
    let place = place("filter");
    assert_eq!(run(&place, &["-"], UNTIDY), (0, TIDY.into(), String::new()));
    assert_eq!(run(&place, &["-"], TIDY), (0, TIDY.into(), String::new()));
    assert_eq!(run(&place, &["-", "--check"], UNTIDY), (1, String::new(), String::new()));
    assert_eq!(run(&place, &["-", "--check"], TIDY), (0, String::new(), String::new()));
    let (code, output, messages) = run(&place, &["-", "--stdin-filename", "x.pp"], "$a = )");
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(messages.contains("(file: x.pp, line: 1, column: 6)"), "{messages}");
    let (code, output, _) = run(&place, &["-", "--stdin-filename", "x.epp"], "<%= 1 %>");
    assert_eq!((code, output.as_str()), (2, ""));
}

#[test]
fn what_does_not_parse_is_left_alone() {
    let place = place("broken");
    fs::write(place.join("a.pp"), "class a {\n$b=)\n}\n").unwrap();
    fs::write(place.join("b.pp"), UNTIDY).unwrap();
    fs::write(place.join("c.pp"), b"$a=1 # \xff\n").unwrap();
    let (code, output, messages) = run(&place, &["."], "");
    assert_eq!((code, output.as_str()), (2, "b.pp\n"));
    assert!(messages.contains("Syntax error at ')' (file: a.pp, line: 2, column: 4)"), "{messages}");
    assert!(messages.contains("c.pp"), "{messages}");
    assert_eq!(fs::read_to_string(place.join("a.pp")).unwrap(), "class a {\n$b=)\n}\n");
    assert_eq!(fs::read(place.join("c.pp")).unwrap(), b"$a=1 # \xff\n");
    assert_eq!(run(&place, &["none.pp"], "").0, 2);
}

#[test]
fn some_lines_of_one_file() {
    let place = place("lines");
    fs::write(place.join("a.pp"), "$a=1\n$b=2\n").unwrap();
    assert_eq!(run(&place, &["--lines", "2:2", "a.pp"], "").0, 0);
    assert_eq!(fs::read_to_string(place.join("a.pp")).unwrap(), "$a=1\n$b = 2\n");
    assert_eq!(run(&place, &["--lines", "0:2", "a.pp"], "").0, 1);
    fs::write(place.join("b.pp"), "$a=1\n").unwrap();
    assert_eq!(run(&place, &["--lines", "2", "a.pp", "b.pp"], "").0, 2);
}

#[cfg(unix)]
#[test]
fn mode_and_links_stay() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let place = place("links");
    for name in ["a.pp", "c.pp"] {
        fs::write(place.join(name), UNTIDY).unwrap();
        fs::set_permissions(place.join(name), fs::Permissions::from_mode(0o754)).unwrap();
    }
    symlink("a.pp", place.join("b.pp")).unwrap();
    fs::hard_link(place.join("c.pp"), place.join("d.pp")).unwrap();
    assert_eq!(run(&place, &["b.pp", "c.pp"], "").0, 0);
    assert!(fs::symlink_metadata(place.join("b.pp")).unwrap().is_symlink());
    for name in ["a.pp", "b.pp", "c.pp", "d.pp"] {
        assert_eq!(fs::read_to_string(place.join(name)).unwrap(), TIDY);
        assert_eq!(fs::metadata(place.join(name)).unwrap().mode() & 0o777, 0o754);
    }
    // The check of style writes the same way.
    fs::write(place.join("a.pp"), "class a {\n  $b = \"c\"\n}\n").unwrap();
    let lint = Command::new(env!("CARGO_BIN_EXE_bunraku")).args(["lint", "--fix", "b.pp"]).current_dir(&place).output();
    assert!(lint.is_ok());
    assert_eq!(fs::read_to_string(place.join("a.pp")).unwrap(), "class a {\n  $b = 'c'\n}\n");
    assert_eq!(fs::metadata(place.join("a.pp")).unwrap().mode() & 0o777, 0o754);
    assert!(fs::symlink_metadata(place.join("b.pp")).unwrap().is_symlink());
}

/// What pre-commit does with a hook: it runs the entry with the names of files, and looks at the exit code and the files.
#[test]
fn the_hooks_for_pre_commit_work() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.pre-commit-hooks.yaml")).unwrap();
    let of = |line: &str, key: &str| line.split_once(key).map(|(_, value)| value.trim().to_owned());
    let ids: Vec<String> = text.lines().filter_map(|line| of(line, "- id: ")).collect();
    let entries: Vec<String> = text.lines().filter_map(|line| of(line, "  entry: ")).collect();
    assert_eq!(ids, ["bunraku-lint", "bunraku-lint-fix", "bunraku-fmt", "bunraku-fmt-check"]);
    let place = place("hooks");
    // A warning that only the fix puts right, and a layout that only the formatter puts right.
    let untidy = "# A class.\nclass m {\n  $b = \"c\"\n  $d =   1\n}\n";
    for (id, entry) in ids.iter().zip(&entries) {
        fs::create_dir_all(place.join("m/manifests")).unwrap();
        let file = place.join("m/manifests/init.pp");
        fs::write(&file, untidy).unwrap();
        let mut words = entry.split(' ');
        assert_eq!(words.next(), Some("bunraku"));
        let mut hook = Command::new(env!("CARGO_BIN_EXE_bunraku"));
        let status = hook.args(words).arg("m/manifests/init.pp").current_dir(&place).output().unwrap().status;
        let has_changed = fs::read_to_string(&file).unwrap() != untidy;
        let expected = match id.as_str() {
            "bunraku-lint" | "bunraku-fmt-check" => (false, false),
            _ => (true, true),
        };
        assert_eq!((status.success(), has_changed), expected, "{id}");
    }
}
