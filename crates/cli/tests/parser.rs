//! `parser` and `epp` from outside: arguments, output, exit code.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test states its expectation")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory of its own for a test, with files in it.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        for (file, content) in files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        Self(path)
    }

    fn run(&self, args: &[&str], input: Option<&str>) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bunraku"))
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(input.unwrap_or_default().as_bytes());
        drop(stdin);
        child.wait_with_output().unwrap()
    }

    /// Runs a command; the paths in its output are relative to the directory.
    fn check(&self, args: &[&str], input: Option<&str>, code: i32, stdout: &str, stderr: &str) {
        let output = self.run(args, input);
        let here = format!("{}/", self.0.display());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&here, "");
        assert_eq!(text(output.stderr), stderr, "{args:?}");
        assert_eq!(text(output.stdout), stdout, "{args:?}");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
    }
}

const TRY_HELP: &str = "Error: Try 'puppet help parser validate' for usage\n";

#[test]
fn every_setting_is_a_flag() {
    let directory = Directory::new("flags", &[("a.pp", b"$x = {a => 1, a => 2}\n")]);
    let place = "The key 'a' is declared more than once (file: a.pp, line: 1, column: 17)\n";
    let check = |args: &[&str], code, stderr: &str| {
        directory.check(&[&["parser", "validate"], args, &["a.pp"]].concat(), None, code, "", stderr);
    };
    check(&["--strict=off", "--color=false", "--trace", "--no-storeconfigs", "--log_level", "debug", "-v"], 0, "");
    check(&["--strict-variables", "--hiera-config", "x", "--strict", "warning"], 0, &format!("Warning: {place}"));
    let error = |environment| format!("Error: Could not parse for environment {environment}: {place}");
    check(&["--environment", "test"], 1, &error("test"));
    let unusable = "Error: Could not parse application options: ";
    check(&["--trace=yes"], 1, &format!("{unusable}needless argument: --trace=yes\n"));
    check(
        &["--strict", "never"],
        1,
        &format!(
            "Error: Invalid value 'never' for parameter strict. Allowed values are 'off', 'warning', 'error'\n{TRY_HELP}"
        ),
    );
    let begins = |args: &[&str], expected: &str| {
        let output = directory.run(args, None);
        let messages = String::from_utf8(output.stderr).unwrap();
        assert!(messages.starts_with(expected), "{messages}");
        assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(1)));
    };
    begins(&["parser", "validate", "--extra"], &format!("{unusable}invalid option: --extra\n"));
    begins(&["parser", "validate", "--vardir"], &format!("{unusable}missing argument: --vardir\n"));
    begins(&["parser", "check"], "Error: 'parser' has no 'check' action.  See `puppet help parser`.\n");
    begins(&["device", "--test"], "Error: Bunraku has no subcommand 'device': ");
    begins(&["nosuch"], "Error: Unknown Puppet subcommand 'nosuch'\n");
    // The settings of puppet.conf count, too, wherever a flag says it is.
    fs::write(directory.0.join("puppet.conf"), "[main]\nstrict = off\nenvironment = other\n").unwrap();
    check(&["--confdir", "."], 0, "");
    check(&["--config", "puppet.conf", "--strict", "error"], 1, &error("other"));
}

