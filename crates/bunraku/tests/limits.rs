//! What a stranger's thread may do with the library: deep recursion on a small stack, deadlines, cancellation, and bugs that
//! end one compilation only.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bunraku::{
    Compiler, Environment, Library, Limits, Memory, Node, Outcome, RubyOptions, RunMode, Settings, Target, Value, wire,
};

/// What threads have that nobody thought about.
const STACK: usize = 2 << 20;

/// How many levels of data are deep, but not too deep.
const LEVELS: usize = 1_900;

fn environment(files: &[(String, String)]) -> Environment {
    let directory = "/etc/puppetlabs/code/environments/production";
    let memory: Memory = files.iter().map(|(path, text)| (format!("{directory}/{path}"), text.as_str())).collect();
    Environment::open(Arc::new(memory), &Settings::new(RunMode::Server), "production").unwrap()
}

fn compiler(site: &str) -> Compiler {
    let environment = environment(&[("manifests/site.pp".to_owned(), site.to_owned())]);
    Compiler::new(environment, RubyOptions::default()).unwrap()
}

fn on_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// The first error of a compilation, with its line.
fn error(compiler: &Compiler, compiled: Outcome) -> String {
    let failure = compiled.catalog.unwrap_err();
    let diagnostic = failure.diagnostics.first().unwrap();
    let line =
        diagnostic.span().map(|span| compiler.environment().source(span.file).unwrap().line_column(span.start).0);
    format!("{} (line: {})", diagnostic.issue.message(), line.unwrap_or(0))
}

#[test]
fn calls_nest_on_a_small_stack() {
    let check = |site: &str| {
        let compiler = compiler(site);
        on_small_stack(|| {
            let compiled = compiler.compile(&Node::new("n"));
            assert!(compiled.catalog.is_ok(), "{site}: {}", error(&compiler, compiled));
        });
    };
    check("function f($x) { if $x > 0 { f($x - 1) } else { 0 } } f(1990)");
    check("function f($x) { if $x > 0 { [1].map |$y| { with($y) |$z| { f($x - 1) } } } } f(600)");
    check("function f($x) { if $x > 0 { \"${f($x - 1)}\" } } f(1990)");
    check("function f($x) { if $x > 0 { inline_epp('<%= f($x) %>', { 'x' => $x - 1 }) } } f(600)");
    let classes: String = (0..900).map(|number| format!("class c{number} {{ include c{} }} ", number + 1)).collect();
    check(&format!("{classes} class c900 {{ }} include c0"));
    let open = "[".repeat(150);
    let close = "]".repeat(150);
    check(&format!("function f($x) {{ if $x > 0 {{ {open} f($x - 1) {close} =~ Array }} }} f(1000)"));
}

#[test]
fn endless_calls_are_errors_on_a_small_stack() {
    let check = |site: &str, expected: &str| {
        let compiler = compiler(site);
        let message = on_small_stack(|| error(&compiler, compiler.compile(&Node::new("n"))));
        assert!(message.contains(expected), "{site}: {message}");
    };
    check("\nfunction f() { f() } f()", "'f' is called more than 2000 levels deep (line: 2)");
    check("\nfunction f() { [1].each |$x| { f() } } f()", "is called more than 2000 levels deep (line: 2)");
    check("\nfunction f() { inline_epp('<%= f() %>') } f()", "is called more than 2000 levels deep (line: 1)");
    let classes: String = (0..2100).map(|number| format!("class c{number} {{ include c{} }} ", number + 1)).collect();
    check(&format!("\n{classes} class c2100 {{ }} include c0"), "more than 2000 levels deep (line: 2)");
}

