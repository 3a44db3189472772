//! `eval`, `repl`, `epp render`, `catalog`, `lookup` and `function` from outside, on the example that ships with the repository.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command in the directory of the examples: its output, its messages, its exit code.
fn run(args: &[&str], input: &str) -> (String, String, i32) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut child = Command::new(env!("CARGO_BIN_EXE_bunraku"))
        .args(args)
        .current_dir(directory)
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// The flags that choose the example.
const EXAMPLE: [&str; 4] = ["--environmentpath", ".", "--environment", "control_repo"];
const WEB: &str = "control_repo/facts/web1.example.com.yaml";

#[test]
fn eval_shows_the_value() {
    let check = |args: &[&str], input: &str, expected: (&str, &str, i32)| {
        let (output, messages, code) = run(args, input);
        assert_eq!((output.as_str(), messages.as_str(), code), expected, "{args:?}");
    };
    check(&["eval", "-e", "[1, 2].map |$x| { $x * 2 }"], "", ("[2, 4]\n", "", 0));
    check(&["eval"], "'from standard input'", ("'from standard input'\n", "", 0));
    check(&["eval", "--format", "json", "-e", "{ a => [1.5, undef] }"], "", ("{\"a\":[1.5,null]}\n", "", 0));
    let secret = "[Sensitive('secret'), { Sensitive('secret') => Deferred('f', [Sensitive('secret')]) }]";
    let (output, ..) = run(&["eval", "--format", "json", "-e", secret], "");
    assert_eq!((output.matches("[value redacted]").count(), output.contains("secret")), (3, false), "{output}");
    let (_, messages, code) = run(&["eval", "-e", "generate('/missing', 'a')"], "");
    let reason = "Failed to execute generator /missing: Execution of '/missing a' returned 1: Error: Could not execute \
                  posix command: No such file or directory - /missing";
    assert!(messages.contains(reason) && code == 1, "{messages}");
    let (_, messages, _) = run(&["eval", "-e", "generate('/missing/x')"], "");
    assert!(messages.contains("Working directory /missing does not exist!"), "{messages}");
    check(&["eval", "-e", "notice('hi')"], "", ("undef\n", "Notice: Scope(Class[main]): hi\n", 0));
    let empty = "Warning: Arguments to Resource[] are all empty/undefined (line: 1, column: 8)\n";
    check(&["eval", "-e", "Notify[[]]"], "", ("[]\n", "", 0));
    check(&["eval", "-e", "Notify[[]]", "--debug"], "", ("[]\n", empty, 0));
    let message = "Error: Evaluation Error: Unknown function: 'foo'. (line: 1, column: 5) on node n\n";
    check(&["eval", "--certname", "n", "-e", "1 + foo(2)"], "", ("", message, 1));
    check(
        &["eval", "no-such-file.pp"],
        "",
        ("", "Error: Could not read no-such-file.pp: No such file or directory\n", 1),
    );
}

#[test]
fn the_repl_goes_on_after_an_error() {
    let (output, messages, code) = run(&["repl", "--certname", "n"], "$x = [1,\n2]\nnosuch()\n:type $x\n");
    assert_eq!(output, "[1, 2]\nTuple[Integer[1, 1], Integer[2, 2]]\n");
    assert_eq!(messages, "Error: Evaluation Error: Unknown function: 'nosuch'. (line: 1, column: 1) on node n\n");
    assert_eq!(code, 0);
}

#[test]
fn templates_are_rendered() {
    let values = "{ name => shop, port => 80, docroot => '/srv' }";
    let (output, _, code) =
        run(&[&["epp", "render", "profile/site.conf.epp", "--values", values], &EXAMPLE[..]].concat(), "");
    assert_eq!((output.as_str(), code), ("# shop\nListen 80\nDocumentRoot /srv\n", 0));
    let (output, _, code) = run(&["epp", "render", "--values", "{ name => you }"], "Hello <%= $name %>\n");
    assert_eq!((output.as_str(), code), ("Hello you\n", 0));
    // What a template says is not taken for colour.
    let (output, _, _) = run(&["epp", "render"], "\u{1b}[1m<%= 1 %>\u{1b}[0m");
    assert_eq!(output, "\u{1b}[1m1\u{1b}[0m\n");
    let (output, messages, code) =
        run(&["epp", "render", "-e", "<%- | Integer $x | -%>", "--values", "{ x => a }"], "");
    assert_eq!((output.as_str(), code), ("", 1));
    assert!(messages.contains("parameter 'x' expects an Integer value, got String"), "{messages}");
}

