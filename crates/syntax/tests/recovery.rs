//! What is left of a tree when a token is missing: everything that does not contain the place is still named.

use std::path::{Path, PathBuf};
use std::{env, fs};

use bunraku_diagnostic::{FileId, Source, Span};
use bunraku_syntax::ast::{Expr, ExprKind};
use bunraku_syntax::{Token, parse};

const MANIFEST: &str = r#"
class web (
  Integer $port = 80,
  Array[String] $names = ['a', 'b'],
) inherits web::params {
  $root = "/srv/${port}"
  package { 'nginx':
    ensure => installed,
  }
  if $port == 80 {
    file { '/etc/nginx/plain':
      ensure  => file,
      content => epp('web/plain.epp', { 'root' => $root }),
      require => [Package['nginx'], File['/etc/nginx']],
    }
  } else {
    notify { 'tls': }
  }
  case $facts['os']['family'] {
    'Debian', 'Ubuntu': {
      file { '/etc/default/nginx': ensure => absent }
    }
    default: {
      fail('no')
    }
  }
  $names.each |String $name| {
    web::site { $name:
      port => $port ? { 80 => 'http', default => 'https' },
    }
  }
  service { 'nginx':
    ensure => running;
  }
}

define web::site($port) {
  exec { 'reload': refreshonly => true }
}
"#;

/// The classes, defined types and resources of a source, each with its range.
fn named(source: &Source) -> Vec<(String, Span)> {
    let parsed = parse(source);
    let mut found: Vec<(String, Span)> = Vec::new();
    for definition in &parsed.program.definitions {
        if let Some(written) = definition.written() {
            found.push((written.name.to_string(), definition.span()));
        }
    }
    let mut open: Vec<&Expr> = vec![&parsed.program.body];
    while let Some(expr) = open.pop() {
        if let ExprKind::Resource(resource) = &expr.kind {
            let type_name = source.slice(resource.type_name.span);
            for body in &resource.bodies {
                found.push((format!("{type_name} {}", source.slice(body.title.span)), expr.span));
            }
        }
        expr.each_child(&mut |child| open.push(child));
    }
    found
}

/// What of the named is no longer named when a token is deleted, though it does not contain it.
fn lost(code: &str, expected: &[(String, Span)], token: Token) -> Vec<String> {
    let (start, end) = (token.start as usize, token.end as usize);
    let rest = [code.get(..start), code.get(end..)].map(Option::unwrap_or_default).concat();
    let mut left = named(&Source::string(FileId(0), rest));
    let place = Span::new(FileId(0), token.start, token.end);
    let mut lost = Vec::new();
    for (name, _) in expected.iter().filter(|(_, span)| !span.contains(place)) {
        match left.iter().position(|(other, _)| other == name) {
            Some(index) => drop(left.swap_remove(index)),
            None => lost.push(name.clone()),
        }
    }
    lost
}

#[test]
fn what_does_not_contain_a_missing_token_is_still_named() {
    let source = Source::string(FileId(0), MANIFEST);
    let expected = named(&source);
    let mut wrong = Vec::new();
    for token in parse(&source).tokens.iter().filter(|token| token.start < token.end) {
        let lost = lost(MANIFEST, &expected, *token);
        if !lost.is_empty() {
            let (line, column) = source.line_column(token.start);
            let text = MANIFEST.get(token.start as usize..token.end as usize).unwrap_or_default();
            wrong.push(format!("{line}:{column} without {text}: {}", lost.join(", ")));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// The tree of code with mistakes in it, as PN.
#[track_caller]
fn check(code: &str, expected: &str) {
    let parsed = parse(&Source::string(FileId(0), code));
    assert!(parsed.first_error().is_some(), "{code}");
    assert_eq!(bunraku_syntax::pn::program(&parsed.program).to_compact(), expected, "{code}");
}

#[test]
fn holes() {
    check(
        "file { '/x': ensure => }",
        r#"(resource {:type (qn "file") :bodies [{:title "/x" :ops [(=> "ensure" (missing))]}]})"#,
    );
    check("f(1, , 2)", r#"(invoke {:functor (qn "f") :args [1 (missing) 2]})"#);
    check("$x = [1, +, 2]", r#"(= (var "x") (array 1 (missing) 2))"#);
    check("$x = { a => , b => 1 }", r#"(= (var "x") (hash (=> (qn "a") (missing)) (=> (qn "b") 1)))"#);
    check("$x = File[", r#"(= (var "x") (access (qr "File") (missing)))"#);
}

/// Where Debian's packages of modules are; `./test` installs them.
const MODULES: &str = "/usr/share/puppet/modules";

/// The manifests below a directory.
fn manifests(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            manifests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pp") {
            found.push(path);
        }
    }
}

/// A token of each manifest is deleted at random places: at `PLACES` of them, then all that is lost is shown, or at eight.
#[test]
#[expect(clippy::print_stdout, reason = "who asks for places wants to see them")]
fn real_manifests_lose_little_else() {
    let places = env::var("PLACES").ok().and_then(|places| places.parse().ok()).unwrap_or(8);
    let mut paths = Vec::new();
    manifests(Path::new(MODULES), &mut paths);
    assert!(paths.len() > 1000, "{MODULES} has only {} manifests", paths.len());
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut random = move |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % limit
    };
    let (mut tried, mut wrong) = (0, Vec::new());
    for path in paths {
        let Ok(code) = fs::read_to_string(&path) else { continue };
        let source = Source::string(FileId(0), code.as_str());
        let parsed = parse(&source);
        let tokens: Vec<Token> = parsed.tokens.iter().copied().filter(|token| token.start < token.end).collect();
        if parsed.first_error().is_some() || tokens.is_empty() {
            continue;
        }
        let expected = named(&source);
        for _ in 0..places {
            let Some(&token) = tokens.get(random(tokens.len())) else { continue };
            tried += 1;
            let lost = lost(&code, &expected, token);
            if !lost.is_empty() {
                let (line, column) = source.line_column(token.start);
                let text = code.get(token.start as usize..token.end as usize).unwrap_or_default();
                let path = path.display();
                wrong.push(format!("{path}:{line}:{column} without {:?} {text}: {}", token.kind, lost.join(", ")));
            }
        }
    }
    if env::var_os("PLACES").is_some() {
        println!("{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    }
    // Strings with code in them still mislead it now and then.
    assert!(wrong.len() * 500 <= tried, "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}
