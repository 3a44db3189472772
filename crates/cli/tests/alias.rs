//! The command line as Puppet's: `tests/alias/*.jsonl` has what OpenVox 8 answered, recorded by `tests/record/alias.rb`.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

mod site;

use std::fs;
use std::path::Path;

use serde_json::Value;
use site::Site;

/// What a step gave in place of what was recorded.
fn differences(site: &Site, step: &Value) -> Vec<String> {
    let directory = fs::canonicalize(&site.directory).unwrap().display().to_string();
    let words: Vec<String> =
        step["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().replace("DIR", &directory)).collect();
    let places = ["conf", "var", "code"].map(|name| format!("{directory}/{name}"));
    let mut command = site.plain_command(&words.iter().map(String::as_str).collect::<Vec<_>>());
    command.args(["--confdir", &places[0], "--vardir", &places[1], "--codedir", &places[2]]);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&directory, "DIR");
    let after = |text: String| match step["from"].as_str() {
        Some(from) => text.split_once(from).map(|(_, rest)| rest.to_owned()).unwrap_or(text),
        None => text,
    };
    let mut compared = vec![
        ("exit".to_owned(), step["exit"].to_string(), output.status.code().unwrap().to_string()),
        ("stdout".to_owned(), after(step["stdout"].as_str().unwrap().to_owned()), after(text(&output.stdout))),
    ];
    if let Some(expected) = step["stderr"].as_str() {
        compared.push(("stderr".to_owned(), expected.to_owned(), text(&output.stderr)));
    }
    for (path, expected) in step["file"].as_object().into_iter().flatten() {
        let found = fs::read(site.directory.join(path)).unwrap_or_default();
        compared.push((path.clone(), expected.as_str().unwrap().to_owned(), text(&found)));
    }
    let differs = compared.into_iter().filter(|(_, expected, found)| expected != found);
    differs.map(|(what, expected, found)| format!("{words:?}: {what}\n{expected:?}\n{found:?}")).collect()
}

