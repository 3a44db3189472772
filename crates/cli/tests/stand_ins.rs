//! A module's own code always counts: native functions stand in only for files that they were written from.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

mod site;

use site::Site;

const METADATA: &str =
    r#"{"name": "a-NAME", "version": "99.0.0", "author": "a", "license": "x", "source": "x", "dependencies": []}"#;
const BOOL2HTTPD: &str = "Puppet::Functions.create_function(:'apache::bool2httpd') do\n  def bool2httpd(arg)\n    \"mine #{arg}\"\n  end\nend\n";
/// Only Ruby can run it.
const TO_JSON: &str = "module Puppet::Parser::Functions\n  newfunction(:to_json, :type => :rvalue) do |args|\n    \
                       \"json of #{args.size if 'x'.dup.unicode_normalize!}\"\n  end\nend\n";

fn site(name: &str) -> Site {
    Site::new(
        name,
        &[
            (
                "production/manifests/site.pp",
                "notice(apache::bool2httpd(true))\nnotice(to_json([1]))\nnotice(to_json(2))\n",
            ),
            ("production/modules/apache/metadata.json", &METADATA.replace("NAME", "apache")),
            ("production/modules/apache/lib/puppet/functions/apache/bool2httpd.rb", BOOL2HTTPD),
            ("production/modules/stdlib/metadata.json", &METADATA.replace("NAME", "stdlib")),
            ("production/modules/stdlib/lib/puppet/parser/functions/to_json.rb", TO_JSON),
        ],
    )
}

#[test]
fn the_code_of_a_module_runs() {
    let site = site("stand_ins_own");
    assert_eq!(site.run(&["eval", "-e", "apache::bool2httpd(true)"]).0, "'mine true'\n");
    assert_eq!(site.run(&["eval", "-e", "to_json([1])"]).0, "'json of 1'\n");
}

#[test]
fn without_ruby_a_stand_in_answers_with_one_warning() {
    let site = site("stand_ins_without_ruby");
    let (_, messages, code) = site.run(&["catalog", "compile", "n", "--ruby", "/nonexistent/ruby"]);
    assert_eq!(code, 0, "{messages}");
    let warnings: Vec<&str> = messages.lines().filter(|line| line.contains("needs Ruby")).collect();
    assert_eq!(
        warnings,
        [
            "Warning: The function 'to_json' of the module stdlib 99.0.0 needs Ruby, which is not there; a native function written \
          from another version answers instead"
        ]
    );
    // The other file runs without Ruby.
    assert!(messages.contains("mine true") && messages.contains("[1]"), "{messages}");
    let (_, messages, code) = site.run(&["catalog", "compile", "n", "--ruby", "/nonexistent/ruby", "--no-stand-ins"]);
    assert_eq!(code, 1, "{messages}");
}

#[test]
fn a_function_that_the_module_lacks_is_unknown() {
    let site = site("stand_ins_missing");
    let (_, messages, code) = site.run(&["eval", "-e", "to_yaml(1)"]);
    assert_eq!(code, 1);
    assert!(messages.contains("Unknown function: 'to_yaml'"), "{messages}");
}

#[test]
fn a_function_in_puppet_wins() {
    let files =
        [("production/modules/apache/functions/bool2httpd.pp", "function apache::bool2httpd($x) { 'in Puppet' }\n")];
    let site = Site::new("stand_ins_puppet", &files);
    assert_eq!(site.run(&["eval", "-e", "apache::bool2httpd(true)"]).0, "'in Puppet'\n");
}

#[test]
fn the_report_says_what_answers() {
    let site = site("stand_ins_report");
    let (output, _, _) = site.run(&["compat", "report"]);
    let expected = "apache::bool2httpd of apache 99.0.0: the module's own code runs without Ruby: the file is not known\n\
                    to_json of stdlib 99.0.0: Ruby runs the module's own code: the file is not known\n";
    assert!(output.contains(expected), "{output}");
    let (output, _, _) = site.run(&["compat", "report", "--format", "json", "--ruby", "/nonexistent/ruby"]);
    let report: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(report["stand_ins"][1]["way"], "last-resort");
    // Debian's packages are among the known files.
    let (output, _, _) = site.run(&["compat", "report", "--modulepath", "/usr/share/puppet/modules", "--no-stand-ins"]);
    assert!(!output.contains("stands in"), "{output}");
    let (output, _, _) = site.run(&["compat", "report", "--modulepath", "/usr/share/puppet/modules"]);
    assert!(
        output.contains("ensure_resource of stdlib 8.5.0: a native function stands in: the file is known\n"),
        "{output}"
    );
}
