//! Regular expressions with Ruby's meaning, on an engine that is linear where it can be and bounded where it cannot.
//!
//! A pattern is read as Ruby reads it (`bunraku_syntax::regexp`), written anew for the engine (`translate`), and compiled when it is
//! first used. Matching that would take too long ends in an issue, never in "no match".

mod fold;
#[cfg(test)]
mod tests;
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
