//! What of Ruby the interpreter has, asked of the interpreter, against what the Ruby of real modules uses.
//!
//! `ruby/census.json` has a line for each name: the package it belongs to, the name (`call:` a method, `cm:` a method of a
//! class, `const:` a constant, `req:` a library) of what Ruby 3.1 and Puppet have, in how many of 6,000 files it is used, and
//! on how many of 241 nodes of public control repositories. `ruby/SUPPORT.md` lists what is missing; it is written anew with
//! `UPDATE=1`.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use bunraku_tests::harness;
use serde_json::{Value as Json, json};

/// Collects the names of the methods of all classes that can be reached, with the libraries that are asked for.
const METHODS: &str = "
  %w[base64 csv date digest erb etc fileutils ipaddr json net/http open3 openssl ostruct pathname resolv rexml/document
     securerandom set shellwords socket stringio strscan tempfile time timeout uri yaml zlib].each { |name| require name }
  names = {}
  seen = {}
  waiting = [Object, IO, File, Gem, Time, Regexp, Process::Status, Thread]
  until waiting.empty?
    found = waiting.shift
    next if seen.key?(found.__id__)
    seen[found.__id__] = true
    (found.instance_methods + found.private_instance_methods + found.singleton_methods).each { |it| names[it.to_s] = true }
    found.constants(false).each { |it| waiting << found.const_get(it) if found.const_get(it).is_a?(Module) }
  end
  names.keys.join(' ')";

/// A package, a name in it, and how many files and nodes use it.
type Row = (String, String, u64, u64);

#[test]
fn what_is_supported_is_known() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("ruby");
    let text = fs::read_to_string(directory.join("census.json")).unwrap();
    let census: Vec<Row> = serde_json::from_str(&text).unwrap();
    let methods = rendered(METHODS).expect("the methods of classes");
    let methods: HashSet<&str> = methods.split(' ').collect();
    assert!(methods.contains("upcase") && methods.contains("strftime"), "the methods of classes");
    let is_supported = |name: &str| match name.split_once(':').unwrap() {
        ("call", name) => methods.contains(name) || rendered(&format!("{name}; 1")).is_ok(),
        ("cm", path) => {
            let (class, method) = path.split_once('.').unwrap();
            let known = format!("{class}.respond_to?(:'{method}', true) ? 'yes' : 'no'");
            rendered(&format!("{}{known}", required(class))) == Ok("yes".to_owned())
        }
        ("const", path) => rendered(&format!("{}{path}; 1", required(path))).is_ok(),
        ("req", library) => rendered(&format!("require '{library}'; 1")).is_ok(),
        (kind, _) => panic!("{kind} is no kind of name"),
    };
    let mut packages: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in &census {
        match packages.last_mut().filter(|(name, _)| *name == row.0) {
            Some((_, rows)) => rows.push(row),
            None => packages.push((row.0.clone(), vec![row])),
        }
    }
    let mut table = String::new();
    let mut missing = String::new();
    for (package, rows) in &packages {
        let lacking: Vec<_> = rows.iter().filter(|row| !is_supported(&row.1)).collect();
        let nodes = lacking.iter().map(|row| row.3).max().unwrap_or_default();
        writeln!(table, "| {package} | {} | {} | {nodes} |", rows.len(), rows.len() - lacking.len()).unwrap();
        if !lacking.is_empty() {
            let names: Vec<String> = lacking.iter().map(|row| format!("`{}` {}", row.1, row.2)).collect();
            write!(missing, "\n- {package}: {}\n", names.join(", ")).unwrap();
        }
    }
    let report = format!(
        "# Support\n\nWritten by the test runner: names that the Ruby of real modules uses, and how many of them the \
         interpreter has without Ruby.\n\n| package | names | supported | nodes that need a missing one, at most |\n\
         |---|---|---|---|\n{table}\n## Missing\n\nWith the number of files that use them; `call:` is a method, `cm:` a \
         method of a class, `req:` a library.\n{missing}"
    );
    let path: PathBuf = directory.join("SUPPORT.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &report).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), report, "run with UPDATE=1 and look at what changed");
}

/// The library that a class comes with, where Puppet has not loaded it.
fn required(class: &str) -> String {
    let libraries = [
        ("REXML", "rexml/document"),
        ("Net", "net/http"),
        ("StringScanner", "strscan"),
        ("Find", "find"),
        ("Dir", "tmpdir"),
        ("Time", "time"),
        ("OpenURI", "open-uri"),
    ];
    let first = class.split("::").next().unwrap_or_default();
    let found = libraries.iter().find(|(name, _)| *name == first);
    found.map_or_else(String::new, |(_, library)| format!("require '{library}'\n"))
}

/// What Ruby code comes to in a template, without a Ruby on the machine.
fn rendered(code: &str) -> Result<String, String> {
    let template = format!("<%= begin\n{code}\nend %>").replace('\\', "\\\\").replace('\'', "\\'");
    let given = harness::run(&json!({"code": format!("inline_template('{template}')"), "ruby": "never"}));
    match given["value"]["repr"].as_str() {
        Some(text) => Ok(text.trim_matches('\'').to_owned()),
        None => Err(given["error"]["message"].as_str().map_or_else(|| Json::to_string(&given), str::to_owned)),
    }
}