#[test]
fn the_example_compiles() {
    let compile = |facts: &str| {
        let args = ["catalog", "compile", "--facts", facts, "--reproducible"];
        let (output, messages, code) = run(&[&args, &EXAMPLE[..]].concat(), "");
        assert_eq!((messages.as_str(), code), ("", 0));
        serde_json::from_str::<serde_json::Value>(&output).unwrap()
    };
    let titles = |catalog: &serde_json::Value, wanted: &str| -> Vec<String> {
        let resources = catalog["resources"].as_array().unwrap().iter();
        let of_type = resources.filter(|resource| resource["type"] == wanted);
        of_type.map(|resource| resource["title"].as_str().unwrap().to_owned()).collect()
    };
    let web = compile(WEB);
    assert_eq!(titles(&web, "Package"), ["apt-transport-https", "curl", "vim", "apache2"]);
    assert_eq!(titles(&web, "File"), ["/etc/motd", "/etc/sites/shop.conf", "/etc/sites/blog.conf"]);
    let database = compile("control_repo/facts/db1.example.com.yaml");
    assert_eq!(titles(&database, "Package"), ["curl", "vim"]);
    assert_eq!(titles(&database, "Service"), Vec::<String>::new());
}

#[test]
fn a_failure_leaves_nothing_on_standard_output() {
    let args = ["catalog", "compile", "--facts", WEB, "--environmentpath", ".", "--environment", "missing"];
    let (output, messages, code) = run(&args, "");
    assert_eq!((output.as_str(), code), ("", 1));
    assert!(messages.starts_with("Error: "), "{messages}");
}

#[test]
fn lookup_finds_the_merged_value() {
    let args = ["lookup", "profile::base::packages", "--node", "web1.example.com", "--facts", WEB];
    let (output, _, code) = run(&[&args, &EXAMPLE[..]].concat(), "");
    assert_eq!((output.as_str(), code), ("---\n- apt-transport-https\n- curl\n- vim\n", 0));
}

#[test]
fn functions_have_pages() {
    let (output, _, code) = run(&["function", "show", "abs"], "");
    assert!(output.starts_with("abs(Numeric val)"), "{output}");
    assert_eq!(code, 0);
    assert_eq!(run(&["function", "show", "nosuch"], "").2, 1);
}

#[test]
fn the_facts_of_this_machine_are_used_where_none_are_given() {
    let value = |args: &[&str], code: &str| {
        let (output, messages, _) = run(&[&["eval", "-e", code][..], args].concat(), "");
        assert_eq!(messages, "", "{code}");
        output.trim().to_owned()
    };
    assert_eq!(value(&["--certname", "n"], "$facts['kernel']"), "'Linux'");
    let added =
        "[$facts['clientcert'], $facts['clientversion'] == $serverversion, $facts['clientnoop'], $trusted['certname']]";
    assert_eq!(value(&["--certname", "n"], added), "['n', true, false, 'n']");
    let system = "\"${facts['os']['family']} ${facts['os']['release']['major']}\"";
    assert_eq!(value(&["--facts", "os:rocky-9"], system), "'RedHat 9'");
    let (_, messages, code) = run(&["eval", "-e", "1", "--facts", "os:debain-12"], "");
    assert!(messages.contains("Did you mean 'os:debian-12'?") && code == 1, "{messages}");
    let (_, messages, _) = run(&["eval", "-e", "$osfamily", "--certname", "n"], "");
    let hint = "note: 'osfamily' is a legacy fact, which agents of release 8 do not send: use $facts['os']['family']";
    assert!(messages.contains(hint), "{messages}");
    let module = "Facter.add(:rack_of_mine) do\n  setcode { 'r1' }\nend\n";
    let directory = std::env::temp_dir().join(format!("bunraku-origin-{}", std::process::id()));
    std::fs::create_dir_all(directory.join("rack/lib/facter")).unwrap();
    std::fs::write(directory.join("rack/lib/facter/rack.rb"), module).unwrap();
    let modules = ["--modulepath", directory.to_str().unwrap()];
    assert_eq!(value(&modules, "$facts['rack_of_mine']"), "'r1'");
    let given = [&["eval", "-e", "$rack_of_mine", "--facts", "os:debian-12"], &modules[..]].concat();
    let (_, messages, _) = run(&given, "");
    assert!(messages.contains("note: 'rack_of_mine' is a custom fact of the module rack ("), "{messages}");
    std::fs::remove_dir_all(&directory).unwrap();
}
