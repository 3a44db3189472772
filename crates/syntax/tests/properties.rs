//! What holds for every text, whether it is Puppet code or not.

use bunraku_syntax::{FileId, Source, TokenKind, dump, parse, parse_epp, pn, validate};
use proptest::prelude::*;

/// Pieces of the language; put together at random they reach the corners of the grammar.
const PIECES: [&str; 96] = [
    "$x",
    "$::a::b",
    "$1",
    "$",
    "name",
    "a::b",
    "::a",
    "x-y",
    "_z",
    "Foo",
    "Foo::Bar",
    "::Foo",
    "A::b",
    "a::",
    "1",
    "0x1f",
    "017",
    "08",
    "1.5",
    "1e3",
    "1.",
    "'s'",
    "'a\\'b'",
    "'",
    "\"d\"",
    "\"a$b\"",
    "\"${c}\"",
    "\"${d[1]}e\"",
    "\"\\u0041\"",
    "\"",
    "\"${",
    "}\"",
    "/re/",
    "/",
    "\\/",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ";",
    ":",
    "::",
    ".",
    "?",
    "|",
    "@",
    "@@",
    "=",
    "+=",
    "-=",
    "==",
    "!=",
    "=~",
    "!~",
    "<",
    ">",
    "<=",
    ">=",
    "=>",
    "+>",
    "->",
    "~>",
    "<-",
    "<~",
    "<<",
    ">>",
    "<|",
    "|>",
    "<<|",
    "|>>",
    "+",
    "-",
    "*",
    "%",
    "!",
    "~",
    "if",
    "elsif",
    "else",
    "unless",
    "case",
    "default",
    "class",
    "define",
    "node",
    "function",
    "type",
    "inherits",
    "undef",
    "true",
    "in",
    "and",
    "private",
];

/// What may stand between pieces.
const SPACES: [&str; 8] = ["", "", " ", " ", "\n", "\t", "# c\n", "/* c */"];

fn soup() -> impl Strategy<Value = String> {
    let piece = (prop::sample::select(&PIECES[..]), prop::sample::select(&SPACES[..]));
    prop::collection::vec(piece, 0..40)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, space)| [piece, space]).collect())
}

fn template() -> impl Strategy<Value = String> {
    let tag =
        prop::sample::select(&["<%", "<%-", "<%=", "<%#", "<%%", "%>", "-%>", "%%>", "\n", " ", "text", "| $x |"][..]);
    let piece = prop_oneof![tag, prop::sample::select(&PIECES[..])];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// Parses and walks the tree in every way there is; what comes of it does not matter.
fn walk(text: &str) {
    let source = Source::string(FileId(0), text);
    for parsed in [parse(&source), parse_epp(&source)] {
        let _ = validate(&source, &parsed.program, &Default::default());
        let tree = pn::program(&parsed.program);
        let _ = (tree.to_pretty(), tree.to_pretty_json(), dump(&parsed.program));
    }
}

fn without_space(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        walk(&text);
    }

    #[test]
    fn any_soup_is_read(text in soup()) {
        walk(&text);
    }

    #[test]
    fn any_template_is_read(text in template()) {
        walk(&text);
    }

    /// Tokens do not overlap, and between them stand only white space, comments and the marks of interpolation.
    #[test]
    fn tokens_and_gaps_make_the_source(text in soup()) {
        let source = Source::string(FileId(0), text.as_str());
        let parsed = parse(&source);
        let mut end = 0;
        let mut gaps = String::new();
        for token in &parsed.tokens {
            prop_assert!(token.start >= end && token.end >= token.start, "{text:?}: {token:?}");
            gaps.push_str(text.get(end as usize..token.start as usize).unwrap_or("not a character"));
            gaps.push('\n');
            end = token.end;
        }
        prop_assert_eq!(end as usize, text.len());
        for comment in &parsed.comments {
            gaps = gaps.replacen(source.slice(*comment), "", 1);
        }
        prop_assert!(gaps.chars().all(|gap| gap.is_whitespace() || "${}".contains(gap)), "{text:?}: {gaps:?}");
    }

    /// Only trees with errors have holes, so nobody who runs code meets one.
    #[test]
    fn holes_come_with_errors(text in soup()) {
        let parsed = parse(&Source::string(FileId(0), text));
        let has_holes = pn::program(&parsed.program).to_compact().contains("(missing)");
        prop_assert!(!has_holes || parsed.first_error().is_some());
    }

    /// Layout is all that tells the pretty form of a tree from the compact one.
    #[test]
    fn pretty_and_compact_trees_are_the_same(text in soup()) {
        let tree = pn::program(&parse(&Source::string(FileId(0), text)).program);
        prop_assert_eq!(without_space(&tree.to_pretty()), without_space(&tree.to_compact()));
        prop_assert_eq!(without_space(&tree.to_pretty_json()), without_space(&tree.to_json()));
    }

    /// Parsing does not depend on what was parsed before, nor on where the text is kept.
    #[test]
    fn parsing_is_a_function_of_the_text(text in soup()) {
        let first = parse(&Source::string(FileId(0), text.as_str()));
        let second = parse(&Source::file(FileId(0), "a.pp", text));
        prop_assert_eq!(pn::program(&first.program), pn::program(&second.program));
        prop_assert_eq!(first.diagnostics, second.diagnostics);
    }
}

#[test]
fn the_tokens_of_a_heredoc_follow_its_header() {
    let source = Source::string(FileId(0), "f(@(A), @(B))\nx\n A\ny\n | B\n");
    let kinds: Vec<TokenKind> = parse(&source).tokens.iter().map(|token| token.kind).collect();
    use TokenKind as T;
    let expected = [
        T::Name,
        T::LeftParenthesis,
        T::Heredoc,
        T::HeredocText,
        T::Comma,
        T::Heredoc,
        T::HeredocText,
        T::RightParenthesis,
        T::EndOfInput,
    ];
    assert_eq!(kinds, expected);
}
