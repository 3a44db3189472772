//! The catalogs of node manifests over the modules that Debian packages are, byte for byte, those the reference made.
//!
//! `cargo test -p bunraku-tests --test real_catalogs -- --nocapture` shows the table.

use std::path::Path;
use std::process::Command;

use bunraku::{Level, Outcome, wire};
use bunraku_tests::packages;
use bunraku_tests::real_node::RealNode;
use bunraku_tests::score::{self, Corpora};
use serde_json::Value as Json;

/// What was recorded was recorded with the defaults of release 7 and these facts of the server.
const SETTINGS: [(&str, &str); 3] =
    [("strict", "warning"), ("strict_variables", "false"), ("modulepath", packages::MODULEPATH)];
const SERVER_FACTS: [(&str, &str); 3] =
    [("serverversion", "7.23.0"), ("servername", "puppet.example.com"), ("serverip", "192.0.2.10")];

#[test]
fn catalogs_of_real_modules_are_the_recorded_ones() {
    packages::require_recorded();
    // Paths in the recorded catalogs are relative to the directory.
    std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("real_modules")).unwrap();
    let cases: Vec<Json> = serde_json::from_str(&std::fs::read_to_string("cases.json").unwrap()).unwrap();
    let (first, second) = cases.split_at(cases.len() / 2);
    // Two halves on two threads.
    let rows: Vec<Row> = std::thread::scope(|scope| {
        let workers: Vec<_> = [first, second]
            .into_iter()
            .map(|part| {
                let work = move || part.iter().map(Row::new).collect::<Vec<_>>();
                scope.spawn(work)
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let mut corpora = Corpora::new();
    let corpus = corpora.entry("real catalogs".to_owned()).or_default();
    for Row { name, verdict, remark } in &rows {
        println!("{verdict:<10} {name:<45} {remark}");
        corpus.add(name, *verdict == "equal");
    }
    let count = |wanted| rows.iter().filter(|row| row.verdict == wanted).count();
    println!("{} equal, {} different, {} failed", count("equal"), count("different"), count("failed"));
    score::check(corpora);
}

/// A case in the table.
struct Row {
    name: String,
    verdict: &'static str,
    remark: String,
}

impl Row {
    fn new(case: &Json) -> Row {
        let name = case["case"].as_str().unwrap().to_owned();
        let (verdict, remark) = match compare(case, &name) {
            Ok(None) => ("equal", String::new()),
            Ok(Some(remark)) => ("different", remark),
            Err(message) => ("failed", message),
        };
        Row { name, verdict, remark }
    }
}

/// What differs from what was recorded, if anything; an error if there is no catalog where there should be one.
fn compare(case: &Json, name: &str) -> Result<Option<String>, String> {
    let text = |key: &str| case.get(key).and_then(Json::as_str);
    let mut settings = SETTINGS.to_vec();
    settings.push(("manifest", text("node").unwrap_or_default()));
    let node = RealNode {
        certname: text("certname").unwrap_or_default(),
        facts: text("facts").unwrap_or_default(),
        environment: text("environment"),
        settings,
        server_facts: SERVER_FACTS.to_vec(),
    };
    let outcome = node.compile()?;
    if let Some(difference) = different_warning(case, &outcome) {
        return Ok(Some(difference));
    }
    if let Ok(expected) = std::fs::read_to_string(format!("catalogs/{name}.error.json")) {
        let expected: Json = serde_json::from_str(&expected).map_err(|error| error.to_string())?;
        let expected = expected.get("message").and_then(Json::as_str).unwrap_or_default();
        let actual = outcome.catalog.err().map(|failure| failure.to_string()).unwrap_or_default();
        return Ok((!expected.starts_with(&actual) || actual.is_empty()).then(|| format!("{actual:?}")));
    }
    let mut catalog = outcome.catalog.map_err(|failure| failure.to_string())?;
    catalog.catalog_uuid = Some("00000000-0000-0000-0000-000000000000".into());
    catalog.version = bunraku::catalog::Version::Time(0);
    let actual = wire::to_json(&catalog, wire::Options::default()).map_err(|issue| issue.to_string())?;
    let expected = recorded(name)?;
    Ok(first_difference(expected.trim_end(), actual.trim_end()))
}

/// The first warning that is not as it was recorded; what was said again is not recorded.
fn different_warning(case: &Json, outcome: &Outcome) -> Option<String> {
    let expected: Vec<&str> = case["warnings"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let warnings = outcome.logs.iter().filter(|log| log.level == Level::Warning);
    let mut actual: Vec<&str> = Vec::new();
    for message in warnings.map(|log| log.message.as_str()) {
        if !actual.contains(&message) {
            actual.push(message);
        }
    }
    let same = expected.iter().zip(&actual).take_while(|(left, right)| left == right).count();
    let difference = format!("warning {same}: expected {:?} got {:?}", expected.get(same), actual.get(same));
    (expected != actual).then_some(difference)
}

fn recorded(name: &str) -> Result<String, String> {
    let plain = format!("catalogs/{name}.json");
    if Path::new(&plain).exists() {
        return std::fs::read_to_string(&plain).map_err(|error| format!("{plain}: {error}"));
    }
    let packed = format!("{plain}.gz");
    let output = Command::new("gzip").args(["-dc", &packed]).output().map_err(|error| format!("{packed}: {error}"))?;
    String::from_utf8(output.stdout).map_err(|error| format!("{packed}: {error}"))
}

/// The surroundings of the first byte that differs.
fn first_difference(expected: &str, actual: &str) -> Option<String> {
    let same = expected.bytes().zip(actual.bytes()).take_while(|(left, right)| left == right).count();
    if same == expected.len() && same == actual.len() {
        return None;
    }
    let around = |text: &str| {
        let bytes: Vec<u8> = text.bytes().skip(same.saturating_sub(60)).take(140).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Some(format!("at byte {same}: expected …{}… got …{}…", around(expected), around(actual)))
}
