//! `catalog compile` from outside: node classifiers, versions, exported resources, failures.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

mod site;

use serde_json::Value as Json;
use site::Site;

/// The catalog that a command prints.
fn catalog(site: &Site, args: &[&str]) -> (Json, String) {
    let (output, messages, code) = site.run(&[&["catalog", "compile"], args].concat());
    assert_eq!(code, 0, "{messages}");
    (serde_json::from_str(&output).unwrap(), messages)
}

/// What the resources of a type are, with one parameter of each.
fn resources(catalog: &Json, type_name: &str, parameter: &str) -> Vec<String> {
    let all = catalog["resources"].as_array().unwrap().iter();
    all.filter(|resource| resource["type"] == type_name)
        .map(|resource| format!("{}: {}", resource["title"].as_str().unwrap(), resource["parameters"][parameter]))
        .collect()
}

fn classified(name: &str, answer: &str) -> Site {
    let class = "class web($port = 80) { notify { 'web': message => \"$port $environment\" } }";
    let site = Site::new(
        name,
        &[
            ("production/manifests/site.pp", "notify { 'top': message => \"$role $environment\" }"),
            ("production/modules/web/manifests/init.pp", class),
            ("other/manifests/site.pp", "notify { 'other': message => \"$role ${server_facts['environment']}\" }"),
            ("other/modules/web/manifests/init.pp", class),
            ("facts/a.yaml", "role: fact\n"),
            ("facts/b.yaml", "role: fact\n"),
        ],
    );
    let program = site.directory.join("classifier");
    site.write("classifier", &format!("#!/bin/sh\ncase $1 in bad) echo no; exit 3;; esac\ncat <<END\n{answer}\nEND\n"));
    std::process::Command::new("chmod").arg("+x").arg(&program).status().unwrap();
    site.write("conf/puppet.conf", &format!("[main]\nnode_terminus = exec\nexternal_nodes = {}\n", program.display()));
    site
}

#[test]
fn a_classifier_tells_classes_parameters_and_environment() {
    let site =
        classified("classifier_all", "classes:\n  web: {port: 8080}\nparameters:\n  role: shop\nenvironment: other");
    let (catalog, messages) = catalog(&site, &["a", "--facts", "facts/a.yaml"]);
    assert_eq!(catalog["environment"], "other");
    assert_eq!(resources(&catalog, "Notify", "message"), ["other: \"shop other\"", "web: \"8080 other\""]);
    let warning =
        "Warning: The node parameter 'role' for node 'a' was already set to 'shop'. It could not be set to 'fact'\n";
    assert_eq!(messages, warning);
}

#[test]
fn a_classifier_that_fails_harms_its_node_alone() {
    let site = classified("classifier_fails", "classes: [web]\nparameters: {role: x}");
    site.write("facts/bad.yaml", "role: fact\n");
    site.keep_facts(&["a"]);
    let (output, messages, code) = site.run(&["catalog", "compile", "--all", "facts", "--output", "out"]);
    assert_eq!((output.as_str(), code), ("", 1));
    let expected = "Error: Failed to find bad via exec: Execution of 'classifier bad' returned 3: no on node bad\n";
    assert!(messages.contains(expected), "{messages}");
    assert!(messages.ends_with("2 of 3 catalogs compiled\n"), "{messages}");
    assert!(site.directory.join("out/b.json").exists() && !site.directory.join("out/bad.json").exists());
    let refuse = |setting: &str, expected: &str| {
        let (output, messages, code) = site.run(&["catalog", "compile", "a", "--set", setting]);
        assert_eq!((output.as_str(), messages, code), ("", format!("Error: {expected} on node a\n"), 1));
    };
    refuse("external_nodes=none", "You must set the 'external_nodes' parameter to use the external node terminus");
    refuse("external_nodes=relative", "You must set the exec parameter to a fully qualified command");
    refuse("node_terminus=bogus", "Could not find terminus bogus for indirection node");
    let site = classified("classifier_lost", "environment: lost");
    let (_, messages, code) = site.run(&["catalog", "compile", "a"]);
    assert_eq!(code, 1);
    assert!(
        messages.contains("Could not find a directory environment named 'lost' anywhere in the path"),
        "{messages}"
    );
}

