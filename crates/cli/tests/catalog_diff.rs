//! `catalog diff` of many nodes, from outside: directories of catalogs, and revisions of a control repository.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::process::Command;

use site::Site;

/// A catalog with one resource.
fn catalog(node: &str, message: &str) -> String {
    format!(
        "{{\"name\": \"{node}\", \"environment\": \"production\", \"version\": 1, \"classes\": [], \"edges\": [], \"resources\": \
         [{{\"type\": \"Notify\", \"title\": \"x\", \"tags\": [], \"exported\": false, \"parameters\": {{\"message\": \"{message}\"}}}}]}}"
    )
}

fn run(site: &Site, args: &[&str]) -> (String, String, i32) {
    site.outcome(site.plain_command(&[&["catalog", "diff"], args].concat()).output().unwrap())
}

#[test]
fn directories_are_compared_node_by_node() {
    let site = Site::new("diff_directories", &[]);
    for (node, old, new) in [("a", "1", "2"), ("b", "1", "2"), ("c", "1", "1")] {
        site.write(&format!("old/{node}.json"), &catalog(node, old));
        site.write(&format!("new/{node}.json"), &catalog(node, new));
    }
    site.write("new/d.json", &catalog("d", "1"));
    let expected = "On 2 nodes: a, b\n  Changed resources:\n    ~ Notify[x]\n        message:\n          - \"1\"\n          + \"2\"\n\
                    Only in the new catalogs: d\n2 different, 1 equal, 1 only new\n";
    assert_eq!(run(&site, &["old", "new"]), (expected.to_owned(), String::new(), 2));
    assert_eq!(run(&site, &["old", "old"]), ("0 different, 3 equal\n".to_owned(), String::new(), 0));
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let site = Site::new("diff_errors", &[("a.json", &catalog("a", "1")), ("old/a.json", "{}"), ("empty", "")]);
    std::fs::create_dir(site.directory.join("none")).unwrap();
    let check = |args: &[&str], expected: &str| {
        assert_eq!(run(&site, args), (String::new(), format!("Error: {expected}\n"), 1), "{args:?}");
    };
    check(&["a.json", "old"], "one of a.json and old is a directory: give two files, or two directories");
    check(&["old", "missing"], "Could not read missing: No such file or directory");
    check(&["a.json"], "a.json needs another to be compared with: a file, or a directory");
    check(&["none", "old"], "none has no catalogs: no file in it ends in .json");
    check(&["a.json", "empty"], "empty is empty: a catalog is expected");
    check(&["a.json", "missing"], "Could not read missing: No such file or directory");
}

/// A control repository with two revisions.
fn repository(name: &str) -> Site {
    let site = Site::new(
        name,
        &[
            ("repo/environment.conf", "modulepath = site:modules\n"),
            ("repo/manifests/site.pp", "node default { include app }\n"),
            ("repo/site/app/manifests/init.pp", "class app { file { '/x': content => 'one' } }\n"),
            ("repo/.gitignore", "modules/\n"),
            ("repo/modules/lib/manifests/init.pp", "class lib { notify { $facts['clientcert']: } }\n"),
            ("facts/a.yaml", "clientcert: a\n"),
            ("facts/b.yaml", "clientcert: b\n"),
        ],
    );
    git(&site, &["init", "-q", "-b", "main"]);
    commit(&site);
    git(&site, &["tag", "one"]);
    site.write("repo/site/app/manifests/init.pp", "class app { file { '/x': content => 'two' } include lib }\n");
    commit(&site);
    site
}

fn git(site: &Site, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=n", "-c", "user.email=n@example.com"]).args(args);
    assert!(git.current_dir(site.directory.join("repo")).status().unwrap().success(), "{args:?}");
}

fn commit(site: &Site) {
    git(site, &["add", "--all"]);
    git(site, &["commit", "-q", "-m", "change"]);
}

/// Compares in the repository; nothing is left in the directory for temporary files, and the repository stays as it is.
fn diff(site: &Site, revisions: &str) -> (String, String, i32) {
    let mut command =
        site.plain_command(&["catalog", "diff", revisions, "--facts", "../facts", "--confdir", "../conf"]);
    let temporary = site.directory.join("tmp");
    std::fs::create_dir_all(&temporary).unwrap();
    command.current_dir(site.directory.join("repo")).env("TMPDIR", &temporary);
    let outcome = site.outcome(command.output().unwrap());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    outcome
}

#[test]
fn revisions_are_compiled_and_compared() {
    let site = repository("diff_revisions");
    let (output, messages, code) = diff(&site, "one..main");
    assert_eq!((messages.as_str(), code), ("", 2), "{output}");
    let common = "On 2 nodes: a, b\n  Added resources:\n    + Class[Lib]\n";
    assert!(output.starts_with(common), "{output}");
    assert!(
        output.contains("    ~ File[/x]\n        content:\n          - \"one\"\n          + \"two\"\n"),
        "{output}"
    );
    // The module that git ignores is there in both.
    assert!(output.contains("On a\n  Added resources:\n    + Notify[a]\n"), "{output}");
    assert!(output.ends_with("2 different, 0 equal\n"), "{output}");
    assert_eq!(diff(&site, "main..HEAD"), ("0 different, 2 equal\n".to_owned(), String::new(), 0));
    assert_eq!(diff(&site, "main").0, "0 different, 2 equal\n");
}

#[test]
fn the_working_directory_is_compared_with_its_new_files() {
    let site = repository("diff_working");
    site.write("repo/site/new/manifests/init.pp", "class new { }\n");
    site.write("repo/manifests/site.pp", "include new\n");
    let (output, messages, code) = diff(&site, "HEAD");
    assert_eq!((messages.as_str(), code), ("", 2), "{output}");
    assert!(output.contains("Added resources:\n    + Class[New]\n"), "{output}");
    let status =
        Command::new("git").args(["status", "--short"]).current_dir(site.directory.join("repo")).output().unwrap();
    assert_eq!(String::from_utf8(status.stdout).unwrap(), " M manifests/site.pp\n?? site/new/\n");
}

#[test]
fn a_node_that_fails_in_one_revision_is_told() {
    let site = repository("diff_fails");
    site.write("repo/manifests/site.pp", "if $facts['clientcert'] == 'b' { fail('no') }\n");
    commit(&site);
    let (output, messages, code) = diff(&site, "main~1..main");
    assert_eq!(code, 1, "{output}");
    let place = "(file: repo/manifests/site.pp, line: 1, column: 34) on node b";
    assert!(messages.contains(place), "{messages}");
    assert!(messages.ends_with("Error: 1 of 2 catalogs could not be compiled in main\n"), "{messages}");
    assert!(output.ends_with("1 different, 0 equal\n"), "{output}");
    let (_, messages, code) = diff(&site, "main..none");
    assert!(messages.starts_with("Error: git knows no revision none in "), "{messages}");
    assert_eq!(code, 1);
}
