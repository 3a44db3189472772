//! What can go wrong in modules, data and Ruby: a located error each, nothing on standard output, other nodes unharmed.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::fs::File;
use std::process::Stdio;

use site::Site;

/// Compiles for one node; it must fail with a message that contains the given text, and print nothing.
fn refused(site: &Site, args: &[&str], expected: &[&str]) {
    let (output, messages, code) = site.run(args);
    assert_eq!((output.as_str(), code), ("", 1), "{messages}");
    for part in expected {
        assert!(messages.contains(part), "{part}\n{messages}");
    }
}

#[test]
fn ruby_that_misbehaves_harms_its_node_alone() {
    let templates = [
        (
            "loop",
            "<% loop {} %>",
            "the Ruby code takes too many steps (file: production/modules/m/templates/loop.erb, line: 1)",
        ),
        ("huge", "<%= 'x' * 1_000_000_000 %>", "(file: production/modules/m/templates/huge.erb"),
        (
            "raise",
            "\n<% raise 'no luck' %>",
            "Failed to parse template m/raise.erb:\n  Filepath: production/modules/m/templates/raise.erb\n  Line: 2\n  Detail: no luck",
        ),
        ("fork", "<% fork { } %>", "fork is not allowed here (file: production/modules/m/templates/fork.erb, line: 1)"),
        ("exit", "<% exit 3 %>", "exit is not allowed here (file: production/modules/m/templates/exit.erb, line: 1)"),
        (
            "leave",
            "<% exit! 3 %>",
            "the Ruby helper ended without a result (file: production/modules/m/templates/leave.erb)",
        ),
        ("killed", "<% Process.kill('KILL', Process.pid) %>", "production/modules/m/templates/killed.erb"),
        (
            "deep",
            "<% def f; f; end; f %>",
            "stack level too deep (file: production/modules/m/templates/deep.erb, line: 1)",
        ),
        ("print", "<% puts 'hi' %>", "Detail: standard output is not available to templates and functions"),
        ("syntax", "<% if %>", "production/modules/m/templates/syntax.erb:1: syntax error"),
    ];
    let functions = [
        (
            "object",
            "Puppet::Functions.create_function(:'m::object') { def object; Object.new; end }",
            "an object of the Ruby class Object is not a Puppet value (file: production/manifests/site.pp, line: 3",
        ),
        (
            "broken",
            "Puppet::Functions.create_function(:'m::broken') do def (",
            "production/modules/m/lib/puppet/functions/m/broken.rb:1: syntax error",
        ),
    ];
    let site = Site::new("robust_ruby", &[]);
    // Without a use for what a function gives, it does not matter what that is.
    let mut manifest = "node unused { m::object() }\n".to_owned();
    site.write("facts/unused.yaml", "{}");
    manifest += "node default { file { '/x': content => template(\"m/${trusted['certname']}.erb\") } }\n";
    for (name, text, _) in templates.iter().chain(&[("good", "fine", ""), ("fair", "fine", "")]) {
        site.write(&format!("production/modules/m/templates/{name}.erb"), text);
        site.write(&format!("facts/{name}.yaml"), "{}");
    }
    for (name, text, _) in &functions {
        site.write(&format!("production/modules/m/lib/puppet/functions/m/{name}.rb"), text);
        site.write(&format!("facts/{name}.yaml"), "{}");
        manifest.push_str(&format!("node {name} {{ notice(m::{name}()) }}\n"));
    }
    site.write("production/manifests/site.pp", &manifest);
    let all = ["catalog", "compile", "--all", "facts", "--output", "out", "--ruby-timeout", "10"];
    let (output, messages, code) = site.run(&all);
    assert_eq!((output.as_str(), code), ("", 1));
    for (name, _, expected) in templates.iter().chain(&functions) {
        assert!(messages.contains(expected), "{name}: {expected}\n{messages}");
        assert!(messages.contains(&format!("on node {name}\n")), "{name}\n{messages}");
        assert!(!site.directory.join(format!("out/{name}.json")).exists(), "{name}");
    }
    assert!(messages.ends_with("3 of 15 catalogs compiled\n"), "{messages}");
    assert!(site.read("out/good.json").contains("\"content\": \"fine\""));
    // Without Ruby there is one error that says what needs it and what to do; what does not need it goes on.
    let place = "(file: production/manifests/site.pp, line: ";
    let missing = "no-such-ruby";
    assert_eq!(site.run(&["catalog", "compile", "good", "--ruby", missing]).2, 0);
    let erb = "production/modules/m/templates/leave.erb";
    refused(&site, &["catalog", "compile", "leave", "--ruby", missing], &[missing, erb, place]);
    let ruby = "production/modules/m/lib/puppet/functions/m/object.rb";
    let objects = "Puppet::Functions.create_function(:'m::object') { def object; ObjectSpace.count_objects; end }";
    site.write(ruby, objects);
    refused(&site, &["catalog", "compile", "object", "--ruby", missing], &[missing, ruby, place]);
}

