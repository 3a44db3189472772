//! Every function of a module has recorded cases.

use bunraku::function::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

/// How many cases a function must have.
const CASES: usize = 10;

/// Functions that cannot have them, and why.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("extlib::echo", "the reference returns an object of its own implementation"),
    ("validate_augeas", "it runs a program, which a recorded case cannot"),
];

#[test]
fn every_function_of_a_module_has_cases() {
    let library = bunraku::library(bunraku::Target::default());
    let names = library.iter().filter(|native| native.function.module.is_some()).map(|native| native.function.name);
    let mut counts: BTreeMap<&str, usize> = names.map(|name| (name, 0)).collect();
    for corpus in ["stdlib", "modules"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("conformance/{corpus}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let code = case["code"].as_str().unwrap_or_default();
            let words: BTreeSet<&str> = code.split(|letter: char| !is_part_of_name(letter)).collect();
            for word in words {
                if let Some(count) = counts.get_mut(word) {
                    *count += 1;
                }
            }
        }
    }
    counts.retain(|name, count| *count < CASES && EXCEPTIONS.iter().all(|(exception, _)| exception != name));
    assert!(counts.is_empty(), "fewer than {CASES} cases: {counts:?}");
}

fn is_part_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == ':'
}

#[test]
fn every_function_declares_what_it_takes_and_gives() {
    let mut without = Vec::new();
    for native in bunraku::library(bunraku::Target::default()).iter() {
        let shapes = native.shapes().unwrap_or_else(|issue| panic!("{issue}"));
        if shapes.iter().any(|shape| shape.role != Role::Mismatch && shape.callable.returned.is_none()) {
            without.push(native.function.name);
        }
    }
    assert!(without.is_empty(), "these declare no result: {without:?}");
}
