//! The rules of this house, checked on the files themselves: see ARCHITECTURE.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The longest a file may be, tests at its foot not counted.
const LONGEST: usize = 600;

/// What each crate may use of the others. The arrows are invariants.
const ARROWS: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("pcore", &["syntax"]),
    ("environment", &["syntax"]),
    ("catalog", &["syntax", "pcore"]),
    ("notation", &["pcore"]),
    ("pki", &[]),
    ("hiera", &["syntax", "pcore", "notation", "pki", "environment"]),
    ("compiler", &["syntax", "pcore", "environment", "catalog", "hiera"]),
    ("functions", &["syntax", "pcore", "notation", "pki", "environment", "catalog", "hiera", "compiler"]),
    ("ruby", &["syntax", "pcore", "environment", "catalog", "hiera", "compiler"]),
    ("bunraku", &["syntax", "pcore", "notation", "environment", "catalog", "hiera", "compiler", "functions", "ruby"]),
    // What it needs of the others, the library hands on.
    ("cli", &[]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(directory: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("target") {
                rust_files(&path, into);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

fn sources() -> BTreeMap<PathBuf, String> {
    let mut files = Vec::new();
    for directory in ["crates", "tests", "benches"] {
        rust_files(&root().join(directory), &mut files);
    }
    assert!(files.len() > 50, "the crates were not found");
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

fn complain(rule: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{rule}:\n  {}", offenders.join("\n  "));
}

/// The part of a file that counts: without the tests at its foot.
fn body(text: &str) -> &str {
    text.split("\n#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn a_file_says_what_it_is_for() {
    let offenders: Vec<_> = sources()
        .iter()
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(path, _)| path.display().to_string())
        .collect();
    complain("every file starts with `//!`", &offenders);
}

#[test]
fn a_file_stays_short() {
    let offenders: Vec<_> = sources()
        .iter()
        .map(|(path, text)| (path, body(text).lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(path, lines)| format!("{} has {lines} lines", path.display()))
        .collect();
    complain("a file tells one story in at most 600 lines", &offenders);
}

#[test]
fn nothing_is_left_unfinished() {
    // Spelled in pieces, so that this file does not accuse itself.
    let words = [["to", "do!("], ["unimple", "mented!("], ["FIX", "ME"], ["#[ig", "nore"], ["#[should_", "panic"]];
    let mut offenders = Vec::new();
    for (path, text) in sources() {
        for word in words.map(|halves| halves.concat()) {
            if text.contains(&word) {
                offenders.push(format!("{} contains {word}", path.display()));
            }
        }
    }
    complain("nothing is left unfinished", &offenders);
}

#[test]
fn the_arrows_point_one_way() {
    let mut offenders = Vec::new();
    for (name, allowed) in ARROWS {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("bunraku-")) {
            let used = line.trim_start_matches("bunraku-").split(['.', ' ']).next().unwrap_or_default();
            if !allowed.contains(&used) {
                offenders.push(format!("{name} uses {used}"));
            }
        }
    }
    complain("a crate uses only what stands before it", &offenders);
}

#[test]
fn builds_are_plain() {
    let mut offenders = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        if entry.path().join("build.rs").exists() {
            offenders.push(format!("{} has a build script", entry.path().display()));
        }
    }
    for (file, words) in [("Cargo.toml", ["link-arg", "opt-level = \"s\""]), (".cargo/config.toml", ["flags", "FLAGS"])]
    {
        let text = fs::read_to_string(root().join(file)).unwrap_or_default();
        offenders
            .extend(words.iter().filter(|word| text.contains(**word)).map(|word| format!("{file} contains {word}")));
    }
    complain("the program is built as `cargo install` builds it: no build scripts, no flags", &offenders);
}

#[test]
fn shelves_and_tables_agree() {
    let mut offenders = Vec::new();
    for shelf in ["crates/functions/src/builtin", "crates/functions/src/stdlib"] {
        let directory = root().join(shelf);
        let table = fs::read_to_string(directory.join("mod.rs")).unwrap();
        let mut names: Vec<_> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().trim_end_matches(".rs").to_owned())
            .filter(|name| name != "mod")
            .collect();
        names.sort();
        let listed: Vec<_> = table
            .lines()
            .filter_map(|line| line.trim_start_matches("pub(crate) ").trim_start_matches("pub ").strip_prefix("mod "))
            .map(|line| line.trim_end_matches(';').trim_start_matches("r#").to_owned())
            .collect();
        if names != listed {
            let missing: Vec<_> = names.iter().filter(|name| !listed.contains(name)).collect();
            offenders
                .push(format!("{shelf}: the `mod` lines are not the sorted list of files (not listed: {missing:?})"));
        }
    }
    complain("a shelf's table lists its files in order", &offenders);
}

#[test]
fn no_machine_is_named() {
    let words = [["/wo", "rk/"], ["/ro", "ot/"]];
    let mut offenders = Vec::new();
    for (path, text) in sources() {
        for word in words.map(|halves| halves.concat()) {
            if text.contains(&word) {
                offenders.push(format!("{} contains {word}", path.display()));
            }
        }
    }
    complain("the repository speaks of the project alone", &offenders);
}
