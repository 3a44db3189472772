//! Files that commands write: whole or not at all, for their owner alone, and no way to anywhere else.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

mod site;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use site::Site;

const ALL: [&str; 8] = ["catalog", "compile", "--all", "facts", "--output", "out", "--exported-resources", "exported"];

fn site(name: &str, manifest: &str, nodes: &[&str]) -> Site {
    let site = Site::new(name, &[("production/manifests/site.pp", manifest)]);
    for node in nodes {
        site.write(&format!("facts/{node}.yaml"), &format!("clientcert: {node}\n"));
    }
    site
}

fn names(site: &Site, directory: &str) -> Vec<String> {
    let entries = fs::read_dir(site.directory.join(directory)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn catalogs_are_for_their_owner_alone() {
    let site = site("output_mode", "@@notify { $facts['clientcert']: message => 'secret' }", &["a"]);
    site.write("out/a.json", "old");
    fs::set_permissions(site.directory.join("out/a.json"), fs::Permissions::from_mode(0o666)).unwrap();
    let (_, messages, code) = site.run(&ALL);
    assert_eq!(code, 0, "{messages}");
    for path in ["out/a.json", "exported/a.json"] {
        let mode = fs::metadata(site.directory.join(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path}");
    }
    assert_eq!((names(&site, "out"), names(&site, "exported")), (vec!["a.json".to_owned()], vec!["a.json".to_owned()]));
}

#[test]
fn links_are_replaced_and_not_followed() {
    let site = site("output_links", "notify { 'x': }", &["a"]);
    site.write("precious", "untouched");
    fs::create_dir(site.directory.join("out")).unwrap();
    for name in ["a.json", "a.json.part"] {
        symlink(site.directory.join("precious"), site.directory.join("out").join(name)).unwrap();
    }
    let (_, messages, code) = site.run(&ALL);
    assert_eq!(code, 0, "{messages}");
    assert_eq!(site.read("precious"), "untouched");
    assert!(site.read("out/a.json").starts_with('{'));
    assert!(!fs::symlink_metadata(site.directory.join("out/a.json")).unwrap().is_symlink());
}

#[test]
fn many_processes_tear_no_file() {
    let manifest = "Integer[1, 300].each |$i| { notify { \"${i}\": message => $facts['writer'] } }";
    let site = site("output_torn", manifest, &[]);
    for writer in ["one", "two", "three"] {
        site.write(&format!("{writer}/a.yaml"), &format!("clientcert: a\nwriter: {}\n", writer.repeat(100)));
    }
    for _ in 0..5 {
        let children: Vec<_> = ["one", "two", "three"]
            .map(|writer| {
                let mut command = site.command(&["catalog", "compile", "--all", writer, "--output", "out"]);
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            })
            .into();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        let catalog: serde_json::Value = serde_json::from_str(&site.read("out/a.json")).unwrap();
        let resources = catalog["resources"].as_array().unwrap();
        let mut messages: Vec<_> = resources.iter().filter_map(|it| it["parameters"]["message"].as_str()).collect();
        assert_eq!(messages.len(), 300);
        messages.dedup();
        assert_eq!(messages.len(), 1, "two catalogs in one file");
        assert_eq!(names(&site, "out"), ["a.json"]);
    }
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let site = site("output_refused", "notify { 'x': }", &["a"]);
    fs::create_dir_all(site.directory.join("out/a.json")).unwrap();
    let (_, messages, code) = site.run(&ALL);
    assert_eq!(code, 1, "{messages}");
    assert!(messages.contains("out/a.json: "), "{messages}");
    assert_eq!(names(&site, "out"), ["a.json"]);
}

#[test]
fn a_signal_leaves_no_half_written_file() {
    // The catalog is so large that the signal comes while it is written.
    let manifest = "$long = Integer[1, 4000].map |$i| { '0123456789abcdef' }.join('-')
        Integer[1, 400].each |$i| { notify { \"${i}\": message => \"${i}${long}\" } }";
    for (signal, number) in [("-TERM", 15), ("-INT", 2)] {
        let site = site(&format!("output_signal{signal}"), manifest, &["a"]);
        let mut command = site.command(&["catalog", "compile", "--all", "facts", "--output", "out"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        let begun = || site.directory.join("out").is_dir() && !names(&site, "out").is_empty();
        while !begun() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let status = child.wait().unwrap();
        // Where the program was faster than the signal, the file is whole.
        let left = names(&site, "out");
        match status.signal() {
            Some(by) => assert!(kill.success() && by == number, "{by} {signal}"),
            None => assert_eq!((status.code(), left.len()), (Some(0), 1), "{signal}"),
        }
        if !left.is_empty() {
            assert_eq!(left, ["a.json"], "{signal}");
            serde_json::from_str::<serde_json::Value>(&site.read("out/a.json")).unwrap();
        }
    }
}

#[test]
fn two_files_of_facts_for_one_node_are_an_error() {
    let site = site("output_twice", "@@notify { 'x': }", &["b"]);
    for name in ["one", "two"] {
        site.write(&format!("facts/{name}.yaml"), "clientcert: a\n");
    }
    let (_, messages, code) = site.run(&ALL);
    let expected = "Error: facts/one.yaml and facts/two.yaml are both facts of the node a on node a\n";
    assert!(messages.contains(expected), "{messages}");
    assert!(messages.ends_with("1 of 3 catalogs compiled\n"), "{messages}");
    assert_eq!(code, 1);
    assert_eq!((names(&site, "out"), names(&site, "exported")), (vec!["b.json".to_owned()], vec!["b.json".to_owned()]));
}

#[test]
fn a_closed_output_is_an_error_where_there_is_a_result() {
    let site = site("output_closed", "notify { 'x': }", &["a"]);
    site.write("a.json", r#"{"name": "a", "resources": [], "edges": [], "classes": []}"#);
    site.write("lines", "1 + 1\n");
    let bunraku = env!("CARGO_BIN_EXE_bunraku");
    let run = |command: &str, redirected: &str| {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{bunraku} {command} {redirected}")]).current_dir(&site.directory);
        let output = shell.stdin(Stdio::null()).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
    };
    let flags = "--environmentpath . --confdir conf --vardir var";
    for command in [
        &format!("catalog compile --facts facts/a.yaml {flags}"),
        "catalog graph a.json",
        "eval -e 1",
        "epp render -e x",
        "parser dump -e 1",
        "function list",
        "function show split",
        "completions bash",
        "--version",
        "--help",
        "catalog compile --help",
        "help",
    ] {
        let (messages, code) = run(command, ">&-");
        assert!(messages.contains("Could not write the result: standard output is closed"), "{command}: {messages}");
        assert_eq!(code, 1, "{command}");
        assert_eq!(run(command, ">/dev/null"), (String::new(), 0), "{command}");
        assert_eq!(run(command, "1<>/dev/null"), (String::new(), 0), "{command}");
        assert_eq!(run(command, ">/dev/full").1, 1, "{command}");
        assert_eq!(run(command, "| true"), (String::new(), 0), "{command}");
    }
    // Where there is nothing to say, nothing is lost.
    assert_eq!(run("parser validate production/manifests/site.pp", ">&-"), (String::new(), 0));
    let (messages, code) = run("repl", "<lines >&-");
    assert!(messages.contains("Could not write the result: standard output is closed"), "{messages}");
    assert_eq!(code, 1);
}
