//! Regular expressions with their options, and what they match.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::value::{Str, Value};
use super::{Outcome, Vm};

/// The options behind the closing slash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Options {
    pub(crate) multi_line: bool,
    pub(crate) ignore_case: bool,
    pub(crate) extended: bool,
}

impl Options {
    /// The letters of the options that are set, or of those that are not.
    fn letters(self, set: bool) -> String {
        let all = [(self.multi_line, 'm'), (self.ignore_case, 'i'), (self.extended, 'x')];
        all.iter().filter(|(is_set, _)| *is_set == set).map(|(_, letter)| letter).collect()
    }
}

/// How many compiled patterns a session keeps, and how long their sources may be.
const MOST_KEPT: usize = 256;
const LONGEST_KEPT: usize = 4096;

/// A compiled pattern.
pub(crate) type Shared = bunraku_pcore::Regexp;

/// A regular expression.
pub(crate) struct Regexp {
    pub(crate) source: String,
    pub(crate) options: Options,
    pub(crate) compiled: Arc<Shared>,
    /// Those of the source are from the start.
    pub(crate) frozen: Cell<bool>,
}

/// A match.
pub(crate) struct Match {
    pub(crate) regexp: Rc<Regexp>,
    pub(crate) text: Rc<str>,
    pub(crate) groups: Vec<Option<(usize, usize)>>,
}

impl Match {
    pub(crate) fn range(&self) -> (usize, usize) {
        self.groups.first().copied().flatten().unwrap_or_default()
    }

    pub(crate) fn group(&self, index: usize) -> Option<&str> {
        let (start, end) = self.groups.get(index).copied().flatten()?;
        self.text.get(start..end)
    }

    pub(crate) fn value(&self, index: usize) -> Value {
        self.group(index).map_or(Value::Nil, Value::from)
    }

    pub(crate) fn before(&self) -> &str {
        self.text.get(..self.range().0).unwrap_or_default()
    }

    pub(crate) fn after(&self) -> &str {
        self.text.get(self.range().1..).unwrap_or_default()
    }

    /// The group of a name; the last one of that name that took part.
    pub(crate) fn named(&self, name: &str) -> Option<Value> {
        let names = self.regexp.compiled.names();
        let mut found = None;
        for (index, group) in names.iter().enumerate().filter(|(_, group)| group.as_deref() == Some(name)) {
            let _ = group;
            if found.as_ref().is_none_or(Value::is_nil) || self.group(index + 1).is_some() {
                found = Some(self.value(index + 1));
            }
        }
        found
    }
}

impl Regexp {
    pub(crate) fn to_s(&self) -> String {
        let missing = self.options.letters(false);
        let minus = if missing.is_empty() { "" } else { "-" };
        format!("(?{}{minus}{missing}:{})", self.options.letters(true), self.source)
    }

    pub(crate) fn inspect(&self) -> String {
        let mut source = String::new();
        let mut is_escaped = false;
        for letter in self.source.chars() {
            match letter {
                '/' if !is_escaped => source.push_str("\\/"),
                '\n' => source.push_str("\\n"),
                letter => source.push(letter),
            }
            is_escaped = letter == '\\' && !is_escaped;
        }
        format!("/{source}/{}", self.options.letters(true))
    }
}

/// Reads a pattern; why it is refused, otherwise.
pub(crate) fn compile(source: &str, options: Options) -> Result<Arc<Shared>, String> {
    let letters = options.letters(true);
    let compiled = match letters.as_str() {
        "" => Shared::new(source),
        // A comment of an extended pattern ends with its line.
        letters if options.extended => Shared::new(&format!("(?{letters}:{source}\n)")),
        letters => Shared::new(&format!("(?{letters}:{source})")),
    };
    compiled.map(Arc::new).map_err(|issue| issue.message().to_string())
}

impl Vm {
    pub(crate) fn regexp(&mut self, source: &str, options: Options) -> Outcome<Rc<Regexp>> {
        let source = source.to_owned();
        // What code puts together anew is the same pattern most of the time, and compiling it costs more than using it.
        if let Some(compiled) = self.patterns.get(&(source.clone(), options)).cloned() {
            return Ok(Rc::new(Regexp { source, options, compiled, frozen: Cell::new(false) }));
        }
        let compiled = compile(&source, options).map_err(|message| self.error("RegexpError", &message))?;
        if source.len() <= LONGEST_KEPT {
            if self.patterns.len() >= MOST_KEPT {
                self.patterns.clear();
            }
            self.patterns.insert((source.clone(), options), Arc::clone(&compiled));
        }
        Ok(Rc::new(Regexp { source, options, compiled, frozen: Cell::new(false) }))
    }

    /// The text that a pattern is looked for in.
    fn searched(&mut self, string: &Str) -> Outcome<Rc<str>> {
        if let Ok(text) = std::str::from_utf8(&string.bytes.borrow()) {
            return Ok(text.into());
        }
        if string.is_valid() {
            return Err(self.error("NotImplementedError", "looking for a pattern in bytes that are no text"));
        }
        let encoding = string.encoding.get().name();
        Err(self.argument_error(&format!("invalid byte sequence in {encoding}")))
    }

    /// The first match from a byte on.
    pub(crate) fn find(&mut self, regexp: &Rc<Regexp>, text: &Str, start: usize) -> Outcome<Option<Rc<Match>>> {
        let text = self.searched(text)?;
        let found = regexp.compiled.captures_from(&text, start).map(|found| {
            found.map(|found| (0..found.group_count()).map(|group| found.range(group)).collect::<Vec<_>>())
        });
        match found {
            Ok(Some(groups)) => Ok(Some(Rc::new(Match { regexp: regexp.clone(), text, groups }))),
            Ok(None) => Ok(None),
            Err(issue) => Err(self.error("RegexpError", issue.message())),
        }
    }

    /// Whether there is a match from a byte on.
    pub(crate) fn is_found(&mut self, regexp: &Rc<Regexp>, string: &Str, start: usize) -> Outcome<bool> {
        if start == 0
            && let Ok(text) = std::str::from_utf8(&string.bytes.borrow())
        {
            return match regexp.compiled.is_match(text) {
                Ok(is_match) => Ok(is_match),
                Err(issue) => Err(self.error("RegexpError", issue.message())),
            };
        }
        Ok(self.find(regexp, string, start)?.is_some())
    }

    /// All matches one after another.
    pub(crate) fn find_all(&mut self, regexp: &Rc<Regexp>, text: &Str) -> Outcome<Vec<Rc<Match>>> {
        let text = self.searched(text)?;
        let mut all = Vec::new();
        for found in regexp.compiled.matches(&text) {
            match found {
                Ok(found) => {
                    let groups = (0..found.group_count()).map(|group| found.range(group)).collect();
                    all.push(Rc::new(Match { regexp: regexp.clone(), text: text.clone(), groups }));
                }
                Err(issue) => return Err(self.error("RegexpError", issue.message())),
            }
        }
        Ok(all)
    }
}
