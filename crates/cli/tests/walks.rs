//! Which files of a directory commands look at, where messages go, and how much was looked at.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use site::Site;

fn run(site: &Site, args: &[&str]) -> (String, String, i32) {
    site.outcome(site.plain_command(args).output().unwrap())
}

/// A module with mistakes where nobody wants to hear of them.
fn module(name: &str) -> Site {
    let wrong = "$x = )\n";
    let site = Site::new(
        name,
        &[
            ("m/manifests/init.pp", "class m {}\n"),
            ("m/manifests/vendor/own.pp", "class m::vendor::own  {}\n"),
            ("m/.gitignore", "ignored/\n"),
            ("m/ignored/a.pp", wrong),
            ("m/vendor/a.pp", wrong),
            ("m/spec/fixtures/modules/other/manifests/init.pp", wrong),
            ("m/.hidden/a.pp", wrong),
            ("m/.git/a.pp", wrong),
            ("outside/a.pp", wrong),
        ],
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside", site.directory.join("m/link")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside/a.pp", site.directory.join("m/link.pp")).unwrap();
    site
}

#[test]
fn what_others_wrote_is_left_alone() {
    let site = module("walks_own");
    assert_eq!(run(&site, &["parser", "validate", "m"]), (String::new(), String::new(), 0));
    assert_eq!(run(&site, &["fmt", "--check", "m"]), ("m/manifests/vendor/own.pp\n".to_owned(), String::new(), 1));
    let (output, _, code) = run(&site, &["lint", "m"]);
    assert!(output.contains("m/manifests/init.pp"), "{output}");
    assert!(!output.contains("fixtures") && !output.contains("ignored") && !output.contains("link"), "{output}");
    assert_eq!(code, 1);
    // What is named is looked at, whatever it is.
    assert_eq!(run(&site, &["parser", "validate", "m/vendor"]).2, 1);
    let (_, messages, _) = run(&site, &["parser", "validate", "--no-ignore", "m"]);
    assert_eq!(messages.lines().count(), 4, "{messages}");
    assert!(!messages.contains(".git/") && !messages.contains("link"), "{messages}");
}

#[test]
fn patterns_exclude() {
    let site = module("walks_exclude");
    let wrong = |args: &[&str]| run(&site, &[&["parser", "validate"], args].concat()).1.lines().count();
    assert_eq!(wrong(&["--no-ignore", "--exclude", "vendor", "--exclude", "m/spec/", "m"]), 2);
    assert_eq!(wrong(&["--exclude", "a.pp", "outside/a.pp"]), 0);
    let warning = "Warning: There are no manifests to look at in outside\n";
    assert_eq!(
        run(&site, &["parser", "validate", "--exclude", "*.pp", "outside"]),
        (String::new(), warning.to_owned(), 0)
    );
}

#[test]
fn people_are_told_how_much_was_looked_at() {
    let site = module("walks_totals");
    let (_, messages, _) = run(&site, &["parser", "validate", "--format", "human", "m"]);
    assert_eq!(messages, "0 errors, 0 warnings in 2 files\n");
}

#[test]
fn messages_go_to_a_file() {
    let site = Site::new("logdest", &[("a.pp", "warning('careful')\nfail('no')\n")]);
    let log = site.directory.join("log").display().to_string();
    let (output, messages, code) = run(&site, &["eval", "a.pp", "--logdest", &log]);
    assert_eq!((output.as_str(), messages.as_str(), code), ("", "", 1));
    let text = site.read("log");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.split_once(" Puppet ")).map(|line| line.1).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines.iter().any(|it| it.starts_with("(warning): Scope(Class[main]): careful")), "{text}");
    assert!(lines.iter().any(|it| it.starts_with("(err): ")), "{text}");
    let (_, messages, code) = run(&site, &["eval", "a.pp", "--logdest", "relative"]);
    assert_eq!((messages.as_str(), code), ("Error: Unknown destination type relative\n", 1));
}

#[test]
fn reasons_have_no_numbers() {
    let site = Site::new("reasons", &[("production/manifests/site.pp", ""), ("conf/puppet.conf", "")]);
    for args in [
        &["lint", "--baseline", "production", "production/manifests/site.pp"][..],
        &["apply", "-e", "notify { 'x': }", "--approved", "production", "--confdir", "conf", "--vardir", "var"],
        &["eval", "production"],
        &["catalog", "graph", "production"],
        &["config", "set", "certname", "x", "--config", "production"],
    ] {
        let (output, messages, code) = run(&site, args);
        // puppet-lint complains on standard output.
        let messages = format!("{output}{messages}");
        assert!(messages.to_lowercase().contains("is a directory"), "{args:?}: {messages}");
        assert!(!messages.contains("os error") && code == 1, "{args:?}: {code} {messages}");
    }
}

#[test]
fn nothing_to_compile_is_an_error() {
    let site = Site::new("empty_input", &[("production/manifests/site.pp", ""), ("facts/a.yaml", "clientcert: a\n")]);
    std::fs::create_dir(site.directory.join("none")).unwrap();
    let (_, messages, code) = site.run(&["catalog", "compile", "--all", "none", "--output", "out"]);
    let expected = "Error: none has no facts of nodes: no file in it ends in .yaml or .json\n";
    assert_eq!((messages.as_str(), code), (expected, 1));
    let (_, messages, code) = site.run(&["catalog", "compile", "a", "a", "--facts", "facts", "--output", "out"]);
    assert!(messages.starts_with("Error: the node is named more than once on node a\n"), "{messages}");
    assert_eq!(code, 1);
}

#[test]
fn nobody_gets_a_directory_for_asking_for_a_manual() {
    let site = Site::new("man", &[]);
    let (_, messages, code) = run(&site, &["man", "apply"]);
    assert!(messages.starts_with("Error: Unknown Puppet subcommand 'man'\n"), "{messages}");
    assert_eq!((code, site.directory.join("apply").exists()), (1, false));
    assert_eq!(run(&site, &["manpages", "man1"]).2, 0);
    assert!(site.read("man1/bunraku-apply.1").contains(".TH"));
    assert!(run(&site, &["completions", "bash", "--name", "puppet"]).0.contains("complete -F _puppet"));
}
