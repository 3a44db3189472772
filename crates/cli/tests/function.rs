//! `function` from outside: the list, the pages, and the manual that is kept in `docs`.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::process::Command;

use site::Site;

/// Output, messages and exit code of `function` with arguments.
fn run(args: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_bunraku")).arg("function").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn the_manual_is_current() {
    let (manual, _, code) = run(&["manual"]);
    let kept = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/functions.md")).unwrap();
    assert_eq!(code, 0);
    assert!(manual == kept, "docs/functions.md is to be written anew by `bunraku function manual`");
}

#[test]
fn every_function_has_a_page() {
    let (list, _, _) = run(&["list"]);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 300, "only {} functions", names.len());
    for name in ["abs", "stdlib::sha256", "archive::parse_artifactory_url", "ip_subnet"] {
        assert!(names.contains(&name), "{name}");
        let (page, _, code) = run(&["show", name]);
        assert!(code == 0 && page.contains(&format!("{name}(")), "{page}");
    }
    let (_, message, code) = run(&["show", "nope"]);
    assert_eq!((message.as_str(), code), ("Error: there is no function 'nope' that is built in\n", 1));
}

/// Debian's modules, whose functions are known.
#[cfg(unix)]
const MODULES: &str = "/usr/share/puppet/modules";

#[cfg(unix)]
#[test]
fn a_login_is_not_among_the_arguments_of_a_program() {
    use std::os::unix::fs::PermissionsExt;
    let curl = "#!/bin/sh\nprintf '%s\\n' \"$@\" > arguments\ncat > input\nprintf 200 >&2\nprintf '{\"a\": 1}'\n";
    let site = Site::new(
        "function-login",
        &[
            ("bin/curl", curl),
            ("production/manifests/site.pp", "notice(loadyaml('http://u:s\"cr\\\\et@example.com/x')['a'])\n"),
        ],
    );
    let program = site.directory.join("bin/curl");
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", site.directory.join("bin").display(), std::env::var("PATH").unwrap());
    let output =
        site.command(&["catalog", "compile", "n", "--modulepath", MODULES]).env("PATH", path).output().unwrap();
    let (_, messages, code) = site.outcome(output);
    assert_eq!((code, messages.contains("Scope(Class[main]): 1")), (0, true), "{messages}");
    assert_eq!(site.read("input"), "user = \"u:s\\\"cr\\\\et\"\n");
    let arguments = site.read("arguments");
    assert!(arguments.ends_with("--\nhttp://example.com/x\n") && !arguments.contains("cr"), "{arguments}");
}
