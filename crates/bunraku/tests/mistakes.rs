//! Common mistakes, as a person at a terminal sees them: the place of the fault first, the way to it after.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::sync::Arc;

use bunraku::{Compiler, Environment, Memory, Node, RubyOptions, RunMode, Settings, render};
use expect_test::{Expect, expect};

/// What is shown when this manifest is compiled.
fn check(manifest: &str, expected: Expect) {
    let world = Arc::new(Memory::from([("manifests/site.pp", manifest)]));
    let environment = Environment::at(world, &Settings::new(RunMode::Server), "production", "/").unwrap();
    let compiler = Compiler::new(environment, RubyOptions::default()).unwrap();
    let failure = compiler.compile(&Node::new("web1")).catalog.unwrap_err();
    let shown = failure.diagnostics.iter().map(|found| render::human(found, compiler.environment(), false));
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn a_mistyped_variable() {
    check(
        "class web($docroot = '/x') {\n  notice($docrot)\n}\ninclude web\n",
        expect![[r#"
        error[UNKNOWN_VARIABLE]: Unknown variable: 'docrot'.
         --> /manifests/site.pp:2:10
          |
        2 |   notice($docrot)
          |          ^^^^^^^ did you mean `$docroot`?
          |
        note: in the call of 'include'
         --> /manifests/site.pp:4:1
          |
        4 | include web
          | -----------

    "#]],
    );
}

#[test]
fn a_mistyped_class() {
    check(
        "class web {}\ninclude wbe\n",
        expect![[r#"
            error[RUNTIME_ERROR]: could not find class 'wbe'
             --> /manifests/site.pp:2:9
              |
            2 | include wbe
              |         ^^^ did you mean `web`?

        "#]],
    );
}

#[test]
fn a_duplicate_declaration() {
    check(
        "class a { package { 'vim': ensure => present } }\nclass b { package { 'vim': ensure => absent } }\ninclude a\ninclude b\n",
        expect![[r#"
            error[RUNTIME_ERROR]: Package[vim] is declared twice
             --> /manifests/site.pp:2:11
              |
            1 | class a { package { 'vim': ensure => present } }
              |           ------------------------------------ the first declaration
            2 | class b { package { 'vim': ensure => absent } }
              |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the second declaration
            3 | include a
              | --------- … in Class[A], declared here
              |
            note: in the call of 'include'
             --> /manifests/site.pp:4:1
              |
            4 | include b
              | ---------

        "#]],
    );
}

#[test]
fn a_mistyped_resource_type() {
    check(
        "fil { '/x': ensure => present }\n",
        expect![[r#"
            error[RUNTIME_ERROR]: Unknown resource type: 'fil'
             --> /manifests/site.pp:1:1
              |
            1 | fil { '/x': ensure => present }
              | ^^^ did you mean `file`?

        "#]],
    );
}

#[test]
fn a_mistyped_attribute() {
    check(
        "file { '/x': owenr => 'root' }\n",
        expect![[r#"
            error: File[/x] has no parameter named 'owenr'
             --> /manifests/site.pp:1:14
              |
            1 | file { '/x': owenr => 'root' }
              |              ^^^^^ did you mean `owner`?

        "#]],
    );
}

#[test]
fn a_mistyped_method() {
    check(
        "notice([1, 2].jion(','))\n",
        expect![[r#"
            error[UNKNOWN_FUNCTION]: Unknown function: 'jion'.
             --> /manifests/site.pp:1:15
              |
            1 | notice([1, 2].jion(','))
              |               ^^^^ did you mean `join`?

        "#]],
    );
}

#[test]
fn a_mistyped_parameter() {
    check(
        "class web($port = 1) {}\nclass { 'web': prot => 2 }\n",
        expect![[r#"
            error[RUNTIME_ERROR]: Class[Web] has no parameter named 'prot'
             --> /manifests/site.pp:2:16
              |
            1 | class web($port = 1) {}
              |           --------- `port` is declared here
            2 | class { 'web': prot => 2 }
              |                ^^^^ did you mean `port`?

        "#]],
    );
}

#[test]
fn missing_parameters() {
    check(
        "class web($port, $docroot) {}\ninclude web\n",
        expect![[r#"
            error[RUNTIME_ERROR]: Class[Web] expects values for parameters 'port', 'docroot'
             --> /manifests/site.pp:2:1
              |
            1 | class web($port, $docroot) {}
              |           -----  -------- required
              |           |
              |           required
            2 | include web
              | ^^^^^^^^^^^ not given here

        "#]],
    );
}

#[test]
fn a_mistyped_reference() {
    check(
        "package { 'vim': }\nfile { '/x': require => Package['vmi'] }\n",
        expect![[r#"
            error: Could not find resource 'Package[vmi]' in parameter 'require'
             --> /manifests/site.pp:2:25
              |
            1 | package { 'vim': }
              | ------------------ declared here
            2 | file { '/x': require => Package['vmi'] }
              |                         ^^^^^^^^^^^^^^ did you mean `Package['vim']`?

        "#]],
    );
}

#[test]
fn a_wrong_argument() {
    check(
        "notice(capitalize([1], 2))\n",
        expect![[r#"
            error[RUNTIME_ERROR]: 'capitalize' expects 1 argument, got 2
             --> /manifests/site.pp:1:8
              |
            1 | notice(capitalize([1], 2))
              |        ^^^^^^^^^^^^^^^^^^
              |
              = help: it can be called as capitalize(Numeric arg)
              = help: it can be called as capitalize(String arg)
              = help: it can be called as capitalize(Iterable[Variant[String, Numeric]] arg)

        "#]],
    );
}

#[test]
fn an_error_in_a_defined_type() {
    check(
        "define d() {\n  notice(1 + 'x')\n}\nd { 'one': }\n",
        expect![[r#"
        error[RUNTIME_ERROR]: The value 'x' cannot be converted to Numeric.
         --> /manifests/site.pp:2:14
          |
        2 |   notice(1 + 'x')
          |              ^^^
          |
        note: in D[one], declared here
         --> /manifests/site.pp:4:1
          |
        4 | d { 'one': }
          | ------------

    "#]],
    );
}
