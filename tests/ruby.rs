//! Recorded Ruby: what the one interpreter answers to every snippet of `ruby/*.jsonl` against what Ruby 3.1 answered.
//!
//! `ruby/SCORE.md` says how many of each group are equal and lists the others. It may only get better: a snippet that is
//! not listed there must pass. `UPDATE=1` writes it anew. `SNIPPETS=FILE` runs those of a file instead and shows which differ;
//! `record/ruby_variations.rb` makes such a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bunraku::world::{Command, Entry, Files, Machine, Output, Stamp};
use bunraku::{Disk, World};
use bunraku_ruby::interpreter::{Answer, answer_in};
use bunraku_tests::score::{Corpora, check_in};
use serde_json::Value as Json;

#[test]
fn the_score_of_snippets_does_not_drop() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("ruby");
    let mut files: Vec<PathBuf> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let cases: Vec<Json> = files.iter().flat_map(|path| read(path)).collect();
    assert!(cases.len() > 4_000, "the snippets were not found");
    let other = std::env::var("SNIPPETS").ok();
    let cases = match &other {
        Some(path) => read(Path::new(path)),
        None => cases,
    };
    let mut corpora = Corpora::new();
    let scratch = std::env::temp_dir().join(format!("bunraku-ruby-{}", std::process::id()));
    for case in &cases {
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let sources: Vec<&str> = case["setup"].as_str().into_iter().chain([text("code")]).collect();
        let own = scratch.join(text("id"));
        fs::create_dir_all(&own).unwrap();
        let world = Arc::new(Place(own.to_str().unwrap().to_owned()));
        let given = answer_in(&sources, "case.rb", Some(world), text("topic") == "exception/suggestions");
        fs::remove_dir_all(&own).unwrap();
        let has_passed = is_equal(case, &given);
        let is_shown = other.is_some() || std::env::var("SHOW").is_ok_and(|wanted| text("id").starts_with(&wanted));
        if is_shown && !has_passed {
            let expected = (&case["result"], &case["error"], &case["stdout"]);
            eprintln!("{}: {:?}\n  expected {expected:?}\n  given    {given:?}", text("id"), text("code"));
        }
        corpora.entry(text("topic").to_owned()).or_default().add(text("id"), has_passed);
    }
    fs::remove_dir_all(&scratch).unwrap();
    if other.is_some() {
        return;
    }
    check_in("ruby/SCORE.md", "The reasons are in docs/compatibility.md (§ Recorded Ruby).", corpora);
}

fn read(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The machine as the cases saw it when they were recorded: a directory of their own and few variables.
struct Place(String);

impl World for Place {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        Disk.read(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        Disk.stamp(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        Disk.list(directory)
    }

    fn now(&self) -> SystemTime {
        Disk.now()
    }

    fn utc_offset(&self) -> i32 {
        0
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        Disk.random(bytes)
    }

    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        Disk.run(command)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables().into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn variables(&self) -> Vec<(String, String)> {
        [("HOME", "/nonexistent"), ("LANG", "C.UTF-8"), ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("TZ", "UTC")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec()
    }

    fn machine(&self) -> Option<&dyn Machine> {
        Some(&Disk)
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(&Disk)
    }

    fn current_dir(&self) -> String {
        self.0.clone()
    }

    fn is_privileged(&self) -> bool {
        false
    }
}

/// Whether an answer is the recorded one. Addresses read `0x0`; of a syntax error only the class counts.
fn is_equal(case: &Json, given: &Answer) -> bool {
    let output = without_addresses(&String::from_utf8_lossy(&given.output));
    if output != case["stdout"].as_str().unwrap_or_default() {
        return false;
    }
    match (&given.result, &given.error) {
        (Some(result), _) => case["result"].as_str() == Some(&without_addresses(result)),
        (None, Some((class, message))) => {
            let error = &case["error"];
            error["class"].as_str() == Some(class)
                && (class == "SyntaxError" || error["message"].as_str() == Some(&without_addresses(message)))
        }
        (None, None) => false,
    }
}

/// Texts with `0x` and sixteen digits, as objects are shown, read `0x0` there.
fn without_addresses(text: &str) -> String {
    let mut made = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let (before, after) = rest.split_at(at + 2);
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        made.push_str(before);
        if digits == 16 {
            made.push('0');
            rest = &after[digits..];
        } else {
            rest = after;
        }
    }
    made + rest
}
