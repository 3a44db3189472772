//! `lint` against recorded runs of puppet-lint: arguments, files and environment, what is written where, exit codes.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test states its expectation")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What a run gives.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    stdout: String,
    stderr: String,
    exit: i32,
    /// Files that are new or differ after it.
    changed: BTreeMap<String, String>,
}

fn files_below(directory: &Path, base: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, base, into);
        } else {
            into.insert(path.strip_prefix(base).unwrap().display().to_string(), fs::read(&path).unwrap());
        }
    }
}

fn bytes(content: &Value) -> Vec<u8> {
    match content.as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => {
            let hex = content["hex"].as_str().unwrap();
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2).unwrap(), 16).unwrap()).collect()
        }
    }
}

struct Place(PathBuf);

impl Place {
    /// An empty directory for a case.
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bunraku-lint-{}-{name}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("work")).unwrap();
        fs::create_dir_all(path.join("home")).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    fn write(&self, path: &str, content: &[u8]) {
        let path = self.work().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn run(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        let work = self.work();
        let here = work.to_str().unwrap();
        let mut before = BTreeMap::new();
        files_below(&work, &work, &mut before);
        let mut command = Command::new(env!("CARGO_BIN_EXE_bunraku"));
        command.arg("lint").args(arguments).current_dir(&work).env("HOME", self.0.join("home"));
        command.env_remove("GITHUB_ACTION").env_remove("CODECLIMATE_REPORT_FILE");
        for (name, value) in environment {
            command.env(name, value.replace("$PWD", here));
        }
        let output = command.output().unwrap();
        let mut after = BTreeMap::new();
        files_below(&work, &work, &mut after);
        after.retain(|path, content| before.get(path) != Some(content));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run {
            stdout: text(output.stdout).replace(here, "$PWD"),
            stderr: text(output.stderr).replace(here, "$PWD"),
            exit: output.status.code().unwrap(),
            changed: after.into_iter().map(|(path, content)| (path, text(content))).collect(),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Reports without what is not an interface: Ruby's objects, the name of the program, sentences about checks, hashes.
fn comparable(text: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
    let lines = text.lines().filter(|line| !line.contains("\"#<"));
    if value.get("runs").is_none() && !text.contains("\"fingerprint\"") {
        return lines.map(|line| format!("{line}\n")).collect();
    }
    if let Some(driver) = value.pointer_mut("/runs/0/tool/driver").and_then(Value::as_object_mut) {
        driver.retain(|key, _| key == "rules");
    }
    let rules = value.pointer_mut("/runs/0/tool/driver/rules").and_then(Value::as_array_mut);
    for rule in rules.into_iter().flatten().filter_map(Value::as_object_mut) {
        rule.shift_remove("fullDescription");
    }
    for entry in value.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        assert!(entry.get("fingerprint").is_some_and(Value::is_string));
        entry.retain(|key, _| key != "fingerprint" && key != "content");
    }
    format!("{value:#}")
}

const USAGE: &str = "puppet-lint: try 'puppet-lint --help' for more information\n";

/// Where the answer is another one: see `docs/lint.md`.
fn deliberate(name: &str, mut recorded: Run) -> Option<Run> {
    match name {
        "error-level wrong" => {
            recorded.stdout = format!("puppet-lint: invalid argument: --error-level nonsense\n{USAGE}")
        }
        "missing argument" => recorded.stdout = format!("puppet-lint: missing argument: --log-format\n{USAGE}"),
        "only-checks unknown" => {
            recorded.stdout = format!("puppet-lint: unknown check: nonsense; --list-checks shows them all\n{USAGE}");
            recorded.exit = 1;
        }
        "fix with crlf" => recorded.changed.clear(),
        "version" => recorded.stdout = format!("bunraku {}\n", env!("CARGO_PKG_VERSION")),
        "byte order mark" => (recorded.stdout, recorded.stderr, recorded.exit) = Default::default(),
        "yaml fix leaves file" => {
            recorded.stdout = "WARNING: legacy fact 'osfamily' on line 1 (check: legacy_facts)\n".to_owned();
            recorded.exit = 0;
        }
        "fix after heredoc end with blank" => {
            recorded.stdout = "FIXED: trailing whitespace found on line 5 (check: trailing_whitespace)\n".to_owned();
            let text = recorded.changed.get_mut("a.pp").unwrap();
            *text =
                "# doc\nclass foo {\n  $b = @(\"EOF\")\n    y\n    | EOF\n  notice($b)\n  include bar\n}\n".to_owned();
        }
        "file after a broken heredoc" => {
            recorded.stdout += "b.pp - WARNING: double quoted string containing no variables on line 3 (check: double_quoted_strings)\n";
        }
        "fix one line comment in code" => {
            recorded.stdout = "WARNING: /* */ comment found on line 1 (check: star_comments)\n".to_owned();
            recorded.changed.clear();
        }
        // What they are about is compared.
        "sarif" | "sarif two files" | "sarif clean" => {}
        "help" => return None,
        other => panic!("nobody says what is right for {other}"),
    }
    Some(recorded)
}

#[test]
fn runs_are_those_of_puppet_lint() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/lint/cli.jsonl");
    let mut differing = Vec::new();
    for case in fs::read_to_string(cases).unwrap().lines() {
        let case: Value = serde_json::from_str(case).unwrap();
        let name = case["name"].as_str().unwrap();
        let text = |key: &str| case[key].as_str().unwrap().to_owned();
        let pairs = |key: &str| case[key].as_object().unwrap().iter().map(|(key, value)| (key.as_str(), value));
        let mut wanted = Run {
            stdout: text("stdout"),
            stderr: text("stderr"),
            exit: case["exit"].as_i64().unwrap() as i32,
            changed: pairs("changed")
                .map(|(path, text)| (path.to_owned(), text.as_str().unwrap().to_owned()))
                .collect(),
        };
        if case.get("differ").is_some() {
            match deliberate(name, wanted) {
                Some(ours) => wanted = ours,
                None => continue,
            }
        }
        let place = Place::new(case["id"].as_str().unwrap());
        pairs("files").for_each(|(path, content)| place.write(path, &bytes(content)));
        let arguments: Vec<&str> = case["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let environment: Vec<(&str, &str)> =
            pairs("env").map(|(name, value)| (name, value.as_str().unwrap())).collect();
        let mut found = place.run(&arguments, &environment);
        for run in [&mut wanted, &mut found] {
            run.stdout = comparable(&run.stdout);
            run.changed.values_mut().for_each(|text| *text = comparable(text));
        }
        if found != wanted {
            differing.push(format!("{name}\n  wanted {wanted:?}\n  found  {found:?}"));
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}

/// What a run writes about a file with one error and one warning.
fn shown(arguments: &[&str]) -> String {
    let place = Place::new(&arguments.join("-").replace('/', "-"));
    place.write("a.pp", b"$x = \"a\"\n\tnotice(1)\n");
    let Run { stdout, stderr, exit, .. } = place.run(&[arguments, &["a.pp"]].concat(), &[]);
    assert_eq!(exit, 1, "{stdout}");
    stdout + &stderr
}

#[test]
fn problems_have_the_forms_of_all_tools() {
    let checks = &["--only-checks", "double_quoted_strings,hard_tabs"];
    let shown = |format: &str| shown(&[checks.as_slice(), &["--format", format]].concat());
    assert!(shown("human").contains("warning[double_quoted_strings]: double quoted string containing no variables"));
    assert!(shown("plain").starts_with("WARNING: double quoted string containing no variables on line 1"));
    let json: Value = serde_json::from_str(&shown("json")).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 2);
    let sarif: Value = serde_json::from_str(&shown("sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][1]["ruleId"], "hard_tabs");
    assert!(shown("github").contains("::error "));
    assert!(shown("gitlab").contains("\"check_name\": \"hard_tabs\""));
    assert!(shown("junit").contains("<testsuite"));
}

#[test]
fn options_are_read_as_ruby_reads_them() {
    let short = shown(&["--err", "error", "--only", "hard_tabs,double_quoted_strings", "--log=%{line}%%"]);
    assert_eq!(short, "2%\n");
    assert_eq!(shown(&["--w"]), format!("puppet-lint: ambiguous option: --w\n{USAGE}"));
    assert_eq!(shown(&["--jsom"]), format!("puppet-lint: invalid option: --jsom\nDid you mean?  json\n{USAGE}"));
    assert_eq!(shown(&["-x"]), format!("puppet-lint: invalid option: -x\n{USAGE}"));
    let misspelt = shown(&["--only-checks", "hard_tab"]);
    assert_eq!(misspelt, format!("puppet-lint: unknown check: hard_tab; did you mean hard_tabs?\n{USAGE}"));
    let ruby = shown(&["-l", "x.rb", "--only-checks", "hard_tabs"]);
    assert!(ruby.ends_with("WARNING: checks written in Ruby are not supported: --load x.rb\n"), "{ruby}");
}
