//! Applies the recorded manifests of `tests/apply` in a sandbox that `./test` builds, each in a root of its own, and
//! compares what is said, reported, kept and changed. What differs is listed in `score.txt`, which may only get better.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

const SANDBOX: &str = "/var/tmp/apply-root";

/// The same with further tools and resource types.
const TOOLS: &str = "/var/tmp/apply-root-tools";

const CORPORA: [&str; 15] = [
    "accounts",
    "agent",
    "exec",
    "file",
    "further",
    "misc",
    "modules",
    "order",
    "packages",
    "parsed",
    "providers",
    "recurse",
    "resource",
    "run",
    "services",
];

/// The corpora that take further tools.
const WITH_TOOLS: [&str; 3] = ["further", "modules", "providers"];

/// What a report tells of every resource, whether or not anything happened to it.
const ALWAYS: [&str; 5] = ["resource", "containment_path", "file", "line", "provider"];

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/apply")
}

/// Where Ruby says in which of its own functions the system refused something.
const OF_RUBY: [&str; 3] = [" @ rb_sysopen", " @ dir_chdir", " @ dir_s_mkdir"];

fn cases(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let text = OF_RUBY.iter().fold(text, |text, word| text.replace(word, ""));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What release 8 did: what release 7 did, and where that differs.
fn expected(step: &Value) -> Map<String, Value> {
    let mut all = step["expect"].as_object().cloned().unwrap_or_default();
    for (name, value) in step["expect8"].as_object().into_iter().flatten() {
        match (all.get_mut(name), value) {
            (Some(Value::Object(known)), Value::Object(other)) if name == "report" => known.extend(other.clone()),
            _ => _ = all.insert(name.clone(), value.clone()),
        }
    }
    // What release 8 did not say is written as nothing.
    all.retain(|_, value| !value.is_null() && value != "");
    if let Some(version) = all.get_mut("state").and_then(|it| it.pointer_mut("/last_run_summary.yaml/version")) {
        // The summary of release 8 was not recorded: it differs by the release that it names.
        version["puppet"] = bunraku::PUPPET_VERSION.into();
    }
    comparable(all)
}

/// Without the commands, which only a recorder inside the program can name, and without unchanged resources.
fn comparable(mut all: Map<String, Value>) -> Map<String, Value> {
    all.remove("commands");
    if let Some(Value::String(text)) = all.get_mut("stdout") {
        *text = summary_without_chance(text);
    }
    if let Some(resources) = all.get_mut("report").and_then(|it| it["resources"].as_array_mut()) {
        let is_told = |it: &Value| it.as_object().unwrap().keys().any(|name| !ALWAYS.contains(&name.as_str()));
        resources.retain(is_told);
    }
    // Whether the time at which a crontab was installed differs from that before is chance: it is told in seconds.
    for file in all.get_mut("system").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        if let Some(lines) = file["lines"].as_array_mut() {
            lines.retain(|line| !line.as_str().unwrap_or_default().ends_with("installed on TIME)"));
        }
    }
    all
}

/// What `--summarize` tells without the times and the order that follows from them.
fn summary_without_chance(text: &str) -> String {
    let Some((before, summary)) = text.split_once("\nApplication:\n") else { return text.to_owned() };
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in summary.lines() {
        match (line.starts_with(' '), groups.last_mut()) {
            (true, Some((group, lines))) => {
                let name = line.split(':').next().unwrap_or_default().trim();
                lines.push(if group == "Time:" || group == "Version:" { name.to_owned() } else { line.to_owned() });
            }
            _ => groups.push((line.to_owned(), Vec::new())),
        }
    }
    let shown = groups.into_iter().map(|(group, mut lines)| {
        lines.sort_unstable();
        format!("{group} {}\n", lines.join(", "))
    });
    format!("{before}\n{}", shown.collect::<String>())
}

fn is_same(recorded: &Value, found: &Value) -> bool {
    let steps = |case: &Value| case["steps"].as_array().cloned().unwrap_or_default();
    let (wanted, seen) = (steps(recorded), steps(found));
    let is_same = |(step, seen): (&Value, &Value)| {
        expected(step) == comparable(seen["expect"].as_object().cloned().unwrap_or_default())
    };
    found["recording_failed"].is_null() && wanted.len() == seen.len() && wanted.iter().zip(&seen).all(is_same)
}

/// Runs cases of a corpus, so many at a time, and returns what happened.
fn replay(corpus: &str, recorded: &[&Value], jobs: u8) -> Vec<Value> {
    let [input, output] = ["in", "out"]
        .map(|end| std::env::temp_dir().join(format!("bunraku-apply-{}-{corpus}-{end}.jsonl", std::process::id())));
    std::fs::write(&input, recorded.iter().map(|case| format!("{case}\n")).collect::<String>()).unwrap();
    let run = Command::new("sh")
        .arg(directory().join("sandbox/run.sh"))
        .args([&input, &output])
        .arg(jobs.to_string())
        .env("ROOT", if WITH_TOOLS.contains(&corpus) { TOOLS } else { SANDBOX })
        .env("BINARY", env!("CARGO_BIN_EXE_bunraku"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{corpus}: {}", String::from_utf8_lossy(&run.stderr));
    let found = cases(&output);
    assert_eq!(recorded.len(), found.len());
    for path in [input, output] {
        std::fs::remove_file(path).unwrap();
    }
    found
}

/// The cases of a corpus that differ. Programs that a case starts have limits of time, which a busy machine may exceed: what
/// differs and is not known to has another try with the machine for itself.
fn differing(corpus: &str, recorded: &[Value], known: &BTreeSet<&str>) -> Vec<String> {
    let id = |case: &Value| case["id"].as_str().unwrap().to_owned();
    let differs = |tried: &[&Value], jobs| -> BTreeSet<String> {
        let found = replay(corpus, tried, jobs);
        let differs = tried.iter().zip(&found).filter(|(recorded, found)| !is_same(recorded, found));
        differs.map(|(recorded, _)| id(recorded)).collect()
    };
    let mut failing = differs(&recorded.iter().collect::<Vec<_>>(), 4);
    let is_new = |case: &&Value| failing.contains(&id(case)) && !known.contains(id(case).as_str());
    let again: Vec<&Value> = recorded.iter().filter(is_new).collect();
    if !again.is_empty() {
        let still = differs(&again, 1);
        failing.retain(|id| known.contains(id.as_str()) || still.contains(id));
    }
    recorded.iter().map(id).filter(|id| failing.contains(id)).collect()
}

#[test]
fn manifests_are_applied_as_recorded() {
    for (root, file) in [(SANDBOX, "srv/repo/Packages"), (TOOLS, "srv/built-by")] {
        assert!(Path::new(root).join(file).exists(), "{root} is missing: ./test builds it");
    }
    let path = directory().join("score.txt");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeSet<&str> = committed.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let (mut score, mut worse) = (String::new(), Vec::new());
    for corpus in CORPORA {
        let recorded = cases(&directory().join(format!("{corpus}.jsonl")));
        let failing = differing(corpus, &recorded, &known);
        worse.extend(failing.iter().filter(|id| !known.contains(id.as_str())).cloned());
        score += &format!("{corpus} {} of {}\n", recorded.len() - failing.len(), recorded.len());
        score.extend(failing.iter().map(|id| format!("  {id}\n")));
    }
    assert!(committed.is_empty() || worse.is_empty(), "no longer as recorded: {worse:?}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, score).unwrap();
    } else {
        assert!(score == committed, "better than tests/apply/score.txt says: UPDATE=1 rewrites it\n{score}");
    }
}