#[test]
fn validate_renders_json_as_puppet_does() {
    let files: &[(&str, &[u8])] = &[("a.pp", b"notice(1)"), ("b.pp", b"$x = )"), ("two.pp", b"$X = 1\n$Y = 2\n")];
    let directory = Directory::new("render-as", files);
    let output = directory.run(&["parser", "validate", "--render-as", "json", "a.pp", "b.pp", "two.pp"], None);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let names: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(names, ["b.pp", "two.pp"]);
    assert_eq!(found.pointer("/b.pp/issue_code"), Some(&"SYNTAX_ERROR".into()));
    assert_eq!(found.pointer("/b.pp/pos"), Some(&6.into()));
    assert_eq!(found.pointer("/two.pp/message"), Some(&"Language validation logged 2 errors. Giving up".into()));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn templates_of_modules_are_found() {
    let directory =
        Directory::new("module-templates", &[("modules/m/templates/t.epp", b"<% ) %>"), ("m.epp", b"fine")]);
    let path = "modules/m/templates/t.epp";
    let error = format!("Error: Syntax error at ')' (file: {path}, line: 1, column: 4)\n");
    let end = "Error: Errors while validating epp\nError: Try 'puppet help epp validate' for usage\n";
    let modules = ["--modulepath", "modules"];
    directory.check(&[&["epp", "validate", "m/t.epp"], &modules[..]].concat(), None, 1, "", &format!("{error}{end}"));
    directory.check(&[&["epp", "validate", "m.epp"], &modules[..]].concat(), None, 0, "", "");
    directory.check(&[&["epp", "dump", "m/t.epp"], &modules[..]].concat(), None, 0, "\n", &error);
}

#[test]
fn validate_says_what_puppet_says() {
    let directory = Directory::new(
        "validate",
        &[
            ("good.pp", b"notice('hello')\n"),
            ("empty.pp", b""),
            ("syntax.pp", b"$x = )\n"),
            ("open.pp", b"notice(1"),
            ("two.pp", b"$X = 1\n$Y = 2\n"),
            ("escape.pp", b"notice \"a\\q\"\n"),
            ("crlf.pp", b"if true {\r\n  notice(1)\r\n}\r\n"),
            ("cr.pp", b"notice(1)\rnotice(2)\r"),
            ("nul.pp", b"$x = \0"),
            ("bom.pp", b"\xEF\xBB\xBFnotice(1)"),
            ("utf16.pp", b"\xFF\xFEn\0"),
            ("latin1.pp", b"# caf\xE9\n"),
        ],
    );
    let prefix = "Error: Could not parse for environment production: ";
    let check =
        |file: &str, code: i32, stderr: &str| directory.check(&["parser", "validate", file], None, code, "", stderr);
    check("good.pp", 0, "");
    check("empty.pp", 0, "");
    check("crlf.pp", 0, "");
    check("cr.pp", 0, "");
    check("syntax.pp", 1, &format!("{prefix}Syntax error at ')' (file: syntax.pp, line: 1, column: 6)\n"));
    check("open.pp", 1, &format!("{prefix}Syntax error at end of input (file: open.pp)\n"));
    check("nul.pp", 1, &format!("{prefix}Syntax error at '' (file: nul.pp, line: 1, column: 6)\n"));
    check("escape.pp", 0, "Warning: Unrecognized escape sequence '\\q' (file: escape.pp, line: 1, column: 13)\n");
    let rule = "does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/";
    check(
        "two.pp",
        1,
        &format!(
            "Error: Illegal variable name, The given name 'X' {rule} (file: two.pp, line: 1, column: 1)\n\
             Error: Illegal variable name, The given name 'Y' {rule} (file: two.pp, line: 2, column: 1)\n\
             Error: Language validation logged 2 errors. Giving up\n"
        ),
    );
    let bom = "Byte Order mark at beginning of input:";
    let advice = "- remove these from the puppet source";
    check("bom.pp", 1, &format!("{prefix}Illegal UTF-8 {bom} [EF BB BF] {advice}\n"));
    check("utf16.pp", 1, &format!("{prefix}Illegal UTF-16 {bom} [FF FE] {advice}\n"));
    check("latin1.pp", 1, &format!("{prefix}invalid byte sequence in UTF-8 (file: latin1.pp, line: 1, column: 6)\n"));
    check("none.pp", 1, &format!("Error: One or more file(s) specified did not exist:\n   none.pp\n{TRY_HELP}"));
}

#[test]
fn validate_reads_standard_input() {
    let directory = Directory::new("validate-stdin", &[]);
    directory.check(&["parser", "validate"], Some("notice(1)"), 0, "", "");
    let error = "Error: Could not parse for environment production: Syntax error at ')' (line: 1, column: 6)\n";
    directory.check(&["parser", "validate"], Some("$x = )"), 1, "", error);
}

#[test]
fn validate_walks_directories() {
    let directory = Directory::new(
        "validate-directories",
        &[("a/b/one.pp", b")"), ("a/two.pp", b"]"), ("a/three.epp", b"<% ) %>"), ("a/four.txt", b")")],
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(directory.0.join("a"), directory.0.join("a/b/loop")).unwrap();
    let prefix = "Error: Could not parse for environment production: ";
    let expected = format!(
        "{prefix}Syntax error at ']' (file: a/two.pp, line: 1, column: 1)\n\
         {prefix}Syntax error at ')' (file: a/b/one.pp, line: 1, column: 1)\n"
    );
    directory.check(&["parser", "validate", "a"], None, 1, "", &expected);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_an_error() {
    let directory = Directory::new("validate-unreadable", &[]);
    // A directory with the name of a manifest can be opened by nobody, not even by root.
    fs::create_dir(directory.0.join("inner")).unwrap();
    std::os::unix::fs::symlink("inner/missing.pp", directory.0.join("dangling.pp")).unwrap();
    let expected = format!("Error: One or more file(s) specified did not exist:\n   dangling.pp\n{TRY_HELP}");
    directory.check(&["parser", "validate", "dangling.pp"], None, 1, "", &expected);
}

#[test]
fn strict_decides_about_duplicate_keys() {
    let directory = Directory::new("strict", &[("a.pp", b"$x = {a => 1, a => 2}\n")]);
    let place = "The key 'a' is declared more than once (file: a.pp, line: 1, column: 17)\n";
    directory.check(&["parser", "validate", "--strict", "off", "a.pp"], None, 0, "", "");
    directory.check(&["parser", "validate", "--strict", "warning", "a.pp"], None, 0, "", &format!("Warning: {place}"));
    let error = format!("Error: Could not parse for environment production: {place}");
    directory.check(&["parser", "validate", "a.pp"], None, 1, "", &error);
}

#[test]
fn people_see_the_source() {
    let directory = Directory::new("human", &[("a.pp", b"class a {\n\tnotice(1\n}\n")]);
    let expected = "\
error[SYNTAX_ERROR]: `}` does not close `(`
 --> a.pp:3:1
  |
2 |     notice(1
  |           - opened here
3 | }
  | ^ expected `)`

1 error, 0 warnings in 1 file
";
    directory.check(&["parser", "validate", "--format", "human", "a.pp"], None, 1, "", expected);
}

#[test]
fn an_error_at_the_end_of_a_long_line_is_shown() {
    let line = format!("$x ={}\"", " ".repeat(155));
    let directory = Directory::new("long_line", &[("a.pp", line.as_bytes())]);
    let output = directory.run(&["parser", "validate", "--format", "human", "a.pp"], None);
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("a.pp:1:160\n") && shown.contains('^'), "{shown}");
}

#[test]
fn programs_see_data() {
    let directory = Directory::new("machine", &[("a.pp", b"$x = )\n$y = ]\n")]);
    let output = directory.run(&["parser", "validate", "--format", "json", "a.pp"], None);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found.as_array().map(Vec::len), Some(2));
    assert_eq!(found.pointer("/1/line"), Some(&2.into()));
    let output = directory.run(&["parser", "validate", "--format", "sarif", "a.pp"], None);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found.pointer("/runs/0/results/0/ruleId"), Some(&"SYNTAX_ERROR".into()));
    directory.check(
        &["parser", "validate", "--format", "github", "a.pp"],
        None,
        1,
        "::error file=a.pp,line=1,col=6,endLine=1,endColumn=7,title=SYNTAX_ERROR::Syntax error at ')'\n\
         ::error file=a.pp,line=2,col=6,endLine=2,endColumn=7,title=SYNTAX_ERROR::Syntax error at ']'\n",
        "",
    );
}