#[test]
fn facts_that_a_server_keeps_are_used() {
    let site =
        Site::new("kept_facts", &[("production/manifests/site.pp", "notify { 'n': message => $facts['role'] }")]);
    site.write("var/yaml/facts/a.yaml", "--- !ruby/object:Puppet::Node::Facts\nname: a\nvalues: {role: web}\n");
    site.write("var/server_data/facts/b.json", r#"{"name": "b", "values": {"role": "db"}}"#);
    let message = |node| resources(&catalog(&site, &[node]).0, "Notify", "message");
    assert_eq!([message("a"), message("b")], [["n: \"web\""], ["n: \"db\""]]);
    let warning = "Warning: No facts found for node c: those of this machine are used; give its own with --facts\n";
    assert_eq!(catalog(&site, &["c"]).1, warning);
    let uuid = |text: Json| text["catalog_uuid"].as_str().unwrap().to_owned();
    assert_ne!(uuid(catalog(&site, &["a"]).0), uuid(catalog(&site, &["a"]).0));
}

#[test]
fn a_command_tells_the_version() {
    let site = Site::new("version", &[("production/environment.conf", "config_version = version.sh\n")]);
    site.write("production/version.sh", "#!/bin/sh\necho run >> runs; echo v1.2\n");
    let script = site.directory.join("production/version.sh");
    std::process::Command::new("chmod").arg("+x").arg(script).status().unwrap();
    site.write("facts/a.yaml", "{}");
    site.write("facts/b.yaml", "{}");
    site.keep_facts(&["n"]);
    assert_eq!(catalog(&site, &["n"]).0["version"], "v1.2");
    assert_eq!(site.run(&["catalog", "compile", "--all", "facts", "--output", "out"]).2, 0);
    assert_eq!(site.read("runs"), "run\nrun\n", "once for each run");
    site.write("production/version.sh", "#!/bin/sh\necho out; echo err >&2; exit 4\n");
    let (output, messages, code) = site.run(&["catalog", "compile", "n"]);
    assert_eq!((output.as_str(), code), ("", 1));
    assert!(messages.starts_with("Error: Execution of config_version command `"), "{messages}");
    assert!(messages.contains("returned 4: out\nerr on node n"), "{messages}");
}

#[test]
fn exported_resources_are_collected_on_other_nodes() {
    let code = "@@notify { \"from ${trusted['certname']}\": message => $role, tag => 'hello' }
      @@notify { \"quiet ${trusted['certname']}\": tag => 'other' }
      Notify <<| tag == 'hello' |>> { withpath => true }";
    let site = Site::new("exported", &[("production/manifests/site.pp", code)]);
    for node in ["a", "b"] {
        site.write(&format!("facts/{node}.yaml"), &format!("role: role of {node}\n"));
    }
    let all = ["catalog", "compile", "--all", "facts", "--output", "out", "--exported-resources", "exports"];
    let (_, messages, code) = site.run(&all);
    assert_eq!((messages.as_str(), code), ("2 of 2 catalogs compiled\n", 0));
    let read = |path: &str| serde_json::from_str::<Json>(&site.read(path)).unwrap();
    let both = ["from a: \"role of a\"", "from b: \"role of b\""];
    assert_eq!(resources(&read("out/a.json"), "Notify", "message"), both);
    assert_eq!(resources(&read("out/b.json"), "Notify", "withpath"), ["from b: true", "from a: true"]);
    assert_eq!(resources(&read("exports/a.json"), "Notify", "tag"), ["from a: \"hello\"", "quiet a: \"other\""]);
    // A node that exports nothing any more is forgotten, and a new one finds what is there.
    site.write("production/manifests/site.pp", "Notify <<| |>>");
    let (c, _) = catalog(&site, &["a", "--exported-resources", "exports"]);
    assert_eq!(resources(&c, "Notify", "message"), ["from b: \"role of b\"", "quiet b: null"]);
    let (c, _) = catalog(&site, &["c", "--exported-resources", "exports"]);
    assert_eq!(resources(&c, "Notify", "tag"), ["from b: \"hello\"", "quiet b: \"other\""]);
    // Two resources of the same name are refused.
    site.write("production/manifests/site.pp", "notify { 'from b': } Notify <<| |>>");
    let (output, messages, code) = site.run(&["catalog", "compile", "c", "--exported-resources", "exports"]);
    assert_eq!((output.as_str(), code), ("", 1));
    let expected =
        "A duplicate resource was found while collecting exported resources, with the type and title Notify[from b]";
    assert!(messages.contains(expected), "{messages}");
}

#[test]
fn nodes_with_names_that_are_paths_are_refused() {
    let site = Site::new("names", &[("production/manifests/site.pp", "@@notify { 'n': }")]);
    for (file, name) in [("a", "../x"), ("b", "/tmp/bunraku-x"), ("c", "x\\ny"), ("d", "good")] {
        site.write(&format!("facts/{file}.yaml"), &format!("clientcert: \"{name}\"\n"));
    }
    let all = ["catalog", "compile", "--all", "facts", "--output", "out", "--exported-resources", "exports"];
    let (output, messages, code) = site.run(&all);
    assert_eq!((output.as_str(), code), ("", 1));
    let mut lines: Vec<&str> = messages.lines().collect();
    lines.sort_unstable();
    let expected = [
        "1 of 4 catalogs compiled",
        "Error: Certname \"x\\ny\" must not contain unprintable or non-ASCII characters on node c",
        "Error: directory traversal detected in Puppet::Node::Facts::Yaml: \"../x\": invalid key on node a",
        "Error: directory traversal detected in Puppet::Node::Facts::Yaml: \"/tmp/bunraku-x\": invalid key on node b",
    ];
    assert_eq!(lines, expected);
    let names = |directory: &str| -> Vec<String> {
        let entries = std::fs::read_dir(site.directory.join(directory)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    };
    assert_eq!([names("out"), names("exports")], [["good.json"], ["good.json"]]);
    assert!(!site.directory.join("x.json").exists());
    let (output, messages, code) = site.run(&["catalog", "compile", "../x"]);
    assert_eq!((output.as_str(), code), ("", 1));
    assert!(messages.contains("invalid key"), "{messages}");
}

#[test]
fn a_file_that_cannot_be_written_is_one_failure() {
    let site = Site::new("unwritable", &[("production/manifests/site.pp", "notify { 'n': }")]);
    for node in ["a", "b", "c"] {
        site.write(&format!("facts/{node}.yaml"), "kernel: Linux\n");
    }
    site.write("out/b.json/in_the_way", "");
    let (_, messages, code) = site.run(&["catalog", "compile", "--all", "facts", "--output", "out"]);
    assert_eq!(code, 1);
    assert!(
        messages.contains("Error: Could not write out/b.json: ") && messages.contains(" on node b\n"),
        "{messages}"
    );
    assert!(messages.ends_with("2 of 3 catalogs compiled\n"), "{messages}");
    assert!(site.directory.join("out/a.json").is_file() && site.directory.join("out/c.json").is_file());
}

#[test]
fn a_node_knows_its_agent_and_its_server() {
    let code = "notify { 'n': message => \"$clientcert $clientnoop ${$clientversion == $serverversion} \
                ${server_facts['serverimplementation']} ${server_facts['environment']}\" }";
    let site = Site::new("client_facts", &[("production/manifests/site.pp", code)]);
    site.keep_facts(&["a"]);
    let message = |args: &[&str]| resources(&catalog(&site, args).0, "Notify", "message");
    assert_eq!(message(&["a"]), ["n: \"a false true openvox production\""]);
    assert_eq!(message(&["a", "--noop"]), ["n: \"a true true openvox production\""]);
    site.write("server.yaml", "serverversion: 1.0.0\nserverimplementation: own\n");
    site.write("facts/a.yaml", "clientcert: b\nserverversion: mine\n");
    let (catalog, messages) = catalog(&site, &["a", "--facts", "facts/a.yaml", "--server_facts", "server.yaml"]);
    assert_eq!(resources(&catalog, "Notify", "message"), ["n: \"b false false own production\""]);
    let warning = "The node parameter 'serverversion' for node 'a' was already set to 'mine'. It could not be set to";
    assert_eq!(messages, format!("Warning: {warning} '1.0.0'\n"));
}

#[test]
fn differences_never_show_secrets() {
    let code = "notify { 'a': message => Deferred('f', [Sensitive(\"hunter-${facts['n']}\"), 'open']) }
        notify { 'b': message => [{ 'password' => Sensitive(\"hunter-${facts['n']}\") }] }
        notify { 'c': message => Sensitive(\"hunter-${facts['n']}\") }
        notify { 'd': message => { 1 => Sensitive(\"hunter-${facts['n']}\") } }";
    let site = Site::new("diff_secrets", &[("production/manifests/site.pp", code)]);
    for number in ["1", "2"] {
        site.write("facts.yaml", &format!("n: {number}\n"));
        let (catalog, messages, code) = site.run(&["catalog", "compile", "a", "--facts", "facts.yaml"]);
        assert!(code == 0 && catalog.contains("hunter-"), "{messages}");
        site.write(&format!("{number}.json"), &catalog);
    }
    for format in ["text", "json", "markdown", "html"] {
        let output = site.plain_command(&["catalog", "diff", "1.json", "2.json", "--format", format]).output().unwrap();
        let (shown, _, code) = site.outcome(output);
        assert_eq!(code, 2);
        for title in ["a", "b", "c", "d"] {
            assert!(shown.contains(&format!("Notify[{title}]")), "{shown}");
        }
        assert!(!shown.contains("hunter"), "{shown}");
        assert!(shown.matches("[redacted]").count() >= 8, "{shown}");
    }
}

#[test]
fn a_catalog_in_yaml_is_what_psych_writes() {
    let code = "notify { 'a': message => \"yes\\n no: 'x'\\n\", tag => ['on', 'null', 'web1'] }
        notify { \"b: c\": message => { 'k' => [1, 2.5, true, [], {}, undef, 'é', ':s', '0x1f'] } }";
    let site = Site::new("yaml", &[("production/manifests/site.pp", code), ("facts.yaml", "{}")]);
    let compile = ["catalog", "compile", "a", "--facts", "facts.yaml", "--reproducible", "--render-as"];
    let [json, yaml] = ["json", "yaml"].map(|form| {
        // Not with relative paths: those would be quoted otherwise.
        String::from_utf8(site.command(&[compile.as_slice(), &[form]].concat()).output().unwrap().stdout).unwrap()
    });
    site.write("catalog.json", &json);
    let script = "puts JSON.parse(File.read('catalog.json')).to_yaml";
    let psych = std::process::Command::new("ruby")
        .args(["-rjson", "-ryaml", "-e", script])
        .current_dir(&site.directory)
        .output()
        .unwrap();
    assert_eq!(yaml, String::from_utf8(psych.stdout).unwrap());
}

#[test]
fn a_profile_tells_where_the_time_goes() {
    let site = Site::new(
        "profile",
        &[
            ("production/manifests/site.pp", "include web\n"),
            ("production/modules/web/manifests/init.pp", "class web { web::site { 'shop': } }\n"),
            (
                "production/modules/web/manifests/site.pp",
                "define web::site { [1, 2].each |$x| { notify { \"${x}\": } } }\n",
            ),
            ("facts/a.yaml", "clientcert: a\n"),
        ],
    );
    let compile = ["catalog", "compile", "a", "--facts", "facts", "--profile", "folded", "--verbose"];
    let (_, messages, code) = site.run(&compile);
    assert_eq!(code, 0, "{messages}");
    assert!(
        messages.contains("Info: Compiled catalog for a in environment production with 1 modules in 0."),
        "{messages}"
    );
    let folded = site.read("folded");
    let ways: Vec<&str> = folded.lines().filter_map(|line| line.rsplit_once(' ')).map(|line| line.0).collect();
    assert!(ways.contains(&"a;include;Class[Web]"), "{folded}");
    assert!(ways.contains(&"a;Web::Site[shop];each"), "{folded}");
}