#[test]
fn commands_answer_as_those_of_the_reference() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/alias/openvox8.jsonl");
    let (mut count, mut different) = (0, Vec::new());
    for (line, number) in fs::read_to_string(recorded).unwrap().lines().zip(1..) {
        let case: Value = serde_json::from_str(line).unwrap();
        let files: Vec<(String, String)> = case["files"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(path, text)| (path.clone(), text.as_str().unwrap().to_owned()))
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let site = Site::new(&format!("alias{number}"), &files);
        for step in case["steps"].as_array().unwrap() {
            count += 1;
            different.extend(differences(&site, step));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n\n"));
    assert!(count >= 80, "{count}");
}

#[test]
fn a_new_file_can_be_read_by_others_and_an_old_one_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let site = Site::new("alias_mode", &[]);
    let mode = || fs::metadata(site.directory.join("conf/puppet.conf")).unwrap().permissions().mode() & 0o777;
    assert_eq!(site.run(&["config", "set", "server", "p"]).2, 0);
    assert_eq!(mode(), 0o644);
    fs::set_permissions(site.directory.join("conf/puppet.conf"), fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(site.run(&["config", "set", "noop", "true", "--section", "agent"]).2, 0);
    assert_eq!(mode(), 0o600);
    assert_eq!(site.read("conf/puppet.conf"), "[main]\nserver = p\n[agent]\nnoop = true\n");
}

#[test]
fn what_is_not_there_says_what_to_use() {
    let site = Site::new("alias_elsewhere", &[]);
    let check = |args: &[&str], expected: &str| {
        let output = site.plain_command(args).output().unwrap();
        let (_, messages, code) = site.outcome(output);
        assert!(messages.contains(expected) && code == 1, "{args:?}: {messages}");
    };
    check(&["device"], "Bunraku has no subcommand 'device': devices are managed by Puppet's own");
    check(&["module", "install", "puppetlabs-stdlib", "--version", "1.0.0"], "no action 'module install': use r10k");
    check(&["catalog", "save"], "no action 'catalog save'");
    check(&["facts", "save"], "no action 'facts save'");
    check(&["doc", "-r", "bogus"], "Could not find reference bogus");
    check(&["filebucket", "backup", "x", "--confdir", "conf"], "The CA certificates are missing from ");
}

#[test]
fn help_has_the_layout_of_puppet() {
    let site = Site::new("alias_help", &[]);
    let ask = |args: &[&str]| site.outcome(site.plain_command(args).output().unwrap());
    let (overview, _, code) = ask(&["help"]);
    assert_eq!(code, 0);
    for line in [
        "Usage: bunraku <subcommand> [options] <action> [options]",
        "  Common:",
        "    apply             Bring this machine to the state of a manifest",
        "  Specialized:",
        "    catalog           Compile, compare and draw catalogs",
        "  Puppet's, done otherwise here:",
    ] {
        assert!(overview.lines().any(|it| it == line), "{line}: {overview}");
    }
    // Whatever Puppet has is there, or what does its work.
    for name in "agent apply config help lookup module resource catalog describe device doc epp facts filebucket \
                 generate node parser plugin script ssl"
        .split_whitespace()
    {
        assert!(overview.contains(&format!("\n    {name} ")), "{name}");
    }
    assert!(ask(&["help", "facts", "show"]).0.contains("Usage: bunraku facts show"));
    let (_, messages, code) = ask(&["help", "device"]);
    assert!(messages.contains("Bunraku has no subcommand 'device'") && code == 1, "{messages}");
    let (_, messages, code) = ask(&["help", "config", "bogus"]);
    assert!(messages.contains("Could not load help for the face config.") && code == 1, "{messages}");
}

#[test]
fn references_are_written() {
    let type_code = "Puppet::Type.newtype(:thing) do\n  @doc = 'Manages things.'\n  newparam(:name)\nend\n";
    let site = Site::new("alias_doc", &[("production/modules/x/lib/puppet/type/thing.rb", type_code)]);
    let check = |name: &str, expected: &[&str]| {
        let (output, messages, code) = site.run(&["doc", "-r", name]);
        assert_eq!((messages.as_str(), code), ("", 0));
        expected.iter().for_each(|text| assert!(output.contains(text), "{name}: {text}"));
    };
    check("type", &["# Resource Type Reference", "## file\n", "## thing\n\nManages things."]);
    check("function", &["## split\n"]);
    check("metaparameter", &["### require\n"]);
    check("configuration", &["### environmentpath\n"]);
    check("indirection", &["## catalog\n"]);
    check("providers", &["## package\n\n", "- apt\n"]);
    check("report", &["## store\n"]);
    let (list, _, _) = site.run(&["doc", "--list"]);
    assert_eq!(list.lines().count(), 7, "{list}");
    let (output, _, _) = site.run(&["describe", "--list"]);
    assert!(output.contains("\nthing           - Manages things\n"), "{output}");
}

#[test]
fn types_of_modules_are_always_up_to_date() {
    let site = Site::new("alias_types", &[("production/modules/x/lib/puppet/type/thing.rb", "")]);
    let notices = "Notice: Generating Puppet resource types.\n\
                   Notice: No files were generated because all inputs were up-to-date.\n";
    assert_eq!(site.run(&["generate", "types"]), (notices.to_owned(), String::new(), 0));
    let (_, messages, code) = site.run(&["generate", "types", "--environment", "nosuch"]);
    assert!(messages.contains("'nosuch'") && code == 1, "{messages}");
}

#[test]
fn a_node_is_shown_with_what_the_classifier_says() {
    let classifier = "#!/bin/sh\necho '{environment: production, classes: {ntp: {}}, parameters: {role: web}}'\n";
    let site = Site::new("alias_node", &[("facts.yaml", "kernel: Linux\n"), ("classifier", classifier)]);
    let path = site.directory.join("classifier");
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = path.display().to_string();
    let asked = ["node", "find", "web1", "--facts", "facts.yaml", "--node_terminus", "exec", "--external_nodes", &path];
    let (output, messages, code) = site.run(&asked);
    assert_eq!((messages.as_str(), code), ("", 0));
    let shown: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&shown["name"], &shown["environment"]), (&"web1".into(), &"production".into()));
    assert_eq!(shown["classes"], serde_json::json!({"ntp": {}}));
    assert_eq!((&shown["parameters"]["kernel"], &shown["parameters"]["role"]), (&"Linux".into(), &"web".into()));
    fs::remove_file(&path).unwrap();
    let (_, messages, code) = site.run(&asked);
    assert!(messages.contains("classifier") && code == 1, "{messages}");
}
