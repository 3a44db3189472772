//! The checks against what puppet-lint 4.3.0 and its plugins say: problems with kind, check, message, line and column, in
//! order, and what fixes write; `asked.jsonl` has changed snippets on which puppet-lint was asked anew. What differs is
//! listed in `tests/lint/differences.txt` with a word for the reason, which `docs/lint.md` explains.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bunraku::syntax::{FileId, Source, parse, pn};
use bunraku_lint::{Kind, LEGACY_FACTS, Problem, RULES, Settings, check, fix, listed};
use serde_json::Value;

/// The checks that come with plugins begin here.
const FIRST_PLUGIN: &str = "relative_classname_inclusion";

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lint")
}

fn cases(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(directory().join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn settings(case: &Value) -> Settings {
    let mut settings = Settings { current_dir: "/somewhere".to_owned(), unsafe_fixes: true, ..Settings::default() };
    let first_plugin = RULES.iter().position(|rule| rule.name == FIRST_PLUGIN).unwrap();
    let place = |name: &str| RULES.iter().position(|rule| rule.name == name).unwrap();
    match case["enabled"].as_str() {
        Some("core") => settings.only(|name| place(name) < first_plugin && RULES[place(name)].is_on),
        Some("default") => {}
        Some(_) => settings.only(|name| listed().any(|rule| rule.name == name)),
        None => {
            let wanted: Vec<&str> = case["enabled"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            settings.only(|name| wanted.contains(&name));
        }
    }
    let strings = |value: &Value| match value {
        Value::String(one) => vec![one.clone()],
        many => many.as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect(),
    };
    for (name, value) in case["options"].as_object().unwrap() {
        match name.as_str() {
            "relative" => settings.relative = value.as_bool().unwrap(),
            "chars_per_indent" => settings.chars_per_indent = value.as_u64().unwrap() as usize,
            "docs_allowed_styles" => settings.docs_allowed_styles = strings(value),
            "top_scope_variables" => settings.top_scope_variables = strings(value),
            other => panic!("unknown option {other}"),
        }
    }
    settings
}

fn shown(problem: &Problem) -> String {
    let Problem { kind, check, message, line, column, .. } = problem;
    format!("{kind} {check} {line}:{column} {message}")
}

fn expected(case: &Value) -> Vec<String> {
    let problem = |it: &Value| {
        let text = |name: &str| it[name].as_str().unwrap().to_owned();
        format!("{} {} {}:{} {}", text("kind"), text("check"), it["line"], it["column"], text("message"))
    };
    case["problems"].as_array().into_iter().flatten().map(problem).collect()
}

#[test]
fn problems_and_fixes_are_those_of_puppet_lint() {
    let mut found = Vec::new();
    let mut details = String::new();
    for file in ["spec", "sets", "drill", "hand", "mutated", "extra", "asked"] {
        for case in cases(&format!("{file}.jsonl")) {
            let (code, path) = (case["code"].as_str().unwrap(), case["path"].as_str().unwrap());
            let id = case["id"].as_str().unwrap();
            let settings = settings(&case);
            let problems: Vec<String> = check(code, path, &settings).problems.iter().map(shown).collect();
            let expected = expected(&case);
            if problems != expected {
                found.push(format!("{id} problems"));
                differences(&mut details, &case, &problems, &expected);
            }
            let fixed = fix(code, path, &settings);
            if let Some(wanted) = case["fixed"].as_str()
                && fixed.text.as_deref() != Some(wanted)
            {
                found.push(format!("{id} fix"));
                details += &format!("FIX {id}\n--- want\n{wanted}\n--- got\n{:?}\n", fixed.text);
            }
            let again = fix(fixed.text.as_deref().unwrap_or(code), path, &settings);
            assert_eq!(again.text, None, "{id}: a second run finds nothing to fix");
        }
    }
    let _ = fs::write(directory().join("../../target/lint-differences.txt"), details);
    let listed = fs::read_to_string(directory().join("differences.txt")).unwrap();
    let listed: Vec<&str> = listed.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0)).collect();
    let unlisted: Vec<&String> = found.iter().filter(|it| !listed.contains(&it.as_str())).collect();
    assert!(unlisted.is_empty(), "these differ, see target/lint-differences.txt: {unlisted:#?}");
    let gone: Vec<&&str> = listed.iter().filter(|it| !found.iter().any(|found| found == **it)).collect();
    assert!(gone.is_empty(), "these differ no longer; take them from tests/lint/differences.txt: {gone:#?}");
}

#[test]
fn every_difference_has_its_reason() {
    let listed =
        ["differences.txt", "real_differences.txt"].map(|it| fs::read_to_string(directory().join(it)).unwrap());
    let listed = listed.concat();
    let manual = fs::read_to_string(directory().join("../../docs/lint.md")).unwrap();
    for reason in listed.lines().filter_map(|line| line.rsplit(' ').next()) {
        assert!(manual.contains(&format!("| `{reason}` |")), "docs/lint.md says nothing about {reason}");
    }
}

/// The structured facts that Facter itself names for legacy facts; of some it names only the first part.
#[test]
fn legacy_facts_have_the_successors_that_facter_names() {
    let mut known = 0;
    for (legacy, path) in LEGACY_FACTS {
        if let Some(successor) = bunraku::facter::structured_name(legacy) {
            assert!(*path == successor || path.starts_with(&format!("{successor}.")), "{legacy}: {path}, {successor}");
            known += 1;
        }
    }
    assert!(known > 30, "{known}");
}

/// `UPDATE=1` writes the table of checks in the manual anew.
#[test]
fn the_manual_describes_every_check() {
    let path = directory().join("../../docs/lint.md");
    let manual = fs::read_to_string(&path).unwrap();
    let mut table = "## Checks\n\n| check | kind | | what it asks for |\n| --- | --- | --- | --- |\n".to_owned();
    for rule in RULES {
        let state = if rule.is_on { "" } else { "off" };
        table += &format!("| `{}` | {} | {state} | {} |\n", rule.name, rule.kind, rule.description);
    }
    let start = manual.find("## Checks\n").unwrap();
    let end = start + manual[start..].find("\n## Where").unwrap();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, format!("{}{table}{}", &manual[..start], &manual[end..])).unwrap();
    } else {
        assert_eq!(&manual[start..end], table, "write it anew with UPDATE=1");
    }
}