#[test]
fn modules_that_cannot_be_used() {
    let site = Site::new(
        "robust_modules",
        &[
            ("production/modules/a/manifests/init.pp", "class a { include b }"),
            ("production/modules/b/manifests/init.pp", "class b { include c }"),
            ("production/modules/c/manifests/init.pp", "class c {\n  notify { 'x' }\n}\n"),
            ("production/modules/late/manifests/init.pp", "class late { }"),
            ("production/modules/late/templates/x.epp", "text"),
        ],
    );
    let check = |code: &str, args: &[&str], expected: &str| {
        site.write("production/manifests/site.pp", code);
        refused(&site, &[&["catalog", "compile", "n"], args].concat(), &[expected]);
    };
    check("include a", &[], "(file: production/modules/c/manifests/init.pp, line: 2, column: 16) on node n");
    check(
        "\ninclude nosuch",
        &[],
        "Could not find class ::nosuch for n (file: production/manifests/site.pp, line: 2, column: 1)",
    );
    let missing = ["--modulepath", "/no/such/directory"];
    check("include a", &missing, "Could not find class ::a for n (file: production/manifests/site.pp, line: 1");
    check("include a", &missing, "Warning: --modulepath: /no/such/directory does not exist\n");
    let gone = |path: &str| format!("generate('/bin/rm', '{}')\n", site.directory.join(path).display());
    let removed = format!("{}include late", gone("production/modules/late/manifests/init.pp"));
    check(&removed, &[], "Could not find class ::late for n (file: production/manifests/site.pp, line: 2, column: 1)");
    let removed = format!("{}notice(epp('late/x.epp'))", gone("production/modules/late/templates/x.epp"));
    check(
        &removed,
        &[],
        "Could not find template 'late/x.epp' (file: production/manifests/site.pp, line: 2, column: 8)",
    );
}