#[test]
fn dump_prints_trees() {
    let directory = Directory::new("dump", &[("a.pp", b"notice(1, [2])\n"), ("bad.pp", b"$x = )")]);
    let check = |args: &[&str], stdout: &str, stderr: &str| directory.check(args, None, 0, stdout, stderr);
    check(&["parser", "dump", "a.pp"], "--- a.pp(invoke notice 1 ([] 2))\n", "");
    let pn = "(invoke {:functor (qn \"notice\") :args [1 (array 2)]})\n";
    check(&["parser", "dump", "--format", "pn", "a.pp"], &format!("--- a.pp{pn}"), "");
    check(&["parser", "dump", "--format", "pn", "-e", "notice(1, [2])"], pn, "");
    let json =
        "{\"^\":[\"invoke\",{\"#\":[\"functor\",{\"^\":[\"qn\",\"notice\"]},\"args\",[1,{\"^\":[\"array\",2]}]]}]}\n";
    check(&["parser", "dump", "--format", "json", "a.pp"], json, "");
    check(&["parser", "dump", "bad.pp"], "\n", "Error: --- bad.pp\nError: Syntax error at ')' (line: 1, column: 6)\n");
    check(&["parser", "dump", "none.pp"], "One or more file(s) specified did not exist:\n   none.pp\n", "");
    check(&["parser", "dump", "-e", "$X = 1"], "(= $X 1)\n", "");
}

