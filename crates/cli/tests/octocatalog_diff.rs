//! Debian's octocatalog-diff with this program in the place of Puppet: it asks for the version and compiles two catalogs.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]
#![cfg(target_os = "linux")]

mod site;

use std::process::Command;

use site::Site;

const FACTS: &str = "--- !ruby/object:Puppet::Node::Facts\nname: web1.example.com\nvalues:\n  fqdn: web1.example.com\n  \
                     os: {family: Debian, name: Debian}\n";

/// `./test` installs it.
#[test]
fn two_revisions_of_a_repository_are_compared() {
    let class = |mode: &str| {
        format!(
            "class web {{ file {{ '/etc/web': content => \"on ${{facts['os']['family']}}\", mode => '{mode}' }} }}\n"
        )
    };
    let site = Site::new(
        "octocatalog_diff",
        &[
            ("facts.yaml", FACTS),
            ("old/manifests/site.pp", "include web\n"),
            ("old/modules/web/manifests/init.pp", &class("0644")),
            ("new/manifests/site.pp", "include web\nnotify { 'new': }\n"),
            ("new/modules/web/manifests/init.pp", &class("0600")),
        ],
    );
    let path = |name: &str| site.directory.join(name).display().to_string();
    let output = Command::new("octocatalog-diff")
        .args(["-n", "web1.example.com", "--no-color", "--puppet-binary", env!("CARGO_BIN_EXE_bunraku")])
        .args(["--fact-file", &path("facts.yaml"), "--basedir", &path("")])
        .args([
            "--bootstrapped-from-dir",
            &path("old"),
            "--bootstrapped-to-dir",
            &path("new"),
            "-f",
            "old",
            "-t",
            "new",
        ])
        .current_dir(&site.directory)
        .output()
        .unwrap();
    let (shown, messages, code) = site.outcome(output);
    assert_eq!(code, 2, "{shown}{messages}");
    for expected in ["File[/etc/web] =>", "- 0644", "+ 0600", "+ Notify[new]"] {
        assert!(shown.contains(expected), "{expected}: {shown}{messages}");
    }
}