#[test]
fn data_that_cannot_be_used() {
    let level = "version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n";
    let site = Site::new("robust_data", &[]);
    let check = |config: &str, data: &str, args: &[&str], expected: &str| {
        site.write("production/hiera.yaml", config);
        site.write("production/data/c.yaml", data);
        refused(&site, &[&["lookup", "k"], args].concat(), &[expected]);
    };
    check(level, "k: 1\nb: [1\nc: }", &[], "Unable to parse (production/data/c.yaml): ");
    check(level, "k: 1\nb: [1\nc: }", &[], "at line 2 column 4");
    check(level, "k: \"%{lookup('j')}\"\nj: \"%{lookup('k')}\"", &[], "Recursive lookup detected in [k, j]");
    check(
        level,
        "k: \"%{lookup('j')}\"\nj: \"%{lookup('k')}\"",
        &[],
        "\n  note: 'j' is looked up in production/data/c.yaml:2\n  note: 'k' is looked up in production/data/c.yaml:1\n",
    );
    check(level, "k: 1", &["--merge", "bogus"], "The --merge option only accepts 'first', 'hash', 'unique', or 'deep'");
    check(level, "k: 1\nlookup_options: {k: {merge: bogus}}", &[], "Unknown merge strategy: 'bogus'");
    check(
        level,
        "k: 1\nlookup_options:\n  k:\n    merge: bogus",
        &[],
        "\n  note: the lookup options of 'k' come from production/data/c.yaml:4\n",
    );
    check(level, "k: 1\nlookup_options:\n  ^k(:\n    merge: hash", &[], "'^k(' come from production/data/c.yaml:3\n");
    let bomb = ("abcdefgh".chars().zip("bcdefghi".chars()))
        .map(|(from, to)| format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 9].join(", ")))
        .collect::<String>();
    let bomb = format!("a: &a [{}]\n{bomb}k: *i\n", ["x"; 9].join(", "));
    check(level, &bomb, &[], "Unable to parse (production/data/c.yaml): aliases stand for too many values at line ");
    check(
        "version: 5\nhierarchy: [{nam: c}]",
        "k: 1",
        &[],
        "The Lookup Configuration at 'production/hiera.yaml' has wrong type",
    );
    let eyaml = "version: 5\nhierarchy:\n  - name: c\n    lookup_key: eyaml_lookup_key\n    path: c.yaml\n    options: {pkcs7_private_key: /no/private.pem, pkcs7_public_key: /no/public.pem}\n";
    check(eyaml, "k: ENC[PKCS7,MIIBeQ==]", &[], "when looking up k in production/data/c.yaml");
    check(level, &format!("k: {}", "[".repeat(100_000)), &[], "collections are nested too deeply at line 1 column ");
    // A level without a directory has no data, and that is no error.
    let empty =
        "version: 5\ndefaults: {data_hash: yaml_data, datadir: nosuch}\nhierarchy:\n  - name: c\n    path: c.yaml\n";
    site.write("production/hiera.yaml", empty);
    assert_eq!(site.run(&["lookup", "k"]), (String::new(), String::new(), 1));
}

