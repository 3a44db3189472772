//! Input that wants to break the parser: nesting, sheer length, broken text. Nothing may panic or overflow the stack.
#![expect(clippy::expect_used, reason = "a test states its expectation")]

use bunraku_syntax::{FileId, Parsed, Source, dump, parse, parse_epp, pn, validate};

/// Parses and walks the tree in every way there is.
fn walk(text: String) -> Parsed {
    let source = Source::string(FileId(0), text);
    let parsed = parse(&source);
    let _ = validate(&source, &parsed.program, &Default::default());
    let tree = pn::program(&parsed.program);
    let _ = (tree.to_compact(), tree.to_json(), dump(&parsed.program));
    parsed
}

/// Code that nests something as deeply as a number says.
fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

const NESTS: [(&str, &str, &str); 24] = [
    ("[", "1", "]"),
    ("(", "1", ")"),
    ("{a => ", "1", "}"),
    ("-", "1", ""),
    ("!", "true", ""),
    ("f(", "1", ")"),
    ("f(1) |$x| { ", "1", " }"),
    ("$x.f |$x| { ", "1", " }"),
    ("if true { ", "f()", " }"),
    ("unless true { ", "f()", " } else { f() }"),
    ("if f() { } elsif ", "f()", " { }"),
    ("case 1 { 1: { ", "f()", " } }"),
    ("class a { ", "", " }"),
    ("define a($x = ", "1", ") { }"),
    ("$x = ", "1", ""),
    ("1 or 1 and 1 == 1 < 1 + 1 * (", "1", ")"),
    ("$x ? { 1 => ", "1", " }"),
    ("$x ? 1 => ", "1", ""),
    ("file { 'a': b => (", "1", ") }"),
    ("@", "file { a: }", ""),
    ("A[", "1", "]"),
    ("File<| a == (", "1", ") |>"),
    ("$x[", "1", "]"),
    ("node a { ", "", " }"),
];

#[test]
fn deep_nesting_is_refused() {
    for (open, middle, close) in NESTS {
        let parsed = walk(nested(open, middle, close, 20_000));
        let error = parsed.first_error().expect(open);
        assert_eq!(error.issue.code(), "NESTING_TOO_DEEP", "{open}");
    }
}

#[test]
fn nesting_up_to_the_limit_is_walked() {
    for (open, middle, close) in NESTS {
        for depth in [20, 90, 150, 240, 300, 480] {
            let _ = walk(nested(open, middle, close, depth));
        }
    }
}

#[test]
fn long_chains_are_refused() {
    for link in ["1 + ", "1 -> ", "f.", "x -> "] {
        let parsed = walk(format!("$y = {}1", link.repeat(20_000)));
        assert!(parsed.first_error().is_some(), "{link}");
    }
    let chain = format!("if a {{ }} {}", "elsif b { } ".repeat(20_000));
    let parsed = walk(chain);
    assert_eq!(parsed.first_error().expect("too long").issue.code(), "NESTING_TOO_DEEP");
}

#[test]
fn many_statements_are_not_deep() {
    let parsed = walk("A['a'] -> A['b'] -> A['c']\n$x = $y = 1\n@file { 'a': } -> f().g\n".repeat(3000));
    assert_eq!(parsed.diagnostics, []);
}

#[test]
fn strings_within_strings() {
    let text = nested("\"${", "1", "}\"", 100_000);
    assert!(walk(text).first_error().is_some());
    let text = nested("\"${", "x", "}\"", 50);
    assert!(walk(text).first_error().is_none());
}

#[test]
fn unterminated_everything() {
    for text in [
        "'",
        "\"",
        "\"$",
        "\"${",
        "\"${a",
        "\"${a}",
        "/*",
        "/a",
        "@(",
        "@()",
        "@(A)",
        "@(A)\n",
        "@(A)\nA",
        "@(\"A\")\n${",
        "[",
        "{",
        "(",
        "|",
        "<|",
        "<<|",
        "A <|",
        "$",
        "@",
        "@@",
        "a::",
        "A::",
        "::",
        "$::",
        "1.",
        "1e",
        "0x",
        "if",
        "if 1",
        "if 1 {",
        "case",
        "case 1 {",
        "class",
        "class a",
        "class a(",
        "define a($x =",
        "node",
        "function f >>",
        "type",
        "type A",
        "type A =",
        "type A = B[",
        "x.",
        "x ?",
        "x ? {",
        "file { 'a'",
        "file { 'a':",
        "file { 'a': b",
        "\\",
        "\0",
        "\u{feff}",
        "\r",
        "\r\n",
        "é",
        "a\u{a0}b",
        "`",
        "^",
        "&",
        "~",
        "%",
    ] {
        let source = Source::string(FileId(0), text);
        for parsed in [parse(&source), parse_epp(&source)] {
            let _ = validate(&source, &parsed.program, &Default::default());
        }
    }
}

#[test]
fn unterminated_templates() {
    for text in
        ["<%", "<%-", "<%=", "<%#", "<%%", "a<%", "<% |", "<% |$x", "<% |$x| %>", "<%= 1", "<% { %>", "%>", "-%>"]
    {
        let source = Source::string(FileId(0), text);
        let parsed = parse_epp(&source);
        let _ = validate(&source, &parsed.program, &Default::default());
    }
}

#[test]
fn time_is_linear_in_hostile_text() {
    // Each of these is quadratic for a parser that looks ahead carelessly; a megabyte would take minutes.
    for text in ["/\\", "@(a)\n", "\"$", "\\u{5c}", "<%", "x {", "'\\", "= / ", "@(\n"] {
        let _ = walk(text.repeat(50_000));
    }
    let _ = walk(format!("\"{}\"", "\\u{5c}u{5c}".repeat(20_000)));
}

#[test]
fn several_errors_are_found_in_one_pass() {
    let parsed = walk("$a = )\nfile { 'x': ensure = 1 }\nclass b {\n  $c = ]\n  notice(1)\n}\n$d = }\n".into());
    let lines: Vec<u32> =
        parsed.diagnostics.iter().filter_map(|diagnostic| diagnostic.span()).map(|span| span.start).collect();
    assert_eq!(lines.len(), 4, "{:#?}", parsed.diagnostics);
}

#[test]
fn an_unclosed_bracket_points_at_its_opener() {
    let parsed = walk("class a {\n  notice(1\n}\n".into());
    let error = parsed.first_error().expect("unclosed");
    assert_eq!(error.issue.message(), "Syntax error at '}'");
    assert_eq!(error.headline(), "`}` does not close `(`");
}
