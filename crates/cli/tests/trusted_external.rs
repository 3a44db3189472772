//! `$trusted['external']`: the programs of `trusted_external_command`, as OpenVox 8.28.1 asks them.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use site::Site;

const ANSWER: &str = "#!/bin/sh\necho \"{\\\"n\\\": \\\"$1\\\", \\\"x\\\": [1, null]}\"\n";

/// A site that tells what is trusted; of its files those below `bin` are executable.
fn site(name: &str, programs: &[(&str, &str)]) -> Site {
    let site = Site::new(name, &[("production/manifests/site.pp", "notice($trusted['external'])\n")]);
    site.write("facts.yaml", "clientcert: n.example.com\n");
    for (path, content) in programs {
        site.write(path, content);
        if path.starts_with("bin") {
            fs::set_permissions(site.directory.join(path), Permissions::from_mode(0o755)).unwrap();
        }
    }
    site
}

fn compile(site: &Site, command: &str) -> (String, i32) {
    let args = ["catalog", "compile", "--facts", "facts.yaml", "--trusted_external_command", command];
    let (_, messages, code) = site.run(&args);
    (messages, code)
}

#[test]
fn a_program_or_all_of_a_directory_are_asked() {
    let programs = [("bin/a.rb", ANSWER), ("bin/b.sh", ANSWER), ("bin/sub/c.sh", ANSWER)];
    let site = site("trusted_external", &programs);
    site.write("bin/readme.txt", "not executable");
    let (messages, code) = compile(&site, "bin/a.rb");
    assert!(messages.contains("{n => n.example.com, x => [1, ]}"), "{messages}");
    assert_eq!(code, 0);
    let (messages, code) = compile(&site, "bin");
    let one = "{n => n.example.com, x => [1, ]}";
    assert!(messages.contains(&format!("{{a => {one}, b => {one}}}")), "{messages}");
    assert_eq!(code, 0);
}

#[test]
fn lookups_know_it_too() {
    let site = site("trusted_external_lookup", &[("bin/a", ANSWER)]);
    site.write("production/hiera.yaml", "version: 5\nhierarchy:\n  - {name: x, path: '%{trusted.external.n}.yaml'}\n");
    site.write("production/data/n.example.com.yaml", "k: found\n");
    site.keep_facts(&["n.example.com"]);
    let args = ["lookup", "k", "--node", "n.example.com", "--trusted_external_command"];
    let (output, messages, code) = site.run(&[&args[..], &["bin/a"]].concat());
    assert_eq!((output.as_str(), code), ("--- found\n", 0), "{messages}");
}

#[test]
fn what_goes_wrong_is_told() {
    let programs = [
        ("bin/failing", "#!/bin/sh\necho oops >&2\necho out\nexit 3\n"),
        ("bin/words", "#!/bin/sh\necho words\n"),
        ("bin/twice/a.sh", ANSWER),
        ("bin/twice/a.rb", ANSWER),
    ];
    let site = site("trusted_external_errors", &programs);
    let check = |command: &str, expected: &str| {
        let (messages, code) = compile(&site, command);
        assert!(messages.contains(expected), "{messages}");
        assert_eq!(code, 1, "{command}");
    };
    check("bin/failing", "Execution of 'bin/failing n.example.com' returned 3: out");
    check("bin/words", "Execution of 'bin/words n.example.com' did not print JSON");
    check("bin/missing", "Execution of 'bin/missing n.example.com' returned 1: No such file or directory");
    check("bin/twice", "There is more than one 'a' script in bin/twice");
}
