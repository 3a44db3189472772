//! Regular expressions with their options, and what they match.

use std::sync::Arc;

use bunraku_pcore::{Regexp, Regexps};
use ecow::EcoString;

use super::value::{Outcome, Stop, Value};

/// A regular expression as Ruby has it: its source and its options.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) source: EcoString,
    options: Options,
    regexp: Arc<Regexp>,
}

/// The options behind the closing slash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) multi_line: bool,
    pub(super) ignore_case: bool,
    pub(super) extended: bool,
}

impl Options {
    fn letters(self) -> String {
        let all = [(self.multi_line, 'm'), (self.ignore_case, 'i'), (self.extended, 'x')];
        all.iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect()
    }

    fn missing(self) -> String {
        let all = [(self.multi_line, 'm'), (self.ignore_case, 'i'), (self.extended, 'x')];
        all.iter().filter(|(set, _)| !*set).map(|(_, letter)| letter).collect()
    }
}

impl Pattern {
    /// Reads a pattern, unless it has been read before; a bad one is left to Ruby and its words.
    pub(super) fn new(source: &str, options: Options, known: &Regexps) -> Outcome<Arc<Pattern>> {
        let letters = options.letters();
        let regexp = match letters.as_str() {
            "" => known.get(source),
            // A comment of an extended pattern ends with its line.
            letters if options.extended => known.get(&format!("(?{letters}:{source}\n)")),
            letters => known.get(&format!("(?{letters}:{source})")),
        };
        let regexp = regexp.map_err(|_| Stop::Unsupported)?;
        Ok(Arc::new(Pattern { source: source.into(), options, regexp }))
    }

    /// A regular expression of Puppet; those whose text is not plain have forms of their own.
    pub(super) fn of(regexp: Arc<Regexp>) -> Option<Arc<Pattern>> {
        let source = EcoString::from(regexp.source());
        let is_plain = source.is_ascii() && !source.contains('/');
        is_plain.then(|| Arc::new(Pattern { source, options: Options::default(), regexp }))
    }

    /// The pattern as it can stand in another one.
    pub(super) fn to_s(&self) -> Outcome<String> {
        if self.source.contains('/') || !self.source.is_ascii() || self.source.starts_with("(?") {
            return Err(Stop::Unsupported);
        }
        let missing = self.options.missing();
        let minus = if missing.is_empty() { "" } else { "-" };
        Ok(format!("(?{}{minus}{missing}:{})", self.options.letters(), self.source))
    }

    pub(super) fn inspect(&self) -> Outcome<String> {
        if self.source.contains('/') || !self.source.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(Stop::Unsupported);
        }
        Ok(format!("/{}/{}", self.source, self.options.letters()))
    }

    pub(super) fn is_match(&self, text: &str) -> Outcome<bool> {
        self.regexp.is_match(text).map_err(|_| Stop::Unsupported)
    }

    /// The first match that starts at a byte or after it.
    pub(super) fn find(self: &Arc<Self>, text: &EcoString, start: usize) -> Outcome<Option<Match>> {
        let found = self.regexp.captures_from(text, start).map_err(|_| Stop::Unsupported)?;
        Ok(found.map(|captures| Match {
            pattern: self.clone(),
            text: text.clone(),
            groups: (0..captures.group_count()).map(|group| captures.range(group)).collect(),
        }))
    }

    /// All matches one after another.
    pub(super) fn find_all(self: &Arc<Self>, text: &EcoString) -> Outcome<Vec<Match>> {
        let matches = self.regexp.matches(text).map(|captures| {
            let captures = captures.map_err(|_| Stop::Unsupported)?;
            let groups = (0..captures.group_count()).map(|group| captures.range(group)).collect();
            Ok(Match { pattern: self.clone(), text: text.clone(), groups })
        });
        matches.collect()
    }
}

/// One match of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pattern: Arc<Pattern>,
    text: EcoString,
    groups: Vec<Option<(usize, usize)>>,
}

impl Match {
    pub(super) fn range(&self) -> (usize, usize) {
        self.groups.first().copied().flatten().unwrap_or_default()
    }

    pub(super) fn group_count(&self) -> usize {
        self.groups.len()
    }

    pub(super) fn group(&self, index: usize) -> Option<&str> {
        let (start, end) = self.groups.get(index).copied().flatten()?;
        self.text.get(start..end)
    }

    pub(super) fn group_value(&self, index: usize) -> Value {
        self.group(index).map_or(Value::Nil, Value::string)
    }

    /// The group of a name; the last one of that name that took part.
    pub(super) fn named(&self, name: &str) -> Outcome<Value> {
        let names = self.pattern.regexp.names();
        let mut groups = names.iter().enumerate().rev().filter(|(_, group)| group.as_deref() == Some(name)).peekable();
        if groups.peek().is_none() {
            return Err(Stop::Unsupported);
        }
        Ok(groups.find_map(|(index, _)| self.group(index + 1)).map_or(Value::Nil, Value::string))
    }

    pub(super) fn before(&self) -> &str {
        self.text.get(..self.range().0).unwrap_or_default()
    }

    pub(super) fn after(&self) -> &str {
        self.text.get(self.range().1..).unwrap_or_default()
    }

    /// Where the match starts, counted in characters.
    pub(super) fn start_in_characters(&self) -> usize {
        self.before().chars().count()
    }

    /// The groups without the whole match.
    pub(super) fn captures(&self) -> Vec<Value> {
        (1..self.groups.len()).map(|index| self.group_value(index)).collect()
    }
}
