//! The way that led to an error, through functions, blocks, templates, classes and defined types.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]

use std::sync::Arc;

use bunraku::{At, Compiler, Diagnostic, Environment, Memory, Node, RubyOptions, RunMode, Settings};

/// The first error of an environment with these files, and where each step of the way to it is.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let directory = "/etc/puppetlabs/code/environments/production";
    let memory: Memory = files.iter().map(|(path, text)| (format!("{directory}/{path}"), *text)).collect();
    let settings = Settings::new(RunMode::Server);
    let environment = Environment::open(Arc::new(memory), &settings, "production").unwrap();
    let compiler = Compiler::new(environment, RubyOptions::default()).unwrap();
    let failure = compiler.compile(&Node::new("n")).catalog.unwrap_err();
    let diagnostic: &Diagnostic = failure.diagnostics.first().unwrap();
    let place = |span: Option<bunraku::Span>| {
        let span = span.unwrap();
        let source = compiler.environment().source(span.file).unwrap();
        let (line, column) = source.line_column(span.start);
        format!("{}:{line}:{column}", source.path.as_deref().unwrap_or_default().replace(&format!("{directory}/"), ""))
    };
    let Some(At::Code(primary)) = diagnostic.primary() else { panic!("no place") };
    let primary = Some(primary);
    let steps = diagnostic.notes.iter().map(|note| format!("{} {}", place(note.span()), note.message));
    let found: Vec<String> = [place(primary)].into_iter().chain(steps).collect();
    assert_eq!(found, expected);
}

const FUNCTION: (&str, &str) = ("modules/m/functions/f.pp", "function m::f($x) { $x + 'abc' }");
const TEMPLATE: (&str, &str) = ("modules/m/templates/t.epp", "<%- | $n | -%>\n<%= m::f($n) %>\n");

#[test]
fn through_calls_templates_and_classes() {
    let site = ("manifests/site.pp", "node default {\n  include m\n}\n");
    let class =
        ("modules/m/manifests/init.pp", "class m {\n  [1].each |$n| { notice(epp('m/t.epp', { n => $n })) }\n}\n");
    check(
        &[site, class, FUNCTION, TEMPLATE],
        &[
            "modules/m/functions/f.pp:1:26",
            "modules/m/templates/t.epp:2:5 in the call of 'm::f'",
            "modules/m/manifests/init.pp:2:26 in the call of 'epp'",
            "modules/m/manifests/init.pp:2:6 in the call of 'each'",
            "manifests/site.pp:2:3 in the call of 'include'",
        ],
    );
}

#[test]
fn through_defined_types() {
    let site = ("manifests/site.pp", "m::d { 'one': }\n");
    let defined_type = ("modules/m/manifests/d.pp", "define m::d {\n  class { 'm': }\n}\n");
    let class = ("modules/m/manifests/init.pp", "class m {\n  $x = m::f(1)\n}\n");
    check(
        &[site, defined_type, class, FUNCTION],
        &[
            "modules/m/functions/f.pp:1:26",
            "modules/m/manifests/init.pp:2:8 in the call of 'm::f'",
            "modules/m/manifests/d.pp:2:3 in Class[M], declared here",
            "manifests/site.pp:1:1 in M::D[one], declared here",
        ],
    );
}

#[test]
fn recursion_is_not_told_in_full() {
    let site = ("manifests/site.pp", "function a($x) { b($x) }\nfunction b($x) { a($x) }\na(1)\n");
    let turn = ["manifests/site.pp:2:18 in the call of 'a'", "manifests/site.pp:1:18 in the call of 'b'"];
    let steps: Vec<&str> = turn.into_iter().cycle().skip(1).take(16).collect();
    let expected = [&["manifests/site.pp:2:18"], steps.as_slice()].concat();
    check(&[site], &expected);
}