fn differences(details: &mut String, case: &Value, found: &[String], expected: &[String]) {
    *details += &format!("== {}\n", case["id"]);
    let count = |list: &[String]| {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        list.iter().for_each(|it| *counts.entry(it.clone()).or_default() += 1);
        counts
    };
    let (found, expected) = (count(found), count(expected));
    for (problem, times) in &expected {
        if found.get(problem) != Some(times) {
            *details += &format!("- {problem}\n");
        }
    }
    for (problem, times) in &found {
        if expected.get(problem) != Some(times) {
            *details += &format!("+ {problem}\n");
        }
    }
}

/// Checks whose fixes change nothing but the layout.
fn is_layout(check: &str) -> bool {
    let others =
        ["arrow_alignment", "hard_tabs", "space_before_arrow", "star_comments", "strict_indent", "trailing_comma"];
    check.starts_with("manifest_whitespace_") || check == "trailing_whitespace" || others.contains(&check)
}

fn tree(text: &str) -> (usize, pn::Pn) {
    let source = Source::string(FileId(0), text.to_owned());
    let parsed = parse(&source);
    (parsed.diagnostics.len(), pn::program(&parsed.program))
}

#[test]
fn fixes_keep_the_tree_and_are_made_once() {
    let mut changed = 0;
    for case in ["spec", "drill", "hand", "mutated"].iter().flat_map(|file| cases(&format!("{file}.jsonl"))) {
        let (code, path, id) = (case["code"].as_str().unwrap(), case["path"].as_str().unwrap(), &case["id"]);
        let mut settings = settings(&case);
        settings.only(is_layout);
        let Some(fixed) = fix(code, path, &settings).text else { continue };
        changed += 1;
        let before = tree(code);
        if before.0 == 0 {
            assert_eq!(tree(&fixed), before, "{id}");
        }
        assert_eq!(fix(&fixed, path, &settings).text, None, "{id}");
        settings.only(|_| true);
        settings.unsafe_fixes = false;
        let fixed = fix(code, path, &settings).text.unwrap_or_else(|| code.to_owned());
        // In code that is broken already the parser may say more of a comma.
        assert!(before.0 > 0 || tree(&fixed).0 == 0, "{id}");
        assert_eq!(fix(&fixed, path, &settings).text, None, "{id}");
    }
    assert!(changed > 300, "{changed}");
}

#[test]
fn fixes_come_to_rest() {
    let all = Settings { unsafe_fixes: true, ..Settings::default() };
    let once = |code: &str| {
        let fixed = fix(code, "", &all).text.unwrap_or_else(|| code.to_owned());
        assert_eq!(fix(&fixed, "", &all).text, None, "{code}");
        fixed
    };
    // The arrows of a key and of the hash before it push each other on for ever.
    let aligned = once("notice \"a\"\nfoo { 'a': b => { c => 1,\n  c => 2 }, c => 3 }\n");
    assert_eq!(aligned, "notice 'a'\nfoo { 'a': b => { c => 1,\nc => 2 }, c => 3 }\n");
    // No blank before an arrow that begins its line, however often.
    assert_eq!(once("foo { 'a':\n  b\n  => 1,\n}\n"), "foo { 'a':\n  b\n  => 1,\n}\n");
}

#[test]
fn what_crashes_puppet_lint_gets_an_answer() {
    for case in cases("crashes.jsonl") {
        let settings = settings(&case);
        let (code, path) = (case["code"].as_str().unwrap(), case["path"].as_str().unwrap());
        let fixed = fix(code, path, &settings);
        assert!(fixed.report.problems.iter().all(|it| it.kind != Kind::Ignored), "{}", case["id"]);
    }
}