#[test]
fn templates_are_checked_and_dumped() {
    let directory =
        Directory::new("epp", &[("a.epp", b"hi <%= $x %>"), ("bad.epp", b"a <% $x = ) %>"), ("worse.epp", b"<% ] %>")]);
    directory.check(&["epp", "validate", "a.epp"], None, 0, "", "");
    let bad = "Error: Syntax error at ')' (file: bad.epp, line: 1, column: 11)\n";
    let worse = "Error: Syntax error at ']' (file: worse.epp, line: 1, column: 4)\n";
    let end = "Error: Errors while validating epp\nError: Try 'puppet help epp validate' for usage\n";
    directory.check(&["epp", "validate", "bad.epp", "worse.epp"], None, 1, "", &format!("{bad}{end}"));
    let args = ["epp", "validate", "--continue_on_error", "bad.epp", "worse.epp"];
    directory.check(&args, None, 1, "", &format!("{bad}{worse}{end}"));
    let stdin = "Error: Syntax error at ')' (file: <stdin>, line: 1, column: 4)\n";
    directory.check(&["epp", "validate"], Some("<% ) %>"), 1, "", &format!("{stdin}{end}"));
    let dump = "(lambda (epp (block\n  (render-s 'hi ')\n  (render $x)\n)))\n";
    directory.check(&["epp", "dump", "a.epp"], None, 0, dump, "");
    directory.check(&["epp", "dump"], Some("hi <%= $x %>"), 0, dump, "");
}

#[test]
fn plans_are_validated_as_plans() {
    let plan = b"# A plan.\nplan m::go($nodes) { apply($nodes) { file { '/x': } } }\n";
    let directory = Directory::new("tasks", &[("m/plans/go.pp", plan), ("go.pp", plan)]);
    let refused = "Error: Could not parse for environment production: A Resource Statement is only available when compiling a \
                   catalog (line: 1, column: 1)\n";
    directory.check(&["parser", "validate", "m"], None, 0, "", "");
    directory.check(&["parser", "validate", "--tasks", "go.pp"], None, 0, "", "");
    directory.check(&["parser", "validate", "--tasks"], Some("file { 'x': }"), 1, "", refused);
    directory.check(&["parser", "dump", "--tasks", "-e", "plan a { }"], None, 0, "(plan a ())\n", "");
    let output = directory.run(&["parser", "validate", "go.pp"], None);
    assert!(String::from_utf8_lossy(&output.stderr).contains("Syntax error at"));
}
