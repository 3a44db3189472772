//! `bunraku.toml`, its variables, and the baseline of `lint`, from outside.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory with some files for a test.
fn place(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("configuration").join(name);
    _ = fs::remove_dir_all(&place);
    for (path, text) in files {
        let path = place.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn run(place: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bunraku"));
    command.args(arguments).current_dir(place).env("HOME", place).env_remove("GITHUB_ACTION");
    command.envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn lint_takes_its_settings_from_the_file() {
    let file = "[lint]\nlog_format = '%{path} %{kind} %{check}'\nonly_checks = ['hard_tabs', 'double_quoted_strings']\n\
                [lint.checks]\nhard_tabs = 'warning'\n[[lint.paths]]\nmatch = ['spec/**']\n\
                checks = { double_quoted_strings = false }\n";
    let code = "$a = \"x\"\n\tnotice(1)\n";
    let place = place("lint", &[("bunraku.toml", file), ("a.pp", code), ("spec/b.pp", code), ("spec/.keep", "")]);
    let expected = "a.pp warning double_quoted_strings\na.pp warning hard_tabs\nspec/b.pp warning hard_tabs\n";
    assert_eq!(run(&place, &["lint", "a.pp", "spec/b.pp"], &[]), (0, expected.into(), String::new()));
    // The nearest file above counts, and its patterns begin where it is.
    assert_eq!(run(&place.join("spec"), &["lint", "b.pp"], &[]).1, "b.pp warning hard_tabs\n");
    let (code, out, _) = run(&place, &["lint", "a.pp"], &[("BUNRAKU_LINT_FAIL_ON_WARNINGS", "true")]);
    assert_eq!((code, out.lines().count()), (1, 2));
    assert_eq!(run(&place, &["lint", "a.pp"], &[("BUNRAKU_LINT_ONLY_CHECKS", "80chars")]).1, "");
    assert_eq!(run(&place, &["lint", "--only-checks", "hard_tabs", "a.pp"], &[]).1, "a.pp warning hard_tabs\n");
    let without = run(&place, &["lint", "--no-config", "a.pp"], &[]);
    assert!(without.1.contains("ERROR: tab character found on line 2 (check: hard_tabs)"), "{without:?}");
}

#[test]
fn what_is_wrong_stops_every_tool() {
    let place = place("wrong", &[("bunraku.toml", "[lint]\nfail_on_warning = true\n"), ("a.pp", "")]);
    let message = "Error: Unknown key in [lint] 'fail_on_warning'; did you mean 'fail_on_warnings'? \
                   (file: bunraku.toml, line: 2, column: 1)\n";
    assert_eq!(run(&place, &["lint", "a.pp"], &[]), (1, String::new(), message.into()));
    assert_eq!(run(&place, &["fmt", "a.pp"], &[]), (2, String::new(), message.into()));
    let (code, _, said) = run(&place, &["parser", "validate", "a.pp"], &[]);
    assert!(code == 1 && said.contains("did you mean 'fail_on_warnings'?"), "{said}");
    assert_eq!(run(&place, &["fmt", "a.pp"], &[("BUNRAKU_CONFIG", "")]).0, 0);
    let misspelt = run(&place, &["fmt", "a.pp"], &[("BUNRAKU_CONFIG", ""), ("BUNRAKU_FMT_INDNT", "4")]);
    assert!(misspelt.0 == 2 && misspelt.2.contains("did you mean BUNRAKU_FMT_INDENT?"), "{misspelt:?}");
}

#[test]
fn fmt_takes_its_settings_from_files() {
    let code = "class a {\n$b = \"1\"\n}\n";
    let files = [("bunraku.toml", "[fmt]\nquotes = 'keep'\nexclude = ['old/**']\n"), ("old/a.pp", code)];
    let place = place("fmt", &files);
    fs::create_dir_all(place.join("new")).unwrap();
    fs::write(place.join("new/a.pp"), code).unwrap();
    fs::write(place.join(".editorconfig"), "root = true\n[*.pp]\nindent_size = 4\n").unwrap();
    assert_eq!(run(&place, &["fmt"], &[]), (0, "new/a.pp\n".into(), String::new()));
    assert_eq!(fs::read_to_string(place.join("new/a.pp")).unwrap(), "class a {\n    $b = \"1\"\n}\n");
    assert_eq!(fs::read_to_string(place.join("old/a.pp")).unwrap(), code);
    assert_eq!(run(&place, &["fmt", "--indent", "3", "--quotes", "single", "new"], &[]).1, "new/a.pp\n");
    assert_eq!(fs::read_to_string(place.join("new/a.pp")).unwrap(), "class a {\n   $b = '1'\n}\n");
}

#[test]
fn puppet_settings_are_those_of_all_commands() {
    let file = "[puppet]\nenvironmentpath = 'environments'\nenvironment = 'test'\nstrict = 'off'\n";
    let place = place("puppet", &[("bunraku.toml", file), ("environments/test/manifests/site.pp", "")]);
    let shown = |name: &str, more: &[&str]| {
        let arguments = [&["config", "print", name], more].concat();
        run(&place, &arguments, &[]).1
    };
    assert_eq!(shown("strict", &[]), "off\n");
    assert_eq!(shown("strict", &["--strict", "warning"]), "warning\n");
    assert_eq!(shown("environment", &[]), "test\n");
    assert!(shown("environmentpath", &[]).ends_with("environments\n"));
}

#[test]
fn old_findings_are_passed_over() {
    let old = "$a = \"x\"\n$b = \"x\"\n";
    let place = place("baseline", &[("m/a.pp", old)]);
    let lint = |more: &[&str]| {
        run(&place, &[&["lint", "--only-checks", "double_quoted_strings,hard_tabs"], more].concat(), &[])
    };
    let (code, shown, said) = lint(&["--write-baseline", "m"]);
    assert_eq!((code, shown.as_str(), said.as_str()), (0, "", "lint-baseline.json has 2 findings\n"));
    fs::write(place.join("m/a.pp"), format!("# A line before\n{old}\tnotice(\"y\")\n")).unwrap();
    let baseline = ["--baseline", "lint-baseline.json", "--log-format", "%{line} %{check}"];
    let (code, shown, said) = lint(&[&baseline[..], &["m"]].concat());
    assert_eq!((code, shown.as_str(), said.as_str()), (1, "4 double_quoted_strings\n4 hard_tabs\n", ""));
    let ignored = lint(&[&baseline[..], &["--show-ignored", "m/a.pp"]].concat()).1;
    assert_eq!(ignored.matches("\n  baseline\n").count(), 2, "{ignored}");
    fs::write(place.join("m/a.pp"), "$a = \"x\"\n").unwrap();
    let (code, _, said) = lint(&[&baseline[..], &["m"]].concat());
    assert_eq!((code, said.starts_with("1 findings of lint-baseline.json are gone")), (0, true), "{said}");
    let missing = lint(&["--baseline", "nowhere.json", "m"]);
    assert!(missing.0 == 1 && missing.1.contains("--write-baseline writes one"), "{missing:?}");
}
