//! Nodes of public control repositories have the catalogs, or the errors, that the reference gave.
//!
//! The repositories are not part of this project: `CONTROL_REPOS=DIR cargo test -p bunraku-tests --test control_repos`
//! compares with what `tests/control_repos/run.py DIR setup ronin ocf` extracted. docs/testing.md has the rest.

use std::path::Path;

use bunraku::wire;
use bunraku_tests::real_node::RealNode;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

const REPOSITORIES: [&str; 2] = ["ronin", "ocf"];

#[test]
fn nodes_of_control_repositories_are_the_recorded_ones() {
    let Some(work) = std::env::var_os("CONTROL_REPOS") else {
        println!("NOT RUN: CONTROL_REPOS names no directory with control repositories (docs/testing.md)");
        return;
    };
    let work = Path::new(&work).canonicalize().expect("CONTROL_REPOS is a directory");
    let mut different = Vec::new();
    for repository in REPOSITORIES {
        let cases = lines(&work.join("cases").join(format!("{repository}.jsonl")));
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("control_repos/recorded/{repository}.jsonl"));
        let recorded = lines(&recorded);
        assert_eq!(
            recorded.len(),
            cases.len() * 2,
            "{repository}: each case is recorded with the defaults of two releases"
        );
        for expected in &recorded {
            let case = cases.iter().find(|case| case["name"] == expected["name"]).expect("a case of that name");
            let difference = difference(case, expected, &work);
            let name = format!("{repository} {} release {}", expected["name"], expected["release"]);
            println!("{name}: {}", difference.as_deref().unwrap_or("equal"));
            different.extend(difference.map(|difference| format!("{name}: {difference}")));
        }
    }
    assert!(different.is_empty(), "{} nodes differ:\n{}", different.len(), different.join("\n"));
}

fn lines(path: &Path) -> Vec<Json> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What differs from what was recorded, if anything does.
fn difference(case: &Json, expected: &Json, work: &Path) -> Option<String> {
    let field = |name: &str| case[name].as_str().expect("a string");
    let modulepath: Vec<&str> =
        case["modulepath"].as_array().expect("a list").iter().filter_map(Json::as_str).collect();
    let modulepath = modulepath.join(":");
    let strict = if expected["release"] == 7 { ("warning", "false") } else { ("error", "true") };
    let server_facts = case["server_facts"].as_object().expect("a hash");
    let node = RealNode {
        certname: field("certname"),
        facts: field("facts"),
        environment: Some(field("environment")),
        settings: vec![
            ("manifest", field("manifest")),
            ("modulepath", &modulepath),
            // What `reference.rb` was told: some modules have these paths in their parameters.
            ("confdir", "/nonexistent"),
            ("vardir", "/nonexistent/var"),
            ("codedir", "/nonexistent/code"),
            ("strict", strict.0),
            ("strict_variables", strict.1),
        ],
        server_facts: server_facts.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect(),
    };
    // The directory is not where the recording was made.
    let place = |text: &str| {
        let text = text.replace(field("environment"), "<environment>");
        text.replace(&work.display().to_string(), "<work>")
    };
    let catalog = match node.compile() {
        Err(error) => return Some(error),
        Ok(outcome) => outcome.catalog,
    };
    match (catalog, expected["error"].as_str()) {
        (Ok(_), Some(error)) => Some(format!("compiles, where the reference says {error:?}")),
        (Err(failure), None) => Some(place(&failure.to_string())),
        (Err(failure), Some(error)) => different_error(error, &place(&failure.to_string())),
        (Ok(catalog), None) => match wire::to_json(&catalog, wire::Options::default()) {
            Ok(json) => different_catalog(expected, &serde_json::from_str(&place(&json)).expect("JSON")),
            Err(issue) => Some(issue.to_string()),
        },
    }
}

fn different_error(expected: &str, actual: &str) -> Option<String> {
    // Compatibility: bytes that no catalog can carry are an error where they are read, which the reference gives without
    // a place when it writes the catalog.
    let without_place = expected == "source sequence is illegal/malformed utf-8" && actual.contains(expected);
    // Compatibility: of an error in Ruby's own libraries the reference names the file of the library, which depends on
    // where Ruby is installed; this program names the line of the template that called it.
    let in_library = expected.contains("\n  Filepath: /usr/lib/ruby/");
    let said = |message: &str| {
        let message = message.split(" on node ").next().unwrap_or_default();
        let is_place = |line: &&str| line.starts_with("  Filepath: ") || line.starts_with("  Line: ");
        message.lines().filter(|line| !(in_library && is_place(line))).map(str::to_string).collect::<Vec<_>>()
    };
    let same = without_place || said(expected) == said(actual);
    (!same).then(|| format!("{actual:?}, where the reference says {expected:?}"))
}

/// The first resource, or else the part of the catalog, whose digest is another one.
fn different_catalog(expected: &Json, actual: &Json) -> Option<String> {
    let resources = actual["resources"].as_array().expect("a list");
    let mut digests = expected["resources"].as_str().expect("digests").split(' ');
    for resource in resources {
        if digests.next() != Some(&digest(resource)) {
            return Some(format!("another resource in place of {resource}"));
        }
    }
    if let Some(digest) = digests.next() {
        return Some(format!("no resource after {} of them; {digest} is next", resources.len()));
    }
    let edges = actual["edges"].as_array().expect("a list");
    let edges: Json =
        edges.iter().map(|edge| Json::from(vec![edge["source"].clone(), edge["target"].clone()])).collect();
    let parts = [("edges", &edges), ("classes", &actual["classes"])];
    parts.into_iter().find(|(name, part)| expected[*name] != digest(part)).map(|(name, _)| format!("other {name}"))
}

/// The digest that `control_repos/digest.py` makes.
fn digest(value: &Json) -> String {
    let digest = Sha256::digest(value.to_string());
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}
