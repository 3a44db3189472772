//! Code that would go on for ever, or grow without end, ends with an error.

use bunraku_ruby::interpreter::answer;

/// The class of the error that ends a piece of code.
fn ended_by(source: &str) -> String {
    let given = answer(&[source], "case.rb");
    given.error.map(|(class, _)| class).unwrap_or_else(|| format!("nothing: {:?}", given.result))
}

#[test]
fn recursion_ends() {
    for source in [
        "def f = f; f",
        "h = Hash.new { |hash, key| hash[key + 1] }; h[0]",
        "class A; def method_missing(name, *) = send(name); end; A.new.b",
        "class B; def to_s = \"#{self}\"; end; \"#{B.new}\"",
        "class C; def inspect = [self].inspect; end; C.new.inspect",
        "f = ->(x) { f.(x) }; f.(1)",
    ] {
        assert_eq!(ended_by(source), "SystemStackError", "{source}");
    }
}

#[test]
fn nothing_rescues_a_limit() {
    assert_eq!(ended_by("loop { begin; 1 while true; rescue Exception; end }"), "Limit");
}

#[test]
fn values_do_not_grow_without_end() {
    for source in [
        "'a' * (10**9)",
        "x = 'ab'; loop { x << x }",
        "x = [1]; loop { x.concat(x) }",
        "x = [1]; loop { x += x }",
        "x = 'ab'; loop { x = \"#{x}#{x}\" }",
        "Array.new(10**9)",
        "(1..Float::INFINITY).map { |it| it }",
        "[1, 2, 3] * (10**9)",
        "'%1000000000d' % 1",
        "'a'.ljust(10**9)",
        "1 << (10**12)",
        "loop { puts 'a' * 10**6 }",
        "a = []; a[10**9] = 1",
        "(1..40).to_a.permutation { |it| it }",
        "a = []; loop { a << 'x' * 10**6 }",
        "a = []; s = 'x' * 10**6; loop { a << s.dup }",
        "a = []; s = 'x' * 10**6; loop { a << s[1..] }",
        "a = []; s = 'x' * 10**6; loop { a << \"#{s}\" }",
        "a = []; loop { a << Array.new(10**5) }",
    ] {
        assert_eq!(ended_by(source), "Limit", "{source}");
    }
}

#[test]
fn values_that_contain_themselves_are_shown() {
    let shown = |source: &str| answer(&[source], "case.rb").result;
    assert_eq!(shown("a = []; a << a; a").as_deref(), Some("[[...]]"));
    assert_eq!(shown("h = {}; h[:a] = h; h").as_deref(), Some("{:a=>{...}}"));
    assert_eq!(ended_by("a = []; a << a; a.flatten"), "ArgumentError");
    assert_eq!(ended_by("a = []; a << a; b = []; b << b; a == b"), "SystemStackError");
}
