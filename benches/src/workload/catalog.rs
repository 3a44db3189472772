//! Catalogs: classes, defined types, collectors, and a node with real modules.

use std::fmt::Write;
use std::path::Path;

use super::Workload;
use super::language::thousands;

/// Where Debian's packages of modules put them.
const MODULES: &str = "/usr/share/puppet/modules";

pub(super) fn classes() -> Workload {
    let mut files = Vec::new();
    let mut code = String::new();
    for class in 0..101 {
        let mut body = format!("class c{class}::main {{\n");
        for resource in 0..10 {
            _ = writeln!(body, "  notify {{ 'n{class}-{resource}': message => \"of ${{title}}\" }}");
        }
        body.push_str("}\n");
        files.push((format!("modules/c{class}/manifests/main.pp"), body));
        _ = writeln!(code, "include c{class}::main");
    }
    Workload::new("classes", "101 classes with 10 notifies each", 100, code).with_files(files)
}

pub(super) fn defined_types(count: usize) -> Workload {
    Workload::new(
        "defines",
        format!("{} instances of a defined type", thousands(count)),
        100,
        format!(
            "define thing(Integer $size, String $text = 'x') {{ notify {{ \"t-${{title}}\": message => \"${{size}} \
             ${{text}}\" }} }}\nInteger[1, {count}].each |$i| {{ thing {{ \"t${{i}}\": size => $i }} }}"
        ),
    )
}

pub(super) fn files(count: usize) -> Workload {
    Workload::new(
        "files",
        format!("{} files with collectors and arrows", thousands(count)),
        100,
        format!(
            "File {{ owner => 'root' }}\nnotify {{ 'first': }}\nnotify {{ 'last': }}\n\
             Integer[1, {count}].each |$i| {{ @file {{ \"/tmp/f${{i}}\": ensure => file, tag => 'wanted' }} }}\n\
             File <| tag == 'wanted' |> {{ mode => '0644' }}\nNotify['first'] -> File <| |> -> Notify['last']"
        ),
    )
}

pub(super) fn resources(count: usize) -> Workload {
    let code = format!("Integer[1, {count}].each |$i| {{ notify {{ \"n${{i}}\": message => \"of ${{i}}\" }} }}");
    Workload::new("resources", format!("{} resources", thousands(count)), 100, code)
}

/// Apache and MySQL as people run them, with the modules Debian packages.
pub(super) fn real_node() -> Workload {
    let mut code = String::from(
        "class { 'apache': default_vhost => false, mpm_module => 'prefork' }\n\
         class { 'mysql::server': root_password => 'secret', remove_default_accounts => true }\n\
         include apache::mod::ssl\ninclude apache::mod::rewrite\ninclude apache::mod::proxy\n\
         include apache::mod::php\n",
    );
    for site in 0..20 {
        _ = writeln!(
            code,
            "apache::vhost {{ 'site{site}.example.com': port => 80, docroot => '/srv/site{site}', \
             directories => [{{ path => '/srv/site{site}', allow_override => ['All'] }}], \
             rewrites => [{{ rewrite_rule => ['^/old$ /new [R]'] }}] }}\n\
             mysql::db {{ 'db{site}': user => 'u{site}', password => 'p{site}', grant => ['SELECT', 'UPDATE'] }}"
        );
    }
    let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/real_modules/facts/debian12.yaml");
    Workload {
        modulepath: Some(MODULES),
        facts: Some(facts.to_string_lossy().into_owned()),
        // What the modules of that time were written for.
        settings: vec![("strict", "warning"), ("strict_variables", "false")],
        ..Workload::new("real", "a node with Apache, MySQL and 20 sites", 100, code)
    }
}
