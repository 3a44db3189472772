//! Regular expressions with Ruby's meaning, on an engine that is linear where it can be and bounded where it cannot.
//!
//! A pattern is read as Ruby reads it (`bunraku_syntax::regexp`), written anew for the engine (`translate`), and compiled when it is
//! first used. Matching that would take too long ends in an issue, never in "no match".

mod fold;
mod text;
mod translate;
mod work;

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use bunraku_syntax::Issue;
use bunraku_syntax::regexp::is_unicode;
use ecow::EcoString;
use smallvec::SmallVec;

use crate::issues;
use work::Work;

/// How many steps back a match may take before it is given up.
const BACKTRACK_LIMIT: usize = 1_000_000;
/// The same from one place of a long text, which a step may go over, and of one that is longer still.
const LONG_BACKTRACK_LIMITS: [(usize, usize); 2] = [(64 << 10, 200_000), (usize::MAX, 20_000)];
/// Up to this size a text is not long.
const LONG: usize = 4 << 10;
/// How long a long text is searched.
const PATIENCE: Duration = Duration::from_secs(1);
/// In how many places of a long text a match is looked for until the clock is asked.
const PLACES: usize = 64;
/// How large a compiled pattern may become, in bytes for the linear engine and in instructions for the other one.
const SIZE_LIMIT: usize = 10 << 20;
const PROGRAM_LIMIT: usize = 1 << 20;

/// A regular expression. Equal to another one with the same source.
#[derive(Clone, Debug)]
pub struct Regexp {
    source: EcoString,
    pattern: String,
    names: Vec<Option<String>>,
    engine: Engine,
    /// The same for texts without line breaks, where that is simpler.
    line: Option<Box<(String, Engine)>>,
    work: Work,
    /// The pattern for one place of a long text.
    placed: Box<[Engine; 2]>,
}

/// A pattern that is compiled when it is first used.
type Engine = OnceLock<Result<fancy_regex::Regex, Issue>>;

impl Regexp {
    /// Reads a pattern; the issue for a bad one has Ruby's words.
    pub fn new(source: &str) -> Result<Regexp, Issue> {
        let refused = |reason: String| issues::runtime_error(format!("{reason}: /{source}/"));
        let pattern = bunraku_syntax::regexp::parse(source).map_err(refused)?;
        let translation = translate::translate(&pattern);
        let looks_for_end = translation.line_pattern.is_some();
        let regexp = Regexp {
            source: source.into(),
            pattern: translation.pattern,
            names: translation.names,
            engine: OnceLock::new(),
            line: translation.line_pattern.map(|pattern| Box::new((pattern, OnceLock::new()))),
            work: Work::of(&pattern.node, looks_for_end),
            placed: Box::default(),
        };
        if pattern.is_uncertain {
            regexp.engine()?;
        }
        Ok(regexp)
    }

    /// The pattern as it was given, without delimiters.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The pattern as programs see it.
    ///
    /// Compatibility: Ruby spells out the options of a pattern that it ties to UTF-8, since that is an option.
    pub fn to_text(&self) -> String {
        if is_unicode(&self.source) { format!("/{}/", self.to_s()) } else { self.to_literal() }
    }

    /// The pattern as the reference makes text of it.
    pub fn to_pattern_text(&self) -> String {
        if is_unicode(&self.source) { format!("(?-imx:{})", self.source) } else { self.source.to_string() }
    }

    /// The pattern as it is written in a manifest: between slashes, with slashes inside escaped.
    pub fn to_literal(&self) -> String {
        format!("/{}/", text::escaped(&self.source))
    }

    /// The names of the groups, from the first on; `None` for a group without one.
    pub fn names(&self) -> &[Option<String>] {
        &self.names
    }

    /// Whether the pattern matches anywhere in the text.
    pub fn is_match(&self, text: &str) -> Result<bool, Issue> {
        self.check_work(text)?;
        let engine = match self.line.as_deref() {
            Some((pattern, line)) if !text.as_bytes().contains(&b'\n') => {
                line.get_or_init(|| self.compile(pattern, BACKTRACK_LIMIT)).as_ref().or_else(|_| self.engine())
            }
            _ if self.is_searched_by_place(text) => return Ok(self.captures(text)?.is_some()),
            _ => self.engine(),
        };
        engine?.is_match(text).map_err(|error| self.given_up(&error))
    }

