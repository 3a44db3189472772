//! The checks against what puppet-lint 4.3.0 and its plugins say: problems with kind, check, message, line and column, in
//! order. What differs is counted in `tests/lint/score.txt`, which may only get better.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bunraku_lint::{Kind, Problem, RULES, Settings, check, fix};
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
        Some(_) => settings.only(|_| true),
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
fn problems_are_those_of_puppet_lint() {
    let mut score = String::new();
    let mut details = String::new();
    for file in ["spec", "sets", "drill", "hand", "mutated", "extra"] {
        let (mut same, mut total, mut fixed_same, mut fixed_total) = (0, 0, 0, 0);
        for case in cases(&format!("{file}.jsonl")) {
            let (code, path) = (case["code"].as_str().unwrap(), case["path"].as_str().unwrap());
            let settings = settings(&case);
            let found: Vec<String> = check(code, path, &settings).problems.iter().map(shown).collect();
            let expected = expected(&case);
            total += 1;
            same += usize::from(found == expected);
            if found != expected {
                differences(&mut details, &case, &found, &expected);
            }
            if let Some(wanted) = case["fixed"].as_str() {
                fixed_total += 1;
                let fixed = fix(code, path, &settings);
                let is_same = fixed.text.as_deref() == Some(wanted);
                fixed_same += usize::from(is_same);
                if !is_same {
                    details += &format!("FIX {}\n--- want\n{wanted}\n--- got\n{:?}\n", case["id"], fixed.text);
                }
                let again = fix(fixed.text.as_deref().unwrap_or(code), path, &settings);
                assert_eq!(again.text, None, "{}: a second run finds nothing to fix", case["id"]);
            }
        }
        score += &format!("{file} {same} of {total}, fixes {fixed_same} of {fixed_total}\n");
    }
    let target = directory().join("../../target/lint-differences.txt");
    let _ = fs::write(target, details);
    keep(&score);
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

/// Compares with the score that is recorded; `UPDATE=1` records a better one.
fn keep(score: &str) {
    let path = directory().join("score.txt");
    let old = fs::read_to_string(&path).unwrap_or_default();
    let numbers = |text: &str| -> Vec<i64> { text.split([' ', ',', '\n']).filter_map(|it| it.parse().ok()).collect() };
    let is_worse = numbers(&old).iter().zip(numbers(score)).any(|(old, new)| new < *old);
    assert!(!is_worse, "the score got worse:\n{old}to\n{score}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, score).unwrap();
    } else {
        assert_eq!(old, score, "record the better score with UPDATE=1");
    }
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