/// Data of so many levels, in every shape.
fn deep(levels: usize) -> [(&'static str, Value); 4] {
    let nest = |wrap: &dyn Fn(Value) -> Value| (0..levels).fold(Value::Undef, |value, _| wrap(value));
    [
        ("arrays", nest(&|value| Value::array([value]))),
        ("hashes", nest(&|value| Value::hash([("a".into(), value)]))),
        ("keys", nest(&|value| Value::hash([(value, 1.into())]))),
        ("secrets", nest(&|value| Value::Sensitive(Arc::new(Value::array([value]))))),
    ]
}

fn deep_node() -> Node {
    let mut node = Node::new("n");
    for (name, value) in deep(LEVELS) {
        node.parameters.push((name.into(), value));
    }
    node.parameters.push((
        "types".into(),
        (0..LEVELS).fold(bunraku::Type::Any, |inner, _| bunraku::Type::array(inner, None)).into(),
    ));
    node
}

#[test]
fn deep_data_is_used_on_a_small_stack() {
    let node = deep_node();
    for name in ["arrays", "hashes", "keys", "secrets", "types"] {
        for code in [
            "$d == [$d]",
            "$d == $d",
            "[$d, $d] == [$d, [$d]]",
            "$d in [$d]",
            "$d =~ Data",
            "$d =~ RichData",
            "$d =~ Array[Array[Integer]]",
            "\"${d}\"",
            "notice($d)",
            "type($d)",
            "type($d, 'generalized')",
            "type($d) == type([$d])",
            "type($d) =~ Type[Data]",
            "{ $d => 1 }[$d]",
            "[$d] - [$d]",
            "[$d].unique",
            "String($d)",
            "String($d, '%#p')",
            "sprintf('%s', $d)",
            "$d.flatten",
            "[[$d]].flatten",
            "Integer($d)",
            "assert_type(Integer, $d)",
            "assert_type(Array[Integer], [$d])",
            "function f(Array[Array[Integer]] $x) { } f($d)",
            "class c($x) { notify { 'a': message => $x } } class { 'c': x => $d }",
            "notify { 'a': message => $d }",
            "notify { 'a': message => [$d] } Notify <| message == $d |>",
            "define d($x) { } d { 'a': x => $d }",
            "$d.tree_each |$x| { }",
            "[$d].map |$x| { [$x] }",
            "inline_epp('<%= $x %>', { 'x' => $d })",
            "fail($d)",
        ] {
            let compiler = compiler(&format!("$d = ${name}\n{code}"));
            on_small_stack(|| {
                let compiled = compiler.compile(&node);
                if let Ok(catalog) = &compiled.catalog {
                    // A catalog that cannot be written says so.
                    _ = wire::to_json(catalog, wire::Options::default());
                    _ = wire::to_data(catalog, wire::Options::default())
                        .map(|data| bunraku::notation::yaml::emit(&data));
                }
                drop(compiled);
            });
        }
    }
}

#[test]
fn every_function_takes_deep_data_on_a_small_stack() {
    let library = bunraku::library(Target::default());
    let node = deep_node();
    let modules = library.iter().filter_map(|native| native.function.module);
    let files: Vec<(String, String)> =
        modules.map(|module| (format!("modules/{module}/metadata.json"), "{}".to_owned())).collect();
    let names: Vec<&str> = library.iter().map(|native| native.function.name).collect();
    let check = |name: &str| {
        for data in ["$arrays", "$hashes"] {
            for call in [
                format!("{name}({data})"),
                format!("{name}({data}, {data})"),
                format!("{name}('a', {data})"),
                format!("{name}({data}, 'a')"),
                format!("{name}({data}, [1], 'a')"),
                format!("{name}({data}) |$x| {{ $x }}"),
            ] {
                let site = ("manifests/site.pp".to_owned(), call);
                let files: Vec<_> = files.iter().cloned().chain([site]).collect();
                let environment = environment(&files);
                drop(bunraku_compiler::compile(&environment, &library, &node, bunraku_compiler::Options::default()));
            }
        }
    };
    let half = names.len() / 2;
    let (first, second) = names.split_at(half);
    std::thread::scope(|scope| {
        for part in [first, second] {
            let work = move || part.iter().for_each(|name| check(name));
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap();
        }
    });
}

#[test]
fn a_compilation_ends_in_time() {
    for site in [
        "\nInteger[1, 3000000].each |$x| { Integer[1, 3000000].each |$y| { $x + $y } }",
        "\nfunction f($x) { if $x > 0 { f($x - 1) + f($x - 1) } else { 1 } } f(60)",
        "\nInteger[1, 3000000].each |$x| { notify { \"${x}\": } }",
    ] {
        let compiler = compiler(site);
        let start = Instant::now();
        let compiled = compiler.compile_within(&Node::new("n"), &Limits::of_time(Duration::from_millis(200)));
        let message = error(&compiler, compiled);
        assert!(message.ends_with("the compilation takes longer than it may (line: 2)"), "{message}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn a_compilation_is_cancelled() {
    let compiler = compiler("\nInteger[1, 3000000].each |$x| { Integer[1, 3000000].each |$y| { $x + $y } }");
    let cancelled = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancelled: Some(Arc::clone(&cancelled)), ..Limits::default() };
    let message = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            cancelled.store(true, Ordering::Relaxed);
        });
        error(&compiler, compiler.compile_within(&Node::new("n"), &limits))
    });
    assert!(message.ends_with("the compilation was cancelled (line: 2)"), "{message}");
}

mod broken {
    use bunraku_compiler::function;

    function! {
        /// Has a bug.
        "broken" {
            "()" => broken(),
        }
    }

    fn broken() -> bool {
        panic!("a bug of ours")
    }

    pub(super) const ALL: &[bunraku_compiler::function::Function] = &[FUNCTION];
}

#[test]
fn a_bug_ends_one_compilation() {
    let library = Library::new(&[broken::ALL]);
    let environment = environment(&[("manifests/site.pp".to_owned(), "if $trusted { broken() }".to_owned())]);
    let compile =
        |node: &Node| bunraku_compiler::compile(&environment, &library, node, bunraku_compiler::Options::default());
    let failure = compile(&Node::new("web1")).catalog.unwrap_err();
    let message = failure.diagnostics.first().unwrap().issue.message().to_owned();
    assert_eq!(message, "internal error while compiling for node web1, please report it: a bug of ours");
}