    /// The first match in the text.
    pub fn captures<'t>(&self, text: &'t str) -> Result<Option<Captures<'t>>, Issue> {
        self.captures_from(text, 0)
    }

    /// The first match that starts at a byte or after it; what comes before can still be looked at.
    pub fn captures_from<'t>(&self, text: &'t str, start: usize) -> Result<Option<Captures<'t>>, Issue> {
        self.search(text).captures_from(start)
    }

    /// Matches in a text, which may be looked for from several places.
    pub fn search<'r, 't>(&'r self, text: &'t str) -> Search<'r, 't> {
        Search { regexp: self, text, began: None }
    }

    /// All matches one after another, as Ruby's `scan` and `gsub` find them: an empty match may follow another match.
    pub fn matches<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        Matches { search: self.search(text), next: Some(0) }
    }

    /// The text of a named group in a match; the last group of that name that took part.
    pub fn named<'t>(&self, captures: &Captures<'t>, name: &str) -> Option<&'t str> {
        let groups = self.names.iter().enumerate().rev().filter(|(_, group)| group.as_deref() == Some(name));
        groups.map(|(index, _)| index + 1).find_map(|index| captures.get(index))
    }

    fn engine(&self) -> Result<&fancy_regex::Regex, Issue> {
        self.engine.get_or_init(|| self.compile(&self.pattern, BACKTRACK_LIMIT)).as_ref().map_err(Clone::clone)
    }

    /// The engine for one place of a long text.
    fn placed_engine(&self, size: usize) -> Result<&fancy_regex::Regex, Issue> {
        let mut engines = self.placed.iter().zip(LONG_BACKTRACK_LIMITS);
        let (engine, limit) = match engines.find(|(_, (largest, _))| size <= *largest) {
            Some((engine, (_, limit))) => (engine, limit),
            None => return self.engine(),
        };
        let compile = || self.compile(&format!(r"\G(?:{})", self.pattern), limit);
        engine.get_or_init(compile).as_ref().map_err(Clone::clone)
    }

    /// Whether each place of a text is looked at by itself, with an eye on the clock.
    fn is_searched_by_place(&self, text: &str) -> bool {
        self.work.is_hard && text.len() > LONG
    }

    fn check_work(&self, text: &str) -> Result<(), Issue> {
        if self.work.is_too_much(text.len()) { Err(self.takes_too_long()) } else { Ok(()) }
    }

    fn takes_too_long(&self) -> Issue {
        issues::runtime_error(format!("match takes too much work: /{}/", self.source))
    }

    fn compile(&self, pattern: &str, backtrack_limit: usize) -> Result<fancy_regex::Regex, Issue> {
        if self.work.is_too_big() {
            return Err(issues::runtime_error(format!("too big pattern: /{}/", self.source)));
        }
        fancy_regex::RegexBuilder::new(pattern)
            .backtrack_limit(backtrack_limit)
            .delegate_size_limit(SIZE_LIMIT)
            .max_prog_size(PROGRAM_LIMIT)
            .build()
            .map_err(|error| issues::runtime_error(format!("{}: /{}/", self.refusal(&error), self.source)))
    }

    fn refusal(&self, error: &fancy_regex::Error) -> String {
        use fancy_regex::{CompileError, Error};
        match error {
            Error::CompileError(error) => match error.as_ref() {
                CompileError::NeverEndingRecursion | CompileError::LeftRecursiveSubroutineCall(_) => {
                    "never ending recursion".to_owned()
                }
                CompileError::InnerError(error) if error.size_limit().is_some() => "too big pattern".to_owned(),
                CompileError::PatternTooComplex => "too big pattern".to_owned(),
                _ => match self.first_property() {
                    Some(name) => format!("invalid character property name {{{name}}}"),
                    None => "unsupported pattern".to_owned(),
                },
            },
            _ => "unsupported pattern".to_owned(),
        }
    }

    fn first_property(&self) -> Option<&str> {
        let (_, rest) = self.source.split_once("\\p{").or_else(|| self.source.split_once("\\P{"))?;
        rest.split_once('}').map(|(name, _)| name.trim_start_matches('^'))
    }

    fn given_up(&self, error: &fancy_regex::Error) -> Issue {
        match error {
            fancy_regex::Error::RuntimeError(_) => {
                issues::runtime_error(format!("match needs too much backtracking: /{}/", self.source))
            }
            _ => issues::runtime_error(format!("{error}: /{}/", self.source)),
        }
    }
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        self.source == other.source
    }
}

