//! Custom facts run natively, and by Facter itself in the same run: the same values, and errors about the same facts.
//! Facter needs a process table of its own, which needs the rights of an administrator.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Map, Value};

/// What Facter says about the machine, which may change between two runs, and what it needs Ruby for. A module of Debian
/// changes the path while its facts are loaded, which Facter tells.
const OTHERS: [&str; 10] = [
    "augeas",
    "facterversion",
    "load_averages",
    "memory",
    "mountpoints",
    "networking",
    "path",
    "processors",
    "ruby",
    "system_uptime",
];

/// Facts of Debian's modules that need a real Ruby: they ask Puppet for providers, or Augeas by its library.
const NEED_RUBY: [&str; 4] = ["package_provider", "puppet_server", "service_provider", "sssd_services"];

/// A directory for the path with all programs but Ruby.
fn without_ruby(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("bunraku-{name}-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    for programs in ["/usr/local/bin", "/usr/sbin", "/usr/bin"] {
        for entry in fs::read_dir(programs).unwrap() {
            let entry = entry.unwrap();
            if !entry.file_name().to_str().unwrap().starts_with("ruby") {
                // The first of a name counts.
                _ = symlink(entry.path(), directory.join(entry.file_name()));
            }
        }
    }
    directory
}

/// Runs Facter, or ours, with directories of custom facts, in a process table of its own.
fn run(program: &str, path: &str, directories: &[String]) -> Output {
    let mut command = Command::new("/usr/bin/unshare");
    command.args(["-m", "-p", "-f", "--mount-proc"]).args(program.split(' ')).arg("--json");
    command.args(directories.iter().flat_map(|directory| ["--custom-dir", directory]));
    command.env("PATH", path).env("LANG", "C.UTF-8").env("LC_ALL", "C.UTF-8").output().unwrap()
}

fn facts(output: &Output) -> Map<String, Value> {
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = std::str::from_utf8(&output.stdout).unwrap();
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// The facts that errors are about.
fn failed(output: &Output) -> BTreeSet<String> {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let after = errors.split("fact='").skip(1);
    after.map(|rest| rest.split('\'').next().unwrap().to_owned()).collect()
}

/// Compares both; the number of custom facts.
fn compare(name: &str, directories: &[String], left_out: &[&str]) -> usize {
    let farm = without_ruby(name);
    let path = farm.to_str().unwrap();
    let theirs = run("/usr/bin/facter", path, directories);
    let ours = run(&format!("{} facter", env!("CARGO_BIN_EXE_bunraku")), path, directories);
    let known = facts(&run("/usr/bin/facter --no-custom-facts", path, &[]));
    fs::remove_dir_all(&farm).unwrap();
    let is_meant = |name: &&String| !OTHERS.contains(&name.as_str()) && !left_out.contains(&name.as_str());
    let (expected, found) = (facts(&theirs), facts(&ours));
    let names: BTreeSet<&String> = expected.keys().chain(found.keys()).filter(is_meant).collect();
    let wrong: Vec<String> = names
        .iter()
        .filter(|name| expected.get(**name) != found.get(**name))
        .map(|name| format!("{name}: {:?} instead of {:?}", found.get(*name), expected.get(*name)))
        .collect();
    let errors = String::from_utf8_lossy(&ours.stderr);
    assert!(wrong.is_empty(), "{}\n{errors}", wrong.join("\n"));
    // Where a module loads Puppet, Facter's messages go to Puppet's log, which nobody shows.
    if left_out.is_empty() {
        assert_eq!(failed(&ours), failed(&theirs), "{errors}");
        assert_eq!(ours.status.code(), theirs.status.code(), "{errors}");
    }
    names.iter().filter(|name| !known.contains_key(**name)).count()
}

#[test]
fn all_of_the_interface_is_there() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/facts/custom");
    let count = compare("interface", &[directory.to_str().unwrap().to_owned()], &[]);
    assert!(count > 60, "{count} facts were found");
}

#[test]
fn facts_of_real_modules_are_the_same() {
    let mut directories = Vec::new();
    for module in fs::read_dir("/usr/share/puppet/modules.available").unwrap() {
        let directory = module.unwrap().path().join("lib/facter");
        // The facts of this module ask for all packages, which takes long.
        if directory.is_dir() && !directory.ends_with("puppetlabs-apt/lib/facter") {
            directories.push(directory.to_str().unwrap().to_owned());
        }
    }
    directories.sort();
    assert!(directories.len() > 15, "{directories:?}");
    let count = compare("modules", &directories, &NEED_RUBY);
    assert!(count > 15, "{count} facts were found");
}

#[test]
fn what_needs_ruby_is_left_to_it() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/facts/ruby");
    let directories = [directory.to_str().unwrap().to_owned()];
    let program = format!("{} facter", env!("CARGO_BIN_EXE_bunraku"));
    let output = run(&program, "/usr/local/bin:/usr/bin:/bin", &directories);
    let found = facts(&output);
    let expected = [
        ("beside", "\"natively\""),
        ("by_another", "\"here!\""),
        ("by_name", "[4,\"here\"]"),
        ("natively", "\"here\""),
        ("when_asked", "\"Hash\""),
    ];
    for (name, value) in expected {
        assert_eq!(found.get(name).map(Value::to_string).as_deref(), Some(value), "{name}");
    }
    assert_eq!(found.get("beyond").and_then(Value::as_f64), Some(18_446_744_073_709_551_616.0));
    // What has started a process is not run a second time.
    assert_eq!(found.get("after_a_process"), None);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("fact='after_a_process': the constant TracePoint needs Ruby"), "{errors}");
    assert_eq!(output.status.code(), Some(1));

    let farm = without_ruby("lacking");
    let output = run(&program, farm.to_str().unwrap(), &directories);
    fs::remove_dir_all(&farm).unwrap();
    let found = facts(&output);
    assert_eq!(found.get("natively"), Some(&Value::from("here")));
    assert_eq!(found.get("by_name"), None);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("by_name.rb the library fiddle needs Ruby"), "{errors}");
}
