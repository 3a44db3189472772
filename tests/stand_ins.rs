//! The recorded calls of functions of modules, answered by the modules' own code: what native functions stand in for is what runs
//! without them.
//!
//! `cargo test -p bunraku-tests --test stand_ins -- --ignored` runs all cases instead of some of each function.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bunraku_tests::packages;
use serde_json::{Value as Json, json};

/// Topics that were recorded from other versions of the modules than those that are installed.
const OTHER_VERSIONS: &[&str] = &[
    "modules/apache::authz_core_config",
    "modules/extlib::",
    "modules/ip_",
    "modules/mysql::innobackupex_args",
    "modules/mysql::normalise_and_deepmerge",
    "modules/mysql::password",
    "modules/openssl::",
    "modules/postgresql::postgresql_password",
    "modules/postgresql::prepend_sql_password",
    "modules/systemd::systemd_escape",
    "stdlib9/",
];

/// Topics about files, which only exist in memory: a process does not see them.
const FILES: &[&str] = &["modules/cert_date_valid", "modules/convert_cert_to_string", "modules/template_body"];

/// A case of a later version of the module.
const OTHER_CASE: &str = "modules-0509";

/// How many cases of a topic are run; a helper has to be started for each.
const SOME: usize = 2;

#[test]
fn some_calls_give_the_same_without_stand_ins() {
    check("never", SOME);
}

#[test]
#[ignore = "takes minutes"]
fn all_calls_give_the_same_without_stand_ins() {
    check("never", usize::MAX);
}

#[test]
fn known_files_have_stand_ins_that_do_the_same() {
    check("known", SOME);
}

#[test]
#[ignore = "takes a minute"]
fn all_known_files_have_stand_ins_that_do_the_same() {
    check("known", usize::MAX);
}

#[test]
fn tables_are_of_native_functions() {
    let library = bunraku::library(bunraku::Target::default());
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/functions/src");
    let included = fs::read_to_string(directory.join("lib.rs")).unwrap();
    for entry in fs::read_dir(directory.join("known")).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap();
        assert!(included.contains(&format!("include_str!(\"known/{module}.txt\")")), "{module} is not included");
        for line in fs::read_to_string(&path).unwrap().lines() {
            let first = line.split_ascii_whitespace().next().unwrap();
            if line.starts_with(' ') {
                assert!(first.len() == 64 && first.bytes().all(|byte| byte.is_ascii_hexdigit()), "{module}: {line}");
            } else {
                let native = library.get(first).map(|native| native.function.module);
                assert_eq!(native, Some(Some(module)), "{line}");
            }
        }
    }
}

fn check(stand_ins: &str, most: usize) {
    packages::require_recorded();
    let cases = cases(most);
    let half = cases.len() / 2;
    let work = |part: &[Json]| -> String { part.iter().filter_map(|case| difference(case, stand_ins)).collect() };
    // Two halves on two threads, each with room for deep recursion.
    let different: String = std::thread::scope(|scope| {
        let workers: Vec<_> = [&cases[..half], &cases[half..]]
            .into_iter()
            .map(|part| {
                std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, move || work(part)).unwrap()
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert!(different.is_empty(), "{different}");
}

/// The first cases of each topic.
fn cases(most: usize) -> Vec<Json> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut cases = Vec::new();
    for corpus in ["stdlib", "modules"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("conformance/{corpus}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let topic = case["topic"].as_str().unwrap();
            let is_of_topic = |topics: &[&str]| topics.iter().any(|prefix| topic.starts_with(prefix));
            let count = counts.entry(topic.to_owned()).or_default();
            *count += 1;
            if *count <= most && !is_of_topic(OTHER_VERSIONS) && !is_of_topic(FILES) && case["id"] != OTHER_CASE {
                cases.push(case);
            }
        }
    }
    cases
}

fn difference(case: &Json, stand_ins: &str) -> Option<String> {
    let mut changed = case.clone();
    changed["stand_ins"] = json!(stand_ins);
    let given = bunraku_tests::harness::run(&changed);
    (given != case["expect"]).then(|| format!("{}\n  {}\n  {given}\n", case["code"], case["expect"]))
}
