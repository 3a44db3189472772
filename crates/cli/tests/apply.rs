//! `bunraku apply` from outside, without a change to the machine.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::process::Command;

use site::Site;

/// What is said about a resource that would be changed.
fn check(code: &str, expected: &str) {
    let directory = std::env::temp_dir().join(format!("bunraku-apply-{}", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_bunraku"))
        .args(["apply", "--noop", "--color=false", "-e", code, "--confdir"])
        .arg(directory.join("conf"))
        .arg("--vardir")
        .arg(directory.join("var"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(expected), "{code}: {text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn resources_are_there_unless_something_else_is_said() {
    check("package { 'bunraku-no-such': }", "Package[bunraku-no-such]/ensure: created (noop)");
    check("user { 'bunraku-no-such': shell => '/bin/sh' }", "User[bunraku-no-such]/ensure: created (noop)");
    check("group { 'bunraku-no-such': }", "Group[bunraku-no-such]/ensure: created (noop)");
}

#[test]
fn what_only_ruby_applies_is_told_before_a_run_that_changes_nothing() {
    let site = Site::new(
        "apply_without_ruby",
        &[
            ("production/manifests/site.pp", "web_thing { ['a', 'b']: }\nnotify { 'x': }\n"),
            ("production/modules/web/lib/puppet/type/web_thing.rb", "Puppet::Type.newtype(:web_thing) do\nend\n"),
        ],
    );
    let mut command = site.command(&["apply", "--noop", "production/manifests/site.pp"]);
    let (_, messages, _) = site.outcome(command.env("PATH", "/nonexistent").output().unwrap());
    let expected = "Warning: 2 resources of type web_thing cannot be applied without a Ruby that has Puppet: there is no \
                    Ruby on this machine\n";
    assert!(messages.contains(expected), "{messages}");
}
