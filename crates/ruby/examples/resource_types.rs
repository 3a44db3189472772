//! Compares the resource types of a directory of modules with a list recorded from the reference.
//!
//! `cargo run -p bunraku-ruby --example resource_types -- MODULES LIST`, where `LIST` has one JSON object a line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use bunraku_ruby::resource_types::{
    ApplyTo, AttributeKind, Pattern, ResourceType, read_providers, read_resource_types,
};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(modules), Some(list)) = (arguments.next(), arguments.next()) else {
        return fail("usage: resource_types MODULES LIST");
    };
    let Ok(list) = std::fs::read_to_string(&list) else {
        return fail("the list cannot be read");
    };
    let found = read_modules(Path::new(&modules));
    let (mut same, mut total) = (0, 0);
    for expected in list.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        total += 1;
        let name = expected.get("name").and_then(Value::as_str).unwrap_or_default();
        match found.get(name).map(describe) {
            None => report(&format!("{name}: not found")),
            Some(actual) => {
                let differences = differences(&expected, &actual);
                same += usize::from(differences.is_empty());
                differences.iter().for_each(|difference| report(&format!("{name}: {difference}")));
            }
        }
    }
    report(&format!("{same} of {total} types are equal"));
    if same == total && total > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::print_stdout, reason = "the report of a tool")]
fn report(line: &str) {
    println!("{line}");
}

fn fail(message: &str) -> ExitCode {
    report(message);
    ExitCode::FAILURE
}

fn read_modules(modules: &Path) -> BTreeMap<String, ResourceType> {
    let libraries: Vec<PathBuf> = entries(modules).into_iter().map(|module| module.join("lib")).collect();
    let read = |path: &str| -> Option<Arc<str>> {
        let candidates: Vec<PathBuf> = match path.starts_with('/') {
            true => vec![PathBuf::from(path)],
            false => libraries.iter().map(|library| library.join(path)).collect(),
        };
        candidates.iter().find_map(|candidate| std::fs::read_to_string(candidate).ok()).map(Arc::from)
    };
    let mut types = BTreeMap::new();
    for file in libraries.iter().flat_map(|library| ruby_files(&library.join("puppet/type"))) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        for declared in read_resource_types(&file.to_string_lossy(), &text, &read) {
            types.entry(declared.name.clone()).or_insert(declared);
        }
    }
    for library in &libraries {
        for directory in entries(&library.join("puppet/provider")) {
            for file in ruby_files(&directory) {
                let Ok(text) = std::fs::read_to_string(&file) else {
                    continue;
                };
                let providers = read_providers(&text);
                for provider in &providers {
                    if let Some(declared) = types.get_mut(&provider.resource_type) {
                        declared.add_providers(&providers);
                    }
                }
            }
        }
    }
    types
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(directory).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found
}

fn ruby_files(directory: &Path) -> Vec<PathBuf> {
    entries(directory).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rb")).collect()
}

fn describe(declared: &ResourceType) -> Value {
    let options = |p: &Pattern| i32::from(p.ignore_case) + 2 * i32::from(p.extended) + 4 * i32::from(p.multi_line);
    let attributes: Vec<Value> = declared
        .attributes
        .iter()
        .map(|attribute| {
            let kind = match attribute.kind {
                AttributeKind::Property => "property",
                AttributeKind::Parameter => "parameter",
            };
            let mut entry = json!({ "name": attribute.name, "kind": kind });
            let mut add = |key: &str, value: Vec<String>| {
                if let (false, Some(entry)) = (value.is_empty(), entry.as_object_mut()) {
                    entry.insert(key.to_string(), json!(value));
                }
            };
            add("values", attribute.values.clone());
            add("features", attribute.required_features.clone());
            add("patterns", attribute.patterns.iter().map(|pattern| pattern.embedded()).collect());
            entry
        })
        .collect();
    let title_patterns: Vec<Value> =
        declared.title_patterns.iter().map(|t| json!([t.pattern.source, options(&t.pattern), t.attributes])).collect();
    let mut features = declared.features.clone();
    features.sort();
    json!({
        "attributes": attributes,
        "namevars": declared.namevars,
        "isomorphic": declared.isomorphic,
        "title_patterns": title_patterns,
        "features": features,
        "providers": declared.providers,
        "autorequire": declared.autorequire,
        "autobefore": declared.autobefore,
        "autosubscribe": declared.autosubscribe,
        "autonotify": declared.autonotify,
        "apply_to": match declared.apply_to {
            ApplyTo::Host => "host",
            ApplyTo::Device => "device",
            ApplyTo::Both => "both",
        },
    })
}

fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let keys = actual.as_object().into_iter().flatten();
    keys.filter_map(|(key, value)| {
        let wanted = expected.get(key).cloned().unwrap_or_else(|| json!([]));
        (!agrees(&wanted, value)).then(|| format!("{key}\n  wanted {wanted}\n  got    {value}"))
    })
    .collect()
}

/// Equality, but for patterns: those that the reference takes on some platforms only are always listed here.
fn agrees(wanted: &Value, actual: &Value) -> bool {
    match (wanted, actual) {
        (Value::Array(wanted), Value::Array(actual)) => {
            wanted.len() == actual.len() && wanted.iter().zip(actual).all(|(wanted, actual)| agrees(wanted, actual))
        }
        (Value::Object(wanted), Value::Object(actual)) => {
            let contained = |key: &str| {
                let list = |entry: &serde_json::Map<String, Value>| {
                    entry.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
                };
                let actual = list(actual);
                list(wanted).iter().all(|item| actual.contains(item))
            };
            let keys = wanted.keys().chain(actual.keys()).filter(|key| *key != "patterns");
            contained("patterns") && keys.into_iter().all(|key| wanted.get(key) == actual.get(key))
        }
        _ => wanted == actual,
    }
}
