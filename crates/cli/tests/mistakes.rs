//! What the binary shows on a terminal for the mistakes that people make: the place of the cause, what was meant, and the
//! way there.
#![expect(clippy::expect_used, reason = "a test states its expectation")]

mod mistake;
mod site;

use expect_test::expect;
use mistake::{check, check_code};

#[test]
fn a_comma_is_missing() {
    check_code(
        "file { '/etc/motd':\n  ensure => file\n  mode   => '0644',\n}\n",
        expect![[r#"
        error[SYNTAX_ERROR]: expected `,` before `mode`
         --> BASE/manifests/site.pp:2:17
          |
        2 |   ensure => file
          |                 ^ expected `,`
          |
        help: add a comma
          |
        2 |   ensure => file,
          |                 +

    "#]],
    );
}

#[test]
fn a_brace_is_not_closed() {
    let code = "class web {\n  if $facts['os']['family'] == 'Debian' {\n    package { 'nginx': }\n\n  service { 'nginx': }\n}\n\nclass db {\n}\n";
    check_code(
        code,
        expect![[r#"
        error[SYNTAX_ERROR]: this `{` is not closed
         --> BASE/manifests/site.pp:2:41
          |
        2 |   if $facts['os']['family'] == 'Debian' {
          |                                         ^ never closed
        ...
        6 | }
          | - this `}` closes it, but is indented like one further out

    "#]],
    );
}

#[test]
fn a_quote_is_not_closed() {
    check_code(
        "$name = 'web\nfile { '/etc/motd':\n  content => 'hello',\n}\n",
        expect![[r#"
        error[UNCLOSED_QUOTE]: this string is not closed
         --> BASE/manifests/site.pp:1:9
          |
        1 | $name = 'web
          |         ^ never closed

    "#]],
    );
}

#[test]
fn an_interpolation_is_not_closed() {
    check_code(
        "$name = 'world'\nnotice(\"hello ${name\")\n$b = 2\n",
        expect![[r#"
        error[UNCLOSED_QUOTE]: this `${` is not closed
         --> BASE/manifests/site.pp:2:15
          |
        2 | notice("hello ${name")
          |               ^^ never closed

    "#]],
    );
}

#[test]
fn a_variable_is_mistyped() {
    let code = "class web($docroot = '/var/www') {\n  file { \"${docrot}/index.html\": }\n}\ninclude web\n";
    check_code(
        code,
        expect![[r#"
        error[UNKNOWN_VARIABLE]: Unknown variable: 'docrot'.
         --> BASE/manifests/site.pp:2:13
          |
        2 |   file { "${docrot}/index.html": }
          |             ^^^^^^ did you mean `$docroot`?
          |
        note: in the call of 'include'
         --> BASE/manifests/site.pp:4:1
          |
        4 | include web
          | -----------

    "#]],
    );
}

#[test]
fn a_class_is_mistyped() {
    let web = ("modules/web/manifests/init.pp", "class web { }\n");
    check(
        &[("manifests/site.pp", "include wbe\n"), web],
        expect![[r#"
        error[RUNTIME_ERROR]: could not find class 'wbe'
         --> BASE/manifests/site.pp:1:9
          |
        1 | include wbe
          |         ^^^ did you mean `web`?

    "#]],
    );
    check(
        &[("manifests/site.pp", "class { 'wbe': }\n"), web],
        expect![[r#"
        error[RUNTIME_ERROR]: Could not find declared class wbe
         --> BASE/manifests/site.pp:1:9
          |
        1 | class { 'wbe': }
          |         ^^^^^ did you mean `web`?

    "#]],
    );
}

#[test]
fn data_have_the_wrong_type() {
    let files = [
        ("manifests/site.pp", "include web\n"),
        ("modules/web/manifests/init.pp", "class web(Integer $port) {\n  notice($port)\n}\n"),
        ("data/common.yaml", "---\nweb::user: www\nweb::port: \"80\"\n"),
    ];
    check(
        &files,
        expect![[r#"
        error[RUNTIME_ERROR]: Class[Web]: parameter 'port' expects an Integer value, got String
         --> BASE/data/common.yaml:3:1
          |
        3 | web::port: "80"
          | ^^^^^^^^^^^^^^^ the value of 'web::port'
          |
         ::: BASE/modules/web/manifests/init.pp:1:11
          |
        1 | class web(Integer $port) {
          |           ------------- the parameter is declared here
          |
        note: it comes up here
         --> BASE/manifests/site.pp:1:1
          |
        1 | include web
          | -----------

    "#]],
    );
}

#[test]
fn a_resource_is_declared_twice() {
    let files = [
        ("manifests/site.pp", "include web\ninclude db\n"),
        ("modules/web/manifests/init.pp", "class web {\n  package { 'openssl': ensure => installed }\n}\n"),
        ("modules/db/manifests/init.pp", "class db {\n  include db::tls\n}\n"),
        ("modules/db/manifests/tls.pp", "class db::tls {\n  package { 'openssl': ensure => latest }\n}\n"),
    ];
    check(
        &files,
        expect![[r#"
        error[RUNTIME_ERROR]: Package[openssl] is declared twice
         --> BASE/modules/db/manifests/tls.pp:2:3
          |
        2 |   package { 'openssl': ensure => latest }
          |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the second declaration
          |
         ::: BASE/modules/web/manifests/init.pp:2:3
          |
        2 |   package { 'openssl': ensure => installed }
          |   ------------------------------------------ the first declaration
          |
         ::: BASE/manifests/site.pp:1:1
          |
        1 | include web
          | ----------- … in Class[Web], declared here
          |
        note: in the call of 'include'
         --> BASE/modules/db/manifests/init.pp:2:3
          |
        2 |   include db::tls
          |   ---------------
        note: in the call of 'include'
         --> BASE/manifests/site.pp:2:1
          |
        2 | include db
          | ----------

    "#]],
    );
}

#[test]
fn resources_wait_for_each_other() {
    let code = "file { '/a': require => Service['x'] }\nservice { 'x': require => Package['p'] }\npackage { 'p': require => File['/a'] }\n";
    check_code(
        code,
        expect![[r#"
        error[DEPENDENCY_CYCLE]: these resources wait for each other
         --> BASE/manifests/site.pp:3:16
          |
        1 | file { '/a': require => Service['x'] }
          |              ----------------------- Service[x] before File[/a]
        2 | service { 'x': require => Package['p'] }
          |                ----------------------- Package[p] before Service[x]
        3 | package { 'p': require => File['/a'] }
          |                ^^^^^^^^^^^^^^^^^^^^^ File[/a] before Package[p]
          |
          = note: (File[/a] => Package[p] => Service[x] => File[/a])

    "#]],
    );
}

#[test]
fn a_template_is_mistyped() {
    let class = "class web {\n  file { '/x': content => epp('web/vhots.epp') }\n}\n";
    let template = ("modules/web/templates/vhost.epp", "x\n");
    check(
        &[("manifests/site.pp", "include web\n"), ("modules/web/manifests/init.pp", class), template],
        expect![[r#"
        error[RUNTIME_ERROR]: Could not find template 'web/vhots.epp'
         --> BASE/modules/web/manifests/init.pp:2:31
          |
        2 |   file { '/x': content => epp('web/vhots.epp') }
          |                               ^^^^^^^^^^^^^^^ did you mean `web/vhost.epp`?
          |
        note: in the call of 'include'
         --> BASE/manifests/site.pp:1:1
          |
        1 | include web
          | -----------

    "#]],
    );
    let class = "class web {\n  file { '/x': content => template('web/vhots.erb') }\n}\n";
    let template = ("modules/web/templates/vhost.erb", "x\n");
    check(
        &[("manifests/site.pp", "include web\n"), ("modules/web/manifests/init.pp", class), template],
        expect![[r#"
        error[RUNTIME_ERROR]: Could not find template 'web/vhots.erb'
         --> BASE/modules/web/manifests/init.pp:2:36
          |
        2 |   file { '/x': content => template('web/vhots.erb') }
          |                                    ^^^^^^^^^^^^^^^ did you mean `web/vhost.erb`?
          |
        note: in the call of 'include'
         --> BASE/manifests/site.pp:1:1
          |
        1 | include web
          | -----------

    "#]],
    );
}

#[test]
fn a_file_is_mistyped() {
    let files = [("manifests/site.pp", "notice(file('web/moddt'))\n"), ("modules/web/files/motd", "hello\n")];
    check(
        &files,
        expect![[r#"
        error[RUNTIME_ERROR]: Could not find any files from web/moddt
         --> BASE/manifests/site.pp:1:13
          |
        1 | notice(file('web/moddt'))
          |             ^^^^^^^^^^^ did you mean `web/motd`?

    "#]],
    );
}

#[test]
fn a_resource_type_is_mistyped() {
    check_code(
        "fil { '/etc/motd':\n  ensure => file,\n}\n",
        expect![[r#"
        error[RUNTIME_ERROR]: Unknown resource type: 'fil'
         --> BASE/manifests/site.pp:1:1
          |
        1 | fil { '/etc/motd':
          | ^^^ did you mean `file`?

    "#]],
    );
    let vhost = ("modules/web/manifests/vhost.pp", "define web::vhost() { }\n");
    check(
        &[("manifests/site.pp", "web::vhots { 'a': }\n"), vhost],
        expect![[r#"
        error[RUNTIME_ERROR]: Unknown resource type: 'web::vhots'
         --> BASE/manifests/site.pp:1:1
          |
        1 | web::vhots { 'a': }
          | ^^^^^^^^^^ did you mean `web::vhost`?

    "#]],
    );
}

#[test]
fn an_attribute_is_mistyped() {
    check_code(
        "file { '/etc/motd':\n  ensure => file,\n  owenr  => 'root',\n}\n",
        expect![[r#"
        error: File[/etc/motd] has no parameter named 'owenr'
         --> BASE/manifests/site.pp:3:3
          |
        3 |   owenr  => 'root',
          |   ^^^^^ did you mean `owner`?

    "#]],
    );
}

#[test]
fn a_key_of_the_configuration_is_mistyped() {
    let config = "version: 5\nhierarchy:\n  - name: common\n    pth: common.yaml\n";
    check(
        &[("manifests/site.pp", "notice(lookup('x'))\n"), ("hiera.yaml", config)],
        expect![[r#"
        error[RUNTIME_ERROR]: 'pth' is no key of a Hiera configuration here
         --> BASE/hiera.yaml:4:5
          |
        4 |     pth: common.yaml
          |     ^^^^^^^^^^^^^^^^ did you mean `path`?
          |
        note: it comes up here
         --> BASE/manifests/site.pp:1:8
          |
        1 | notice(lookup('x'))
          |        -----------

    "#]],
    );
}

#[test]
fn data_are_indented_with_a_tab() {
    check(
        &[("manifests/site.pp", "notice(lookup('x'))\n"), ("data/common.yaml", "x:\n\ty: 1\n")],
        expect![[r#"
        error: YAML cannot be indented with tabs
         --> BASE/data/common.yaml:2:1
          |
        2 |     y: 1
          | ^^^^^^^^ a tab begins this line: use spaces
          |
        note: in the call of 'lookup'
         --> BASE/manifests/site.pp:1:8
          |
        1 | notice(lookup('x'))
          |        -----------

    "#]],
    );
}

#[test]
fn a_method_is_mistyped() {
    check_code(
        "$list = ['a', 'b']\nnotice($list.jion(','))\n",
        expect![[r#"
        error[UNKNOWN_FUNCTION]: Unknown function: 'jion'.
         --> BASE/manifests/site.pp:2:14
          |
        2 | notice($list.jion(','))
          |              ^^^^ did you mean `join`?

    "#]],
    );
}

#[test]
fn a_regular_expression_cannot_be_read() {
    check_code(
        "if $facts['x'] =~ /web[0-9/ {\n  notice('web')\n}\n",
        expect![[r#"
        error: this regular expression cannot be read: premature end of char-class
         --> BASE/manifests/site.pp:1:19
          |
        1 | if $facts['x'] =~ /web[0-9/ {
          |                   ^^^^^^^^^

    "#]],
    );
}

#[test]
fn a_parameter_is_mistyped() {
    let class =
        ("modules/web/manifests/init.pp", "class web(\n  Integer $port = 80,\n  String $user = 'www',\n) { }\n");
    check(
        &[("manifests/site.pp", "class { 'web':\n  prot => 80,\n}\n"), class],
        expect![[r#"
        error[RUNTIME_ERROR]: Class[Web] has no parameter named 'prot'
         --> BASE/manifests/site.pp:2:3
          |
        2 |   prot => 80,
          |   ^^^^ did you mean `port`?
          |
         ::: BASE/modules/web/manifests/init.pp:2:3
          |
        2 |   Integer $port = 80,
          |   ------------------ `port` is declared here

    "#]],
    );
}

#[test]
fn parameters_are_missing() {
    let class = ("modules/web/manifests/init.pp", "class web(\n  Integer $port,\n  String $user,\n  $x = 1,\n) { }\n");
    check(
        &[("manifests/site.pp", "class { 'web': }\n"), class],
        expect![[r#"
        error[RUNTIME_ERROR]: Class[Web] expects values for parameters 'port', 'user'
         --> BASE/manifests/site.pp:1:1
          |
        1 | class { 'web': }
          | ^^^^^^^^^^^^^^^^ not given here
          |
         ::: BASE/modules/web/manifests/init.pp:2:3
          |
        2 |   Integer $port,
          |   ------------- required
        3 |   String $user,
          |   ------------ required

    "#]],
    );
}

#[test]
fn a_variable_is_assigned_twice() {
    check_code(
        "$colour = 'red'\n$colour = 'blue'\n",
        expect![[r#"
        error[ILLEGAL_REASSIGNMENT]: Cannot reassign variable '$colour'
         --> BASE/manifests/site.pp:2:1
          |
        1 | $colour = 'red'
          | --------------- first assigned here
        2 | $colour = 'blue'
          | ^^^^^^^^^^^^^^^^ assigned again here

    "#]],
    );
}

#[test]
fn a_reference_is_mistyped() {
    check_code(
        "package { 'vim': }\nfile { '/etc/vimrc':\n  require => Package['vmi'],\n}\n",
        expect![[r#"
        error: Could not find resource 'Package[vmi]' in parameter 'require'
         --> BASE/manifests/site.pp:3:14
          |
        1 | package { 'vim': }
          | ------------------ declared here
        2 | file { '/etc/vimrc':
        3 |   require => Package['vmi'],
          |              ^^^^^^^^^^^^^^ did you mean `Package['vim']`?

    "#]],
    );
}

#[test]
fn an_argument_has_the_wrong_type() {
    check_code(
        "notice(split(80, ','))\n",
        expect![[r#"
        error[RUNTIME_ERROR]: 'split' parameter 'str' expects a String value, got Integer
         --> BASE/manifests/site.pp:1:14
          |
        1 | notice(split(80, ','))
          |              ^^
          |
          = help: it can be called as split(String str, String pattern)
          = help: it can be called as split(String str, Regexp pattern)
          = help: it can be called as split(String str, Type[Regexp] pattern)
          = help: it can be called as split(Sensitive[String] sensitive, String pattern)
          = help: it can be called as split(Sensitive[String] sensitive, Regexp pattern)
          = help: it can be called as split(Sensitive[String] sensitive, Type[Regexp] pattern)

    "#]],
    );
    let function = ("modules/web/functions/port.pp", "function web::port(Integer $n) >> Integer {\n  $n + 1\n}\n");
    check(
        &[("manifests/site.pp", "notice(web::port('x'))\n"), function],
        expect![[r#"
        error[RUNTIME_ERROR]: 'web::port' parameter 'n' expects an Integer value, got String
         --> BASE/manifests/site.pp:1:18
          |
        1 | notice(web::port('x'))
          |                  ^^^
          |
         ::: BASE/modules/web/functions/port.pp:1:20
          |
        1 | function web::port(Integer $n) >> Integer {
          |                    ---------- the parameter is declared here

    "#]],
    );
}
