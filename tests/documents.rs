//! The programs in the documents do what the documents say.

use std::fs;
use std::path::{Path, PathBuf};

use bunraku_tests::markdown;
use serde_json::json;

/// The fenced blocks of a document, with the word after the fence.
fn blocks(text: &str) -> Vec<(String, String)> {
    let sections = markdown::read(text);
    let blocks = sections.iter().flat_map(markdown::Section::blocks);
    blocks.map(|block| (block.kind.clone(), block.body.trim_end_matches('\n').to_owned())).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The documents for people, by their paths.
fn documents() -> Vec<(PathBuf, String)> {
    let names = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
        "tests/real_modules/README.md",
    ];
    let mut paths = names.map(|name| root().join(name)).to_vec();
    for directory in ["docs", "docs/decisions"] {
        let entries = fs::read_dir(root().join(directory)).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The targets of the links in a document.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.contains(char::is_whitespace))
}

/// What stands in backticks.
fn quoted(text: &str) -> Vec<String> {
    let blocks: String = text.split("```").step_by(2).collect();
    blocks.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut offenders = Vec::new();
    for (path, text) in documents() {
        for target in links(&text) {
            let (file, section) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let titles = fs::read_to_string(&file).unwrap_or_default();
            let mut anchors = titles.lines().filter(|line| line.starts_with('#')).map(anchor);
            if !file.exists() || !section.is_empty() && !anchors.any(|anchor| anchor == section) {
                offenders.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(offenders.is_empty(), "links to nowhere:\n  {}", offenders.join("\n  "));
}

/// How a link names a title.
fn anchor(title: &str) -> String {
    let words = title.trim_start_matches('#').trim().to_lowercase();
    let letters = words.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    letters.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn every_path_is_there() {
    let tops =
        ["crates/", "tests/", "docs/", "benches/", "fuzz/", "examples/", "packaging/", "vendor/", ".ci/", ".cargo/"];
    let mut offenders = Vec::new();
    let mut checked = 0;
    for (document, text) in documents() {
        for path in quoted(&text) {
            let is_of_crate =
                path.split_once("/src/").is_some_and(|(name, _)| root().join("crates").join(name).is_dir());
            let path = if is_of_crate { format!("crates/{path}") } else { path };
            let is_path = tops.iter().any(|top| path.starts_with(top)) && !path.contains([' ', '<', '$', '…']);
            if !is_path {
                continue;
            }
            // Of a pattern, the directory must be there.
            let known = path.split('*').next().unwrap_or_default();
            let known =
                if known == path { known } else { known.rsplit_once('/').map_or("", |(directory, _)| directory) };
            checked += 1;
            if !root().join(known).exists() {
                offenders.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(checked > 20, "the paths were not found");
    assert!(offenders.is_empty(), "paths to nowhere:\n  {}", offenders.join("\n  "));
}

#[test]
fn the_differences_are_as_described() {
    let blocks = blocks(&fs::read_to_string(root().join("docs/spec-differences.md")).unwrap());
    let mut checked = 0;
    for pair in blocks.windows(2) {
        let [(first, program), (second, expected)] = pair else { continue };
        let actual = match (first.as_str(), second.as_str()) {
            ("puppet", "value") => bunraku_tests::harness::run(&json!({"code": program}))["value"]["repr"].clone(),
            ("puppet", "error") => bunraku_tests::harness::run(&json!({"code": program}))["error"]["message"].clone(),
            _ => continue,
        };
        assert_eq!(actual, json!(expected), "{program}");
        checked += 1;
    }
    assert!(checked > 50, "the programs were not found");
}

#[test]
fn the_examples_of_data_types_hold() {
    let mut checked = 0;
    for (name, page) in bunraku::data_types::all() {
        let examples = page.split("```puppet\n").nth(1).and_then(|rest| rest.split("\n```").next());
        for line in examples.unwrap_or_default().lines() {
            let result = bunraku_tests::harness::run(&json!({"code": line}));
            assert_eq!(result["value"]["repr"], json!("true"), "{name}: {line}: {result}");
            checked += 1;
        }
    }
    assert!(checked > 50, "the examples were not found");
}

/// The codes that are given to issues anywhere in the program.
fn codes_in(text: &str, found: &mut std::collections::BTreeSet<String>) {
    let is_code = |word: &str| {
        word.len() > 3 && word.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_')
    };
    for rest in text.split("Issue::new(").skip(1) {
        let quoted = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
        found.extend(quoted.filter(|code| is_code(code)).map(str::to_owned));
    }
    // The tables of issues: `name(parameter) CODE "text";`
    for line in text.lines().filter(|line| line.ends_with("\";")) {
        let code = line.split(") ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        found.extend(Some(code.trim_matches('"')).filter(|code| is_code(code)).map(str::to_owned));
    }
}

#[test]
fn every_code_has_a_page() {
    let mut used = std::collections::BTreeSet::new();
    let mut directories = vec![root().join("crates")];
    while let Some(directory) = directories.pop() {
        for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                directories.extend(Some(path).filter(|path| !path.ends_with("tests")));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(path).unwrap();
                codes_in(text.split("#[cfg(test)]").next().unwrap_or_default(), &mut used);
            }
        }
    }
    assert!(used.len() > 100, "{used:?}");
    let without: Vec<&String> = used.iter().filter(|code| bunraku::codes::page(code).is_none()).collect();
    assert!(without.is_empty(), "these codes have no page in crates/bunraku/src/codes.md: {without:?}");
}
