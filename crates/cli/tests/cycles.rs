//! Circles of dependencies are told when a catalog is compiled, with the line behind each step.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use site::Site;

/// Compiles the code and looks at the steps of the cycle in it.
#[track_caller]
fn check(name: &str, code: &str, expected: &str) {
    let site = Site::new(name, &[("production/manifests/site.pp", code)]);
    site.keep_facts(&["n"]);
    let (output, messages, code) = site.run(&["catalog", "compile", "n"]);
    assert_eq!(code, 0, "{messages}");
    assert!(output.starts_with('{'), "a cycle is a warning");
    let (_, told) = messages.split_once("Warning: Found a dependency cycle: (").unwrap();
    let (_, steps) = told.split_once('\n').unwrap();
    let steps: String = steps.lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(steps.replace("(file: production/manifests/site.pp, line: ", "("), expected);
    let (output, messages, code) = site.run(&["catalog", "compile", "n", "--strict-graph"]);
    assert_eq!((output.as_str(), code), ("", 1));
    assert!(messages.contains("Error: Found a dependency cycle: ("), "{messages}");
}

#[test]
fn arrows_and_attributes() {
    check(
        "cycle_arrows",
        "notify { 'a': }\n\
         notify { 'b':\n\
         \x20 message => 'x',\n\
         \x20 before  => Notify['c'],\n\
         }\n\
         notify { 'c': }\n\
         Notify['a']\n\
         ~> Notify['b']\n\
         Notify['a'] <- Notify['c']\n",
        "Notify[a] => Notify[b]: notify of Notify[a] (8)\n\
         Notify[b] => Notify[c]: before of Notify[b] (4)\n\
         Notify[c] => Notify[a]: before of Notify[c] (9)\n",
    );
}

#[test]
fn collectors_defaults_and_aliases() {
    check(
        "cycle_collectors",
        "@@notify { 'elsewhere': }\n\
         Notify {\n\
         \x20 require => Exec['e'],\n\
         }\n\
         notify { ['a', 'b']: }\n\
         exec { '/bin/e': alias => 'e' }\n\
         Notify <| title == 'b' |> -> Exec <| |>\n",
        "Notify[b] => Exec[/bin/e]: before of Notify[b] (7)\n\
         Exec[/bin/e] => Notify[b]: require of Notify[b] (3)\n",
    );
}

#[test]
fn functions() {
    check(
        "cycle_functions",
        "class a {\n\
         \x20 contain b\n\
         }\n\
         class b {\n\
         \x20 notify { 'x': }\n\
         \x20 require c\n\
         }\n\
         class c {\n\
         \x20 notify { 'y': require => Class['a'] }\n\
         }\n\
         include a\n",
        "Class[A] => Notify[y]: require of Notify[y] (9)\n\
         Notify[y] => Class[C]: Class[C] contains Notify[y] (9)\n\
         Class[C] => Class[B]: require of Class[B] (6)\n\
         Class[B] => Class[A]: Class[A] contains Class[B] (2)\n",
    );
}
