//! The checks on the files of Debian's module packages, against what puppet-lint 4.3.0 and its plugins say of them: problems
//! with line, column and message, and what fixes write, with each check alone and with the usual sets. Files of other
//! versions than the recorded ones are left out. What differs is listed in `tests/lint/real_differences.txt`. Fixes of single
//! checks are tried on every eighth file, with `FULL=1` on all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use bunraku_lint::{Kind, RULES, Settings, check, fix, listed};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The checks that come with plugins begin here.
const FIRST_PLUGIN: &str = "relative_classname_inclusion";

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lint")
}

/// The lines of a packed file.
fn unpacked(name: &str) -> Vec<Value> {
    let output = Command::new("gzip").arg("-dc").arg(directory().join(name)).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The first digits of the checksum of a text.
fn checksum(text: &[u8]) -> String {
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn settings() -> Settings {
    Settings { current_dir: "/somewhere".to_owned(), unsafe_fixes: true, ..Settings::default() }
}

/// The settings for what a fix was recorded with: a set of checks, or a single one.
fn settings_of(set: &str) -> Settings {
    let mut settings = settings();
    let place = |name: &str| RULES.iter().position(|rule| rule.name == name).unwrap();
    match set {
        "core" => settings.only(|name| place(name) < place(FIRST_PLUGIN) && RULES[place(name)].is_on),
        "default" => {}
        check => settings.only(|name| name == check),
    }
    settings
}

/// The problems of a file by check, as they were recorded.
fn expected(case: &Value) -> BTreeMap<String, Vec<String>> {
    let of_check = |(check, found): (&String, &Value)| {
        let shown = |at: &Value| {
            let message = found["message"].as_str().or(at[2].as_str()).unwrap();
            let ignored = if at.as_array().unwrap().iter().any(|it| it == "ignored") { " ignored" } else { "" };
            format!("{}:{} {message}{ignored}", at[0], at[1])
        };
        (check.clone(), found["at"].as_array().unwrap().iter().map(shown).collect())
    };
    case["problems"].as_object().unwrap().iter().map(of_check).collect()
}

fn found(text: &str, path: &str) -> BTreeMap<String, Vec<String>> {
    let mut settings = settings();
    settings.only(|name| listed().any(|rule| rule.name == name));
    let mut problems: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for it in check(text, path, &settings).problems {
        let ignored = if it.kind == Kind::Ignored { " ignored" } else { "" };
        problems
            .entry(it.check.to_owned())
            .or_default()
            .push(format!("{}:{} {}{ignored}", it.line, it.column, it.message));
    }
    problems
}

/// What differs for a file, each with the details.
fn differences(case: &Value, fixed: Option<&Value>, with_single: bool) -> Option<Vec<(String, String)>> {
    let bytes = fs::read(Path::new("/").join(case["file"].as_str()?)).ok()?;
    (checksum(&bytes) == case["sha256"].as_str()?).then_some(())?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let path = case["path"].as_str()?;
    let mut differences = Vec::new();
    let (expected, found) = (expected(case), found(&text, path));
    for check in expected.keys().chain(found.keys().filter(|check| !expected.contains_key(*check))) {
        let (wanted, got) = (expected.get(check), found.get(check));
        if wanted != got {
            differences.push((format!("{path} {check}"), format!("wanted {wanted:#?}\ngot {got:#?}")));
        }
    }
    let is_set = |set: &str| ["core", "default"].contains(&set);
    for (set, sum) in case["fix"].as_object()?.iter().filter(|(set, _)| with_single || is_set(set)) {
        let ours = fix(&text, path, &settings_of(set)).text;
        if ours.as_ref().map(|text| checksum(text.as_bytes())).as_deref() != sum.as_str() {
            let theirs = fixed.and_then(|fixed| fixed["fixed"][set].as_str());
            let details = format!("<<<< theirs\n{}\n>>>> ours\n{}", theirs.unwrap_or("?"), ours.unwrap_or_default());
            differences.push((format!("{path} --fix {set}"), details));
        }
    }
    Some(differences)
}

#[test]
fn real_files_get_the_problems_and_fixes_of_puppet_lint() {
    let cases = unpacked("real.jsonl.gz");
    let fixed: BTreeMap<String, Value> = unpacked("real_fixed.jsonl.gz")
        .into_iter()
        .map(|it| (format!("{} {}", it["package"], it["file"]), it))
        .collect();
    let is_full = std::env::var_os("FULL").is_some();
    let of_case = &|(place, case): &(usize, &Value)| {
        let fixed = fixed.get(&format!("{} {}", case["package"], case["file"]));
        differences(case, fixed, is_full || place % 8 == 0)
    };
    let numbered: Vec<(usize, &Value)> = cases.iter().enumerate().collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut answers = Vec::new();
    thread::scope(|scope| {
        let size = cases.len().div_ceil(threads);
        let parts: Vec<_> = numbered
            .chunks(size)
            .map(|part| scope.spawn(move || part.iter().map(of_case).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().for_each(|part| answers.extend(part.join().unwrap()));
    });
    let replayed = answers.iter().flatten().count();
    assert!(replayed > 1200, "{replayed} of {} files are there: ./test installs them", cases.len());
    let differences: Vec<(String, String)> = answers.into_iter().flatten().flatten().collect();
    let details: String = differences.iter().map(|(name, details)| format!("== {name}\n{details}\n")).collect();
    let _ = fs::write(directory().join("../../target/lint-real-differences.txt"), details);
    let listed = fs::read_to_string(directory().join("real_differences.txt")).unwrap();
    let listed: Vec<&str> = listed.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0)).collect();
    let unlisted: Vec<&String> =
        differences.iter().map(|it| &it.0).filter(|it| !listed.contains(&it.as_str())).collect();
    assert!(unlisted.is_empty(), "these differ, see target/lint-real-differences.txt: {unlisted:#?}");
    let gone: Vec<&&str> = listed.iter().filter(|it| !differences.iter().any(|found| found.0 == **it)).collect();
    assert!(
        gone.is_empty() || !is_full,
        "these differ no longer; take them from tests/lint/real_differences.txt: {gone:#?}"
    );
}
