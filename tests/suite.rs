//! The suite: language cases as sections of Markdown, described in `docs/testing.md`.
//!
//! A section is run and written anew with what came of it; it passes if that is what it was. `UPDATE=1` keeps what is
//! written; `CASES=FILE` has the cases and their results put into a file, for the reference to be asked for them.

mod expectation;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use bunraku::syntax::{Grammar, Source, parse_as, parse_epp, pn};
use bunraku::{FileId, json as data, notation};
use bunraku_tests::harness;
use bunraku_tests::markdown::{self, Block, Section};
use serde_json::{Map, Value as Json, json};

use expectation::Found;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite")
}

/// The documents of the suite, each with its path below it.
fn documents() -> Vec<(PathBuf, String)> {
    let (mut open, mut found) = (vec![root()], Vec::new());
    while let Some(directory) = open.pop() {
        for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root()).unwrap().with_extension("").display().to_string();
                found.push((path, name));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_section_does_what_it_says() {
    let is_update = std::env::var_os("UPDATE").is_some();
    let mut cases = std::env::var_os("CASES").map(|path| File::create(path).unwrap());
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, name) in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let mut sections = markdown::read(&text);
        for section in sections.iter_mut().filter(|section| section.blocks().next().is_some()) {
            count += 1;
            let before = markdown::write(std::slice::from_ref(section));
            let case = case(section, &name);
            let mut result = harness::run_with_files(&case);
            expectation::update(section, &found(section, &case, &result));
            let after = markdown::write(std::slice::from_ref(section));
            if before != after {
                wrong.push(format!("{name}:\n{}", difference(&before, &after)));
            }
            if let Some(cases) = &mut cases {
                harness::forget_files(&mut result);
                writeln!(cases, "{}", with(&case, "expect", result)).unwrap();
            }
        }
        if is_update {
            fs::write(&path, markdown::write(&sections)).unwrap();
        }
    }
    assert!(count > 100, "only {count} sections were found");
    assert!(
        is_update || wrong.is_empty(),
        "{} of {count} sections (UPDATE=1 rewrites):\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The case that a section is, in the form of the recorded corpora.
fn case(section: &Section, document: &str) -> Json {
    let mut case = Map::from_iter([("id".to_owned(), json!(format!("{document}: {}", section.title)))]);
    let program = |block: &&Block| block.path.is_none() && ["puppet", "epp"].contains(&block.kind.as_str());
    let program = section.blocks().find(program);
    let mode = match program {
        Some(block) if block.kind == "epp" => "epp",
        _ if section.block("catalog").is_some() => "catalog",
        _ if section.block("pn").is_some() => "parse",
        _ => "eval",
    };
    case.insert("mode".to_owned(), json!(mode));
    case.insert("code".to_owned(), json!(program.map_or("", |block| block.body.as_str())));
    let files: Map<String, Json> =
        section.blocks().filter_map(|block| Some((block.path.clone()?, json!(block.body)))).collect();
    if !files.is_empty() {
        case.insert("files".to_owned(), Json::Object(files));
    }
    if let Some(facts) = section.block("facts") {
        case.insert("facts".to_owned(), yaml(facts));
    }
    if let Some(Json::Object(settings)) = section.block("settings").map(yaml) {
        case.extend(settings);
    }
    Json::Object(case)
}

/// What a text in YAML says.
fn yaml(text: &str) -> Json {
    let document = notation::yaml::load(text.as_bytes(), "suite").unwrap();
    serde_json::from_str(&data::write(&document.value.unwrap_or_default()).unwrap()).unwrap()
}

fn with(case: &Json, key: &str, value: Json) -> Json {
    let mut case = case.clone();
    case[key] = value;
    case
}

/// What came of a section, as far as its blocks ask for it.
fn found(section: &Section, case: &Json, result: &Json) -> Found {
    let code = case["code"].as_str().unwrap();
    let mut found = Found::new(result);
    if section.block("pn").is_some() {
        let source = Source::string(FileId::default(), code);
        let grammar = Grammar { template: false, tasks: case["settings"]["tasks"] == true };
        let parsed = if case["mode"] == "epp" { parse_epp(&source) } else { parse_as(&source, grammar) };
        found.add("pn", pn::program(&parsed.program).to_compact());
    }
    if section.block("terminal").is_some() {
        found.add("terminal", harness::shown(case).trim_end().to_owned());
    }
    found
}

/// The lines that differ, with what is around them.
fn difference(before: &str, after: &str) -> String {
    let changed: Vec<String> = after
        .lines()
        .map(|line| match before.lines().any(|old| old == line) {
            true => format!("  {line}"),
            false => format!("+ {line}"),
        })
        .collect();
    let lost = before.lines().filter(|line| !after.lines().any(|new| new == *line)).map(|line| format!("- {line}"));
    lost.chain(changed).collect::<Vec<String>>().join("\n")
}