impl Eq for Regexp {}

impl Hash for Regexp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.source.hash(state);
    }
}

/// One match: the whole is group 0.
#[derive(Clone, Debug)]
pub struct Captures<'t> {
    text: &'t str,
    groups: SmallVec<[Option<(usize, usize)>; 8]>,
}

impl<'t> Captures<'t> {
    /// The text of a group, if it took part in the match.
    pub fn get(&self, group: usize) -> Option<&'t str> {
        let (start, end) = self.range(group)?;
        self.text.get(start..end)
    }

    /// The bytes of the text at which a group starts and ends.
    pub fn range(&self, group: usize) -> Option<(usize, usize)> {
        self.groups.get(group).copied().flatten()
    }

    /// The number of groups, with the whole match.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The texts of all groups, from the whole match on.
    pub fn iter(&self) -> impl Iterator<Item = Option<&'t str>> {
        (0..self.groups.len()).map(|group| self.get(group))
    }
}

/// Looks for matches in a text, within the time that all of them may take together.
#[derive(Debug)]
pub struct Search<'r, 't> {
    regexp: &'r Regexp,
    text: &'t str,
    /// When the first place of a long text was looked at.
    began: Option<Instant>,
}

impl<'t> Search<'_, 't> {
    /// The first match that starts at a byte or after it; what comes before can still be looked at.
    pub fn captures_from(&mut self, start: usize) -> Result<Option<Captures<'t>>, Issue> {
        self.regexp.check_work(self.text)?;
        let found = if self.regexp.is_searched_by_place(self.text) {
            self.by_place(start)?
        } else {
            let engine = self.regexp.engine()?;
            engine.captures_from_pos(self.text, start).map_err(|error| self.regexp.given_up(&error))?
        };
        Ok(found.map(|captures| {
            let groups = (0..captures.len()).map(|index| captures.get(index).map(|group| (group.start(), group.end())));
            Captures { text: self.text, groups: groups.collect() }
        }))
    }

    fn by_place(&mut self, start: usize) -> Result<Option<fancy_regex::Captures<'t, str>>, Issue> {
        let engine = self.regexp.placed_engine(self.text.len())?;
        let began = *self.began.get_or_insert_with(Instant::now);
        let places = self.text.get(start..).unwrap_or_default().char_indices().map(|(offset, _)| start + offset);
        for (count, place) in places.chain([self.text.len()]).enumerate() {
            if count % PLACES == 0 && began.elapsed() > PATIENCE {
                return Err(self.regexp.takes_too_long());
            }
            let found = engine.captures_from_pos(self.text, place).map_err(|error| self.regexp.given_up(&error))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Iterates over the matches of a text; ends after the first issue.
#[derive(Debug)]
pub struct Matches<'r, 't> {
    search: Search<'r, 't>,
    next: Option<usize>,
}

impl<'t> Iterator for Matches<'_, 't> {
    type Item = Result<Captures<'t>, Issue>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next.take()?;
        let captures = match self.search.captures_from(start) {
            Ok(captures) => captures?,
            Err(issue) => return Some(Err(issue)),
        };
        let (start, end) = captures.range(0)?;
        self.next = if start < end {
            Some(end)
        } else {
            self.search.text.get(end..).and_then(|rest| rest.chars().next()).map(|character| end + character.len_utf8())
        };
        Some(Ok(captures))
    }
}

/// Escapes what has a meaning in a pattern, as Ruby's `Regexp.escape`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        let letter = match character {
            '\n' => 'n',
            '\t' => 't',
            '\r' => 'r',
            '\u{c}' => 'f',
            '\u{b}' => 'v',
            ' ' | '#' | '$' | '(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^' | '{' | '|' | '}' => {
                character
            }
            other => {
                escaped.push(other);
                continue;
            }
        };
        escaped.push('\\');
        escaped.push(letter);
    }
    escaped
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
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
            assert!(
                Regexp::new(pattern).and_then(|regexp| regexp.is_match(&"a".repeat(100_000))).is_err(),
                "{pattern}"
            );
            assert!(begin.elapsed() < Duration::from_secs(10), "{pattern}");
        }
    }
}
