//! What patterns match, and what they may cost.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use super::*;

/// The groups of the first match as text, joined; `~` stands for a group that took no part.
fn matched(pattern: &str, text: &str) -> Option<String> {
    let captures = Regexp::new(pattern).unwrap().captures(text).unwrap()?;
    Some(captures.iter().map(|group| group.unwrap_or("~")).collect::<Vec<_>>().join("|"))
}

#[test]
fn lines_start_alike_in_texts_of_one_line() {
    let check = |pattern: &str, text: &str, expected| {
        let regexp = Regexp::new(pattern).unwrap();
        assert!(regexp.line.is_some(), "{pattern}");
        assert_eq!(regexp.is_match(text), Ok(expected), "{pattern} {text:?}");
        assert_eq!(regexp.captures(text).unwrap().is_some(), expected, "{pattern} {text:?}");
    };
    check("^[GEIM]*$", "GI", true);
    check("^[GEIM]*$", "", true);
    check("^[GEIM]*$", "x", false);
    check("^[GEIM]*$", "x\nG", true);
    check("^[GEIM]*$", "x\n", false);
    check("a|^", "b", true);
    check("b^", "b", false);
    check("b^", "b\n", false);
}

#[test]
fn bad_patterns_are_refused_in_rubys_words() {
    for (pattern, reason) in [
        ("a[", "premature end of char-class"),
        ("[", "premature end of char-class"),
        ("[]", "empty char-class"),
        ("[^]", "empty char-class"),
        ("[b-a]", "empty range in char class"),
        (r"[a-\d]", "char-class value at end of range"),
        (r"[\d-x]", "unmatched range specifier in char-class"),
        ("a)", "unmatched close parenthesis"),
        ("(a", "end pattern with unmatched parenthesis"),
        ("*a", "target of repeat operator is not specified"),
        ("+", "target of repeat operator is not specified"),
        ("a|*", "target of repeat operator is not specified"),
        ("a{3,1}", "upper is smaller than lower in repeat range"),
        ("a{100001}", "too big number for repeat range"),
        ("{1}", "target of repeat operator is not specified"),
        (r"a\", "too short escape sequence"),
        (r"\", "too short escape sequence"),
        ("(?", "end pattern in group"),
        ("(?z)", "undefined group option"),
        ("(?z", "undefined group option"),
        ("(?i", "end pattern in group"),
        ("(?i-", "end pattern in group"),
        ("(?<", "end pattern with unmatched parenthesis"),
        ("(?<a", "invalid group name <a>"),
        ("(?<>a)", "group name is empty"),
        ("(?<1a>a)", "invalid group name <1a>"),
        ("(?P<a>x)", "undefined group option"),
        (r"\k<x>", "undefined name <x> reference"),
        (r"\1", "invalid backref number/name"),
        (r"(a)\2", "invalid backref number/name"),
        (r"\k<1>", "invalid backref number/name"),
        (r"(?<n>a)\1", "numbered backref/call is not allowed. (use name)"),
        (r"(?<n>a)(b)\k<1>", "numbered backref/call is not allowed. (use name)"),
        (r"\g<x>", "undefined name <x> reference"),
        (r"\g<1>", "undefined group <1> reference"),
        (r"\g<0>?", "never ending recursion"),
        (r"\p{foo}", "invalid character property name {foo}"),
        ("[[:foo:]]", "invalid POSIX bracket type"),
        ("[[:alpha:", "premature end of char-class"),
        ("(?<=a+)", "invalid pattern in look-behind"),
        ("(?<=(a|bc))", "invalid pattern in look-behind"),
        ("(?<=a(?:b|cd))", "invalid pattern in look-behind"),
        ("(?<!(a))", "invalid pattern in look-behind"),
        (r"\x", "invalid hex escape"),
        (r"\xg", "invalid hex escape"),
        (r"\x{61}", "invalid hex escape"),
        (r"\u", "too short escape sequence"),
        (r"\u12", "invalid Unicode escape"),
        (r"\u{}", "invalid Unicode list"),
        (r"\u{110000}", "invalid Unicode range"),
        (r"\u{61", "invalid Unicode list"),
        (r"\c", "too short control escape"),
        (r"\8", "invalid backref number/name"),
        (r"\9", "invalid backref number/name"),
        (r"\777", "invalid escape code"),
        (r"\377", "invalid multibyte escape"),
        ("[a--z]", "empty range in char class"),
        ("[[a]", "premature end of char-class"),
        ("(?(1)a|b)", "invalid backref number/name"),
        ("(?#abc", "end pattern in group"),
        ("(?^:a)", "undefined group option"),
        ("(*FAIL)", "target of repeat operator is not specified"),
        ("(?|a|b)", "undefined group option"),
        ("(?&n)", "undefined group option"),
        ("(?1)", "undefined group option"),
        ("(?R)", "undefined group option"),
        ("(", "end pattern with unmatched parenthesis"),
        ("((", "end pattern with unmatched parenthesis"),
        ("[[]", "empty char-class"),
        ("[a[]", "empty char-class"),
        (r"[\w-a]", "unmatched range specifier in char-class"),
        (r"[a-\w]", "char-class value at end of range"),
        (r"\xff", "invalid multibyte escape"),
        (r"\xc3", "too short escaped multibyte character"),
        (r"\p{L", "invalid character property name {}"),
        (r"\k<", "group name is empty"),
        (r"\g<", "group name is empty"),
        ("(?:a", "end pattern with unmatched parenthesis"),
        ("(?>a", "end pattern with unmatched parenthesis"),
        ("(?=", "end pattern with unmatched parenthesis"),
        ("(?!a", "end pattern with unmatched parenthesis"),
        ("(?<=a", "end pattern with unmatched parenthesis"),
        ("[a-z", "premature end of char-class"),
        ("[[:alpha:]", "premature end of char-class"),
        (r"[a\", "too short escape sequence"),
        (r"[\x", "invalid hex escape"),
        (r"[\u]", "invalid Unicode escape"),
        ("[[:alpha:]-z]", "unmatched range specifier in char-class"),
        (r"[a-\]]", "empty range in char class"),
        ("[a-[:digit:]]", "char-class value at end of range"),
        (r"[\d-\d]", "unmatched range specifier in char-class"),
        ("(?<n>a)?(?(n)b|c)", "invalid conditional pattern"),
        ("(?(<x>)a)", "undefined name <x> reference"),
    ] {
        assert_eq!(Regexp::new(pattern).unwrap_err().message(), format!("{reason}: /{pattern}/"));
    }
}

#[test]
fn matches_are_rubys() {
    for (pattern, text, expected) in [
        ("^a$", "b\na\nc", Some("a")),
        ("^", "a\n", Some("")),
        ("^$", "a\n\n", Some("")),
        (r"\Aa\Z", "a\n", Some("a")),
        (r"\Aa\z", "a\n", None),
        (r"\Aa\Z", "a\n\n", None),
        (r"(\w+)", "é abc", Some("abc|abc")),
        (r"\d+", "٣ 12", Some("12")),
        ("[[:alpha:]]+", "1éa2", Some("éa")),
        ("[[:digit:]]", "٣", Some("٣")),
        (r"\h+", "xyzBEEF", Some("BEEF")),
        (r"\H", "ab g", Some(" ")),
        ("(?m)a.b", "a\nb", Some("a\nb")),
        ("a.b", "a\nb", None),
        ("(?i)ABC", "xabc", Some("abc")),
        ("a(?i)b|c", "aB", Some("aB")),
        (r"\Aa(?i)b|c", "C", None),
        (r"\Aa(?i)b|c", "aC", Some("aC")),
        (r"(?<y>\d+)-(\w)(?<m>\d+)", "2020-a11", Some("2020-a11|2020|11")),
        ("(?i:A)b", "ab", Some("ab")),
        ("(?i:A)b", "aB", None),
        ("(a)(b)?", "a", Some("a|a|~")),
        ("(?<=foo)bar", "foobar", Some("bar")),
        ("(?<!foo)bar", "foobar xbar", Some("bar")),
        ("(?<=a|bc)x", "bcx", Some("x")),
        ("(?<!a|bc)x", "bcx dx", Some("x")),
        (r"(\w)\1", "hello", Some("ll|l")),
        (r"(?<c>\w)\k<c>", "hello", Some("ll|l")),
        (r"\((?:[^()]|\g<0>)*\)", "a(b(c)d)e", Some("(b(c)d)")),
        (r"(?<p>\((?:[^()]|\g<p>)*\))", "a(b(c)d)e", Some("(b(c)d)|(b(c)d)")),
        ("a{,2}", "aaa", Some("aa")),
        ("a{2}?", "aaa", Some("aa")),
        ("a{1,2}+", "aaaaa", Some("aaaaa")),
        ("a++a", "aaa", None),
        ("(?>a+)a", "aaa", None),
        ("x*", "aaa", Some("")),
        ("[a-z&&[^aeiou]]+", "aebcd", Some("bcd")),
        ("[^a-c]+", "abcdef", Some("def")),
        (r"[\w.-]+", "foo-bar.baz!", Some("foo-bar.baz")),
        (r"\R", "a\r\nb", Some("\r\n")),
        (r"\X", "éx", Some("é")),
        (r"a\Kb", "ab", Some("b")),
        ("(?x) a  b # comment\n c", "abc", Some("abc")),
        ("[[:punct:]]+", "a$+<>!b", Some("$+<>!")),
        ("[[:space:]]+", "a  b", Some("  ")),
        (r"\s+", "a  b", Some(" ")),
        (r"\bé", "aé é", Some("é")),
        (r"(?u)\w+", "éa", Some("éa")),
        ("(?a)[[:alpha:]]+", "éa", Some("a")),
        (r"\p{Greek}+", "abγδ", Some("γδ")),
        (r"\P{L}+", "ab12", Some("12")),
        (r"\p{^L}+", "ab12", Some("12")),
        (r"[\p{Lu}\d]+", "abC1", Some("C1")),
        (r"\u0041", "A", Some("A")),
        (r"\u{41 42}", "AB", Some("AB")),
        (r"\x41", "A", Some("A")),
        (r"\101", "A", Some("A")),
        (r"\e\a", "\u{1b}\u{7}", Some("\u{1b}\u{7}")),
        (r"\cA", "\u{1}", Some("\u{1}")),
        (r"[\b]", "\u{8}", Some("\u{8}")),
        ("(?<a>x)|(?<a>y)", "y", Some("y|~|y")),
        ("(a)?(?(1)b|c)", "ab", Some("ab|a")),
        ("(a)?(?(1)b|c)", "c", Some("c|~")),
        ("^a|b$", "c\nb", Some("b")),
        ("(?:^|,)x", "a\n", None),
        (r"^\s*#", "a\n  # b", Some("  #")),
        (r"^\s*", "a\n", Some("")),
        ("(^a*)+", "b\n", Some("|")),
        ("(?=^)", "a\n", Some("")),
        ("$", "a\n", Some("")),
        ("a$", "a\nb", Some("a")),
        ("[]a]+", "a]b", Some("a]")),
        ("[-a]+", "a-b", Some("a-")),
        (r"[a\-z]+", "a-zb", Some("a-z")),
        (r"\.", "a.b", Some(".")),
        (r"\-\_\/", "-_/", Some("-_/")),
        ("é+", "éé", Some("éé")),
        ("[é-ü]", "ê", Some("ê")),
        ("(?i)É", "é", Some("é")),
        ("(a|b)*c", "ababc", Some("ababc|b")),
        ("(|a)+", "aaa", Some("|")),
        (r"^(?!foo)\w+", "foobar", None),
        (r"^(?!foo)\w+", "barfoo", Some("barfoo")),
        ("[[:^alpha:]]+", "ab12", Some("12")),
        ("[^[:alpha:]]+", "ab12", Some("12")),
        (r"[^\d\s]+", "12 ab", Some("ab")),
        (r"(?<n>a)(b)\k<n>", "aba", Some("aba|a")),
        ("(?:a|ab)(?:c|bcd)", "abcd", Some("abcd")),
        ("a?b??", "ab", Some("a")),
        ("(?-m:.)", "\n", None),
        ("(?m:.)", "\n", Some("\n")),
        ("(?m:(?-m:.))", "\n", None),
        (r"\G\d", "12a", Some("1")),
        ("[a&&b]", "a", None),
        ("(?i)[^a]", "A", None),
        ("(?i)k", "K", Some("K")),
        (r"\w", "ſ", None),
        ("[[:cntrl:]]", "\u{1}", Some("\u{1}")),
        ("[[:graph:]]+", " é ", Some("é")),
        ("[[:print:]]+", "\té \n", Some("é ")),
        ("[[:blank:]]+", "\t \n", Some("\t ")),
        ("[[:upper:]][[:lower:]]+", "aÉt", Some("Ét")),
        ("[[:xdigit:]]+", "xyzAF09", Some("AF09")),
        ("[[:word:]]+", "é_1-", Some("é_1")),
        ("[[:alnum:]]+", "é1_", Some("é1")),
        (r"\p{Alnum}+", "é1_", Some("é1")),
        (r"\p{Lower}+", "ABéx", Some("éx")),
        (r"(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)\10", "abcdefghijj", Some("abcdefghijj|a|b|c|d|e|f|g|h|i|j")),
        (r"(a)\k<-1>", "aa", Some("aa|a")),
        (r#"(?<q>['"]).*?\k<q>"#, r#"x "a'b" c"#, Some(r#""a'b"|""#)),
        (r"\A[\w-]+\z", "foo-bar", Some("foo-bar")),
        ("^([^=]+)=(.*)$", "k=v\nx=y", Some("k=v|k|v")),
    ] {
        assert_eq!(matched(pattern, text).as_deref(), expected, "/{pattern}/ on {text:?}");
    }
}

#[test]
fn successive_matches_are_rubys() {
    for (pattern, text, expected) in [
        ("x*", "axb", &[(0, 0), (1, 2), (2, 2), (3, 3)][..]),
        (r"\b", "ab cd", &[(0, 0), (2, 2), (3, 3), (5, 5)][..]),
        ("a|", "aba", &[(0, 1), (1, 1), (2, 3), (3, 3)][..]),
        ("^", "a\nb\n", &[(0, 0), (2, 2)][..]),
        ("$", "a\nb\n", &[(1, 1), (3, 3), (4, 4)][..]),
        (".", "é∀x", &[(0, 2), (2, 5), (5, 6)][..]),
        ("", "ab", &[(0, 0), (1, 1), (2, 2)][..]),
        ("(?<=a)", "aab", &[(1, 1), (2, 2)][..]),
        (r"\d+", "1 22 333", &[(0, 1), (2, 4), (5, 8)][..]),
        ("^a*", "aa\nb\n", &[(0, 2), (3, 3)][..]),
    ] {
        let regexp = Regexp::new(pattern).unwrap();
        let ranges: Vec<_> = regexp.matches(text).map(|captures| captures.unwrap().range(0).unwrap()).collect();
        assert_eq!(ranges, expected, "/{pattern}/ on {text:?}");
    }
}

#[test]
fn names_find_the_last_group_that_took_part() {
    let regexp = Regexp::new("(?<a>x)|(?<a>y)(z)").unwrap();
    let captures = regexp.captures("yz").unwrap().unwrap();
    assert_eq!(regexp.named(&captures, "a"), Some("y"));
    assert_eq!(captures.group_count(), 3);
}

#[test]
fn slashes_are_escaped_in_a_literal() {
    for (source, literal) in
        [("a/b", r"/a\/b/"), (r"a\/b", r"/a\/b/"), ("a\nb", "/a\nb/"), ("é", "/é/"), ("\u{1}", r"/\x01/")]
    {
        assert_eq!(Regexp::new(source).unwrap().to_literal(), literal);
    }
}

#[test]
fn long_texts_are_searched_place_by_place() {
    let text = format!("{}\nkey = value\nx", "filler ".repeat(2000));
    let check = |pattern: &str, expected: &str| {
        let regexp = Regexp::new(pattern).unwrap();
        assert!(regexp.is_searched_by_place(&text), "{pattern}");
        assert_eq!(regexp.captures(&text).unwrap().unwrap().get(0), Some(expected));
        assert_eq!(regexp.is_match(&text), Ok(true));
    };
    check("(?<=key = )\\w+", "value");
    check("^k(?=ey)\\w+", "key");
    check(r"(?<!l)e(?!r)\w", "ey");
    check(r"(?=x)x\z", "x");
    let regexp = Regexp::new(r"(?<=fil)l(?=er)").unwrap();
    assert_eq!(regexp.matches(&text).count(), 2000);
}

#[test]
fn a_catastrophic_pattern_ends_in_an_issue() {
    let regexp = Regexp::new(r"\A(a|aa)+\k<1>x").unwrap();
    assert!(regexp.is_match(&"a".repeat(60)).is_err());
    let nested = "(".repeat(5000);
    assert!(Regexp::new(&nested).is_err());
    assert!(Regexp::new("((a{1000}){1000}){1000}").and_then(|regexp| regexp.is_match("a")).is_err());
    for pattern in ["(?=(a+))\\1*b", "((a{0,50}){0,50}){0,50}b", r"\A(?:(?=(a+))a)*c", "(?>a+)b", r"(a*)*\1b"] {
        let begin = Instant::now();
        assert!(Regexp::new(pattern).and_then(|regexp| regexp.is_match(&"a".repeat(100_000))).is_err(), "{pattern}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{pattern}");
    }
}
