//! What people see who run the program at a terminal, and others do not.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;
#[path = "site/terminal.rs"]
mod terminal;

use site::Site;
use terminal::Terminal;

const ALL: [&str; 5] = ["catalog", "compile", "--all", "facts", "--output"];
const PLACES: [&str; 6] = ["--environmentpath", ".", "--confdir", "conf", "--vardir", "var"];

/// Nodes of which two have the same mistake.
fn site(name: &str) -> Site {
    let manifest = "if $facts['bad'] { notice($nope) }\nnotify { 'x': }\n";
    let site = Site::new(name, &[("production/manifests/site.pp", manifest)]);
    for (node, facts) in [("a", ""), ("b", "bad: true\n"), ("c", "bad: true\n"), ("d", "")] {
        site.write(&format!("facts/{node}.yaml"), &format!("clientcert: {node}\n{facts}"));
    }
    site
}

#[test]
fn many_catalogs_show_how_far_they_are() {
    let site = site("terminal_progress");
    let mut terminal = Terminal::start(&site, &[&ALL[..], &["out"], &PLACES].concat(), false);
    assert_eq!(terminal.ends(), Some(1));
    let shown = terminal.seen();
    // The mistake is explained once, and both nodes are named; which comes first is for the threads to say.
    assert_eq!(shown.matches("error[UNKNOWN_VARIABLE]: Unknown variable: 'nope'.").count(), 1, "{shown:?}");
    assert_eq!(shown.matches("= note: on node ").count(), 1, "{shown:?}");
    assert_eq!(shown.matches("Error: the same on node ").count(), 1, "{shown:?}");
    for node in ["b", "c"] {
        assert!(shown.contains(&format!("on node {node}")), "{shown:?}");
    }
    // The bar is taken away before anything else is shown, and at the end.
    assert!(shown.contains("] 4/4"), "{shown:?}");
    for (before, after) in shown.match_indices("/4").map(|(at, bar)| shown.split_at(at + bar.len())) {
        assert!(after.starts_with("\r\u{1b}[2K"), "{before:?} {after:?}");
    }
    assert!(shown.ends_with("2 of 4 catalogs compiled\r\n"), "{shown:?}");

    let mut elsewhere = site.command(&[&ALL[..], &["out"]].concat());
    let (_, messages, code) = site.outcome(elsewhere.env_remove("CLICOLOR_FORCE").output().unwrap());
    assert_eq!(code, 1);
    assert!(!messages.contains('\r') && !messages.contains('\u{1b}'), "{messages:?}");
    assert_eq!(messages.matches("Unknown variable: 'nope'. (file: production/manifests/site.pp, line: 1").count(), 2);
}

#[test]
fn colours_are_for_terminals() {
    let site = site("terminal_colours");
    let evaluate = ["eval", "-e", "notice('x') $y"];
    let shown = |colors: bool, more: &[&str]| {
        let mut terminal = Terminal::start(&site, &[&evaluate[..], more].concat(), colors);
        assert_eq!(terminal.ends(), Some(1));
        terminal.seen().to_owned()
    };
    assert!(shown(true, &[]).contains("\u{1b}["));
    assert!(!shown(false, &[]).contains("\u{1b}["));
    assert!(!shown(true, &["--color", "false"]).contains("\u{1b}["));
    let output = site.plain_command(&evaluate).env_remove("CLICOLOR_FORCE").output().unwrap();
    assert!(!output.stderr.contains(&0x1b) && !output.stdout.contains(&0x1b));
    let output = site.plain_command(&[&evaluate[..], &["--color", "ansi"]].concat()).output().unwrap();
    assert!(output.stderr.contains(&0x1b));
}
