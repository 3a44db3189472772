//! What `bunraku.toml` may say, and that its manual says the same.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]

use std::fs;
use std::path::Path;

use bunraku::{FileId, Source};
use bunraku_lint::{Kind, Settings};

use super::keys::KEYS;
use super::{Configuration, Given, read};

fn configuration(text: &str) -> Configuration {
    let read::Read { values, checks, paths } = read::read(&Source::file(FileId(0), "bunraku.toml", text)).unwrap();
    Configuration { values, checks, paths, directory: Some("/site".into()) }
}

fn wrong(text: &str) -> Vec<String> {
    let source = Source::file(FileId(0), "bunraku.toml", text);
    match read::read(&source) {
        Ok(_) => panic!("nothing is wrong with {text}"),
        Err(diagnostics) => diagnostics.iter().map(|it| it.located(Some(&source))).collect(),
    }
}

#[test]
fn values_are_read() {
    let read = configuration(
        "[puppet]\nenvironmentpath = ['environments', '/more']\nstrict = 'off'\n[lint]\nrelative = true\n\
         [lint.checks]\n80chars = true\n140chars = false\nhard_tabs = 'warning'\n\
         [[lint.paths]]\nmatch = ['spec/**']\nchecks = { hard_tabs = false }\n[fmt]\nindent = 4\n",
    );
    assert_eq!(read.value("puppet", "environmentpath"), Some(Given::String("/site/environments:/more".to_owned())));
    assert_eq!(read.value("lint", "relative"), Some(Given::Boolean(true)));
    assert_eq!(read.value("fmt", "indent"), Some(Given::Number(4)));
    assert_eq!(read.value("fmt", "quotes"), None);
    let mut settings = Settings::default();
    read.switch_checks(&mut settings);
    assert!(settings.is_on("80chars") && !settings.is_on("140chars") && settings.is_on("hard_tabs"));
    assert_eq!(settings.kinds, [("hard_tabs", Kind::Warning)]);
    assert!(!read.for_path("/site/spec/a.pp", &settings).unwrap().is_on("hard_tabs"));
    assert!(read.for_path("/site/manifests/a.pp", &settings).is_none());
}

#[test]
fn whatever_is_wrong_is_told_at_once_and_with_its_place() {
    let text = "[lnt]\n[lint]\nrelativ = true\nchars_per_indent = 'x'\nonly_checks = ['hard_tab']\n\
                [lint.checks]\n80char = true\n140chars = 3\n[[lint.paths]]\nmach = 1\n";
    assert_eq!(
        wrong(text),
        [
            "Unknown table 'lnt'; did you mean 'lint'? (file: bunraku.toml, line: 1, column: 2)",
            "Unknown key in [lint] 'relativ'; did you mean 'relative'? (file: bunraku.toml, line: 3, column: 1)",
            "'chars_per_indent' takes a number from 1 to 16 (file: bunraku.toml, line: 4, column: 20)",
            "Unknown check 'hard_tab' in 'only_checks'; did you mean 'hard_tabs'? (file: bunraku.toml, line: 5, column: 15)",
            "Unknown check '80char'; did you mean '80chars'? (file: bunraku.toml, line: 7, column: 1)",
            "'140chars' takes true, false, \"warning\" or \"error\" (file: bunraku.toml, line: 8, column: 12)",
            "An entry of [[lint.paths]] needs 'match', a list of patterns (file: bunraku.toml, line: 9, column: 1)",
            "Unknown key in [[lint.paths]] 'mach'; did you mean 'match'? (file: bunraku.toml, line: 10, column: 1)",
        ]
    );
    assert_eq!(wrong("[lint\n").len(), 1);
}

#[test]
fn variables_win_over_the_file() {
    let mut read = configuration("[lint]\nrelative = true\n");
    let variables = [("BUNRAKU_LINT_RELATIVE", "false"), ("BUNRAKU_FMT_EXCLUDE", "a, b"), ("OTHER", "x")];
    read.add_variables(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))).unwrap();
    assert_eq!(read.value("lint", "relative"), Some(Given::Boolean(false)));
    assert_eq!(read.value("fmt", "exclude"), Some(Given::Strings(vec!["a".to_owned(), "b".to_owned()])));
    let misspelt = [("BUNRAKU_LINT_RELATIV".to_owned(), "1".to_owned())];
    let refused = read.add_variables(misspelt.into_iter()).unwrap_err();
    assert!(refused.issue().message().contains("did you mean BUNRAKU_LINT_RELATIVE?"), "{}", refused.issue().message());
}

/// `UPDATE=1` writes the tables of the manual anew.
#[test]
fn the_manual_has_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let manual = fs::read_to_string(&path).unwrap();
    let mut tables = "## Keys\n".to_owned();
    let mut table = "";
    for key in KEYS {
        if key.table != table {
            table = key.table;
            tables += &format!("\n### `[{table}]`\n\n| key | takes | default | flag | variable | |\n");
            tables += "| --- | --- | --- | --- | --- | --- |\n";
        }
        let (name, flag, variable) = (key.name, key.flag, key.variable());
        tables +=
            &format!("| `{name}` | {} | {} | `{flag}` | `{variable}` | {} |\n", key.kind(), key.default, key.about);
    }
    let start = manual.find("## Keys\n").unwrap();
    let (before, rest) = manual.split_at(start);
    let (keys, after) = rest.split_at(rest.find("\n## Checks").unwrap());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, format!("{before}{tables}{after}")).unwrap();
    } else {
        assert_eq!(keys, tables, "write it anew with UPDATE=1");
    }
}