#[cfg(unix)]
#[test]
fn data_files_that_are_none() {
    use std::os::unix::fs::symlink;
    let site =
        Site::new("robust_files", &[("production/hiera.yaml", "version: 5\n"), ("production/data/a/b.yaml", "k: 1\n")]);
    let file = site.directory.join("production/data/common.yaml");
    std::fs::create_dir(&file).unwrap();
    refused(&site, &["lookup", "k"], &["Is a directory @ io_fread - ", "production/data/common.yaml"]);
    std::fs::remove_dir(&file).unwrap();
    symlink("/dev/zero", &file).unwrap();
    refused(&site, &["lookup", "k"], &["production/data/common.yaml: not a regular file"]);
    std::fs::remove_file(&file).unwrap();
    // A link to itself is no file, and one to a directory above is not followed.
    symlink("common.yaml", &file).unwrap();
    assert_eq!(site.run(&["lookup", "k"]), (String::new(), String::new(), 1));
    std::fs::remove_file(&file).unwrap();
    symlink("..", site.directory.join("production/data/a/up")).unwrap();
    site.write("production/hiera.yaml", "version: 5\nhierarchy: [{name: all, glob: '**/*.yaml'}]\n");
    assert_eq!(site.run(&["lookup", "k", "--merge", "unique"]), ("---\n- 1\n".to_owned(), String::new(), 0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    let site = Site::new(
        "robust_output",
        &[
            ("production/manifests/site.pp", "notify { 'x': }\n"),
            ("production/hiera.yaml", "version: 5\n"),
            ("production/data/common.yaml", "k: 1\n"),
            ("a.json", r#"{"name": "a", "resources": [], "edges": [], "classes": []}"#),
            ("b.json", r#"{"name": "a", "resources": [], "edges": [], "classes": ["c"]}"#),
        ],
    );
    site.keep_facts(&["n"]);
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let commands = [
        site.command(&["catalog", "compile", "n"]),
        site.plain_command(&["catalog", "diff", "a.json", "b.json"]),
        site.plain_command(&["catalog", "graph", "a.json"]),
        site.command(&["lookup", "k"]),
        site.command(&["lookup", "k", "--explain"]),
        site.command(&["eval", "-e", "1"]),
        site.command(&["epp", "render", "-e", "x"]),
        site.command(&["parser", "dump", "-e", "1"]),
        site.command(&["parser", "validate", "--format", "json", "production/manifests"]),
        site.plain_command(&["function", "list"]),
        site.command(&["compat", "report"]),
        site.plain_command(&["completions", "bash"]),
    ];
    for mut command in commands {
        let child = command.stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
        let (_, messages, code) = site.outcome(child.wait_with_output().unwrap());
        assert!(messages.contains("Could not write the result: "), "{command:?} {messages}");
        assert_eq!(code, 1, "{command:?}");
    }
    // Where messages cannot go, the work is done all the same.
    let child = site.command(&["eval", "-e", "notice(1) 2"]).stderr(full()).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(site.outcome(child.wait_with_output().unwrap()), ("2\n".to_owned(), String::new(), 0));
    let (_, messages, code) = site.run(&["catalog", "compile", "n", "--output", "/dev/null/x"]);
    assert_eq!(code, 1, "{messages}");
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_an_end_are_refused() {
    let site = Site::new("robust_endless", &[("production/manifests/site.pp", "notify { 'x': }\n")]);
    let commands: [&[&str]; 9] = [
        &["catalog", "graph", "/dev/zero"],
        &["catalog", "diff", "/dev/zero", "/dev/zero"],
        &["parser", "validate", "/dev/zero"],
        &["parser", "dump", "/dev/zero"],
        &["epp", "validate", "/dev/zero"],
        &["epp", "dump", "/dev/zero"],
        &["epp", "render", "/dev/zero", "--environmentpath", "."],
        &["eval", "/dev/zero", "--environmentpath", "."],
        &["eval", "-e", "1", "--facts", "/dev/zero", "--environmentpath", "."],
    ];
    for command in commands {
        let output = site.plain_command(command).stdin(Stdio::null()).output().unwrap();
        let (output, messages, code) = site.outcome(output);
        assert_eq!((output.trim_end(), code), ("", 1), "{command:?}: {messages}");
        assert!(messages.contains("/dev/zero"), "{command:?}: {messages}");
    }
}

#[test]
fn messages_are_short_whatever_they_are_about() {
    let long = "x".repeat(400_000);
    let site = Site::new(
        "robust_long",
        &[
            ("variable.pp", &format!("${long}")),
            ("string.pp", &format!("'{long}' + 1")),
            ("title.pp", &format!("file {{ '{long}': bogus => 1 }}")),
            ("twice.pp", &format!("file {{ '/{long}': }} file {{ '/{long}': }}")),
            ("number.pp", &"9".repeat(400_000)),
            ("fail.pp", &format!("fail('{long}')")),
            ("warning.pp", &format!("warning('{long}') fail('x')")),
            ("class.pp", &format!("include {long}")),
            ("production/hiera.yaml", "version: 5\nhierarchy: [{name: c, path: c.json, data_hash: json_data}]\n"),
            ("production/data/c.json", &long),
        ],
    );
    let check = |args: &[&str]| {
        let (_, messages, code) = site.run(args);
        assert_eq!(code, 1, "{args:?}");
        assert!(!messages.is_empty() && messages.len() < 40_000, "{args:?}: {} bytes", messages.len());
    };
    for file in ["variable", "string", "title", "twice", "number", "fail", "warning", "class"] {
        check(&["eval", &format!("{file}.pp")]);
    }
    check(&["lookup", "k"]);
    site.write("production/environment.conf", &long);
    check(&["catalog", "compile", "n"]);
}
