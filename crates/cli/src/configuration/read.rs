//! Reads the text of `bunraku.toml` against the table of keys. Whatever is not known there is an error with its place, and
//! all errors are told at once.

use std::ops::Range;

use bunraku::{Diagnostic, FileId, Issue, Source, Span, nearest};
use bunraku_lint::{Kind, RULES};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::keys::{self, KEYS, Key, Takes};
use super::{Given, Level, Levels, PathRule};

/// What the text says.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) values: Vec<(&'static Key, Given)>,
    pub(super) checks: Levels,
    pub(super) paths: Vec<PathRule>,
}

/// The tables of the file that are no keys of their own.
const TABLES: &[&str] = &["puppet", "lint", "fmt"];

/// What `[lint]` has besides its keys, and what an entry of `[[lint.paths]]` has.
const CHECKS: &str = "checks";
const PATHS: &str = "paths";
const MATCH: &str = "match";

/// Reads the text; all that is wrong with it otherwise.
pub(super) fn read(source: &Source) -> Result<Read, Vec<Diagnostic>> {
    let (document, broken) = DeTable::parse_recoverable(&source.text);
    let mut reader = Reader { read: Read::default(), wrong: Vec::new() };
    if broken.is_empty() {
        reader.document(document.get_ref());
    }
    for error in broken {
        reader.wrong(&error.span().unwrap_or_default(), error.message().to_owned());
    }
    if reader.wrong.is_empty() {
        return Ok(reader.read);
    }
    reader.wrong.sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
    Err(reader.wrong)
}

struct Reader {
    read: Read,
    wrong: Vec<Diagnostic>,
}

impl Reader {
    fn wrong(&mut self, at: &Range<usize>, message: String) {
        let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        let span = Span::new(FileId(0), offset(at.start), offset(at.end));
        self.wrong.push(Issue::new("INVALID_CONFIGURATION", message).at(span));
    }

    /// Refuses a name that is not known, and tells which one may have been meant.
    fn unknown<'n>(&mut self, at: &Range<usize>, what: &str, name: &str, known: impl Iterator<Item = &'n str> + Clone) {
        let hint = match nearest(name, known.clone()) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
        };
        self.wrong(at, format!("Unknown {what} '{name}'; {hint}"));
    }

    fn document(&mut self, document: &DeTable<'_>) {
        for (name, value) in document {
            let at = name.span();
            match (name.get_ref().as_ref(), value.get_ref()) {
                (name, DeValue::Table(table)) if TABLES.contains(&name) => self.table(name, table),
                (name, _) if TABLES.contains(&name) => self.wrong(&at, format!("'{name}' is a table: [{name}]")),
                (name, _) => self.unknown(&at, "table", name, TABLES.iter().copied()),
            }
        }
    }

    fn table(&mut self, table: &str, entries: &DeTable<'_>) {
        for (name, value) in entries {
            match (table, name.get_ref().as_ref(), value.get_ref()) {
                ("lint", CHECKS, DeValue::Table(levels)) => self.read.checks = self.levels(levels),
                ("lint", PATHS, DeValue::Array(rules)) => self.path_rules(rules),
                ("lint", CHECKS | PATHS, _) => {
                    let at = name.span();
                    self.wrong(&at, format!("[lint.{CHECKS}] is a table, and [[lint.{PATHS}]] begins an entry"));
                }
                (_, given, _) => match keys::find(table, given) {
                    Some(key) => self.value(key, value),
                    None => {
                        let own = KEYS.iter().filter(|key| key.table == table).map(|key| key.name);
                        let more: &[&str] = if table == "lint" { &[CHECKS, PATHS] } else { &[] };
                        self.unknown(
                            &name.span(),
                            &format!("key in [{table}]"),
                            given,
                            own.chain(more.iter().copied()),
                        );
                    }
                },
            }
        }
    }

    fn value(&mut self, key: &'static Key, value: &Spanned<DeValue<'_>>) {
        let given = match (key.takes, value.get_ref()) {
            (Takes::Boolean, DeValue::Boolean(given)) => Ok(Given::Boolean(*given)),
            (Takes::Number(_), DeValue::Integer(given)) => number(key, given.as_str()),
            (Takes::String | Takes::Choice(_) | Takes::Paths, DeValue::String(given)) => string(key, given),
            (Takes::Paths, DeValue::Array(_)) => {
                self.strings(key.name, value).map_or(Ok(Given::Strings(Vec::new())), |all| string(key, &all.join(":")))
            }
            (Takes::Strings, DeValue::Array(_)) => match self.strings(key.name, value) {
                Some(all) => strings(key, all),
                None => return,
            },
            _ => Err(wrong_kind(key)),
        };
        match given {
            Ok(given) => self.read.values.push((key, given)),
            Err(message) => self.wrong(&value.span(), message),
        }
    }

    /// A list of strings; what else is in it is told.
    fn strings(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
        let DeValue::Array(all) = value.get_ref() else {
            self.wrong(&value.span(), format!("'{name}' takes a list of strings"));
            return None;
        };
        let mut strings = Vec::new();
        for one in all.iter() {
            match one.get_ref() {
                DeValue::String(text) => strings.push(text.to_string()),
                _ => self.wrong(&one.span(), format!("'{name}' takes a list of strings")),
            }
        }
        (strings.len() == all.len()).then_some(strings)
    }

    fn levels(&mut self, entries: &DeTable<'_>) -> Levels {
        let mut levels = Levels::default();
        for (name, value) in entries {
            let Some(rule) = RULES.iter().find(|rule| rule.name == name.get_ref().as_ref()) else {
                self.unknown_check(&name.span(), name.get_ref());
                continue;
            };
            let level = match value.get_ref() {
                DeValue::Boolean(true) => Level::On,
                DeValue::Boolean(false) => Level::Off,
                DeValue::String(word) if word == "warning" => Level::As(Kind::Warning),
                DeValue::String(word) if word == "error" => Level::As(Kind::Error),
                _ => {
                    self.wrong(&value.span(), format!("'{}' takes true, false, \"warning\" or \"error\"", rule.name));
                    continue;
                }
            };
            levels.push((rule.name, level));
        }
        levels
    }

    fn unknown_check(&mut self, at: &Range<usize>, name: &str) {
        let hint = match nearest(name, RULES.iter().map(|rule| rule.name)) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => "bunraku lint --list-checks shows them all".to_owned(),
        };
        self.wrong(at, format!("Unknown check '{name}'; {hint}"));
    }

    fn path_rules(&mut self, rules: &DeArray<'_>) {
        for rule in rules.iter() {
            let DeValue::Table(entries) = rule.get_ref() else {
                self.wrong(&rule.span(), format!("[[lint.{PATHS}]] begins an entry"));
                continue;
            };
            let mut read = PathRule::default();
            for (name, value) in entries {
                match (name.get_ref().as_ref(), value.get_ref()) {
                    (MATCH, _) => read.patterns = self.strings(MATCH, value).unwrap_or_default(),
                    (CHECKS, DeValue::Table(levels)) => read.checks = self.levels(levels),
                    (CHECKS, _) => self.wrong(&value.span(), format!("'{CHECKS}' is a table")),
                    (other, _) => {
                        let what = format!("key in [[lint.{PATHS}]]");
                        self.unknown(&name.span(), &what, other, [MATCH, CHECKS].into_iter());
                    }
                }
            }
            if !entries.iter().any(|(name, _)| name.get_ref() == MATCH) {
                self.wrong(&rule.span(), format!("An entry of [[lint.{PATHS}]] needs '{MATCH}', a list of patterns"));
            }
            self.read.paths.push(read);
        }
    }
}

/// What a variable of the environment says, which has nothing but a string for it.
pub(super) fn from_variable(key: &'static Key, text: &str) -> Result<Given, String> {
    match key.takes {
        Takes::Boolean => match text {
            "true" | "1" => Ok(Given::Boolean(true)),
            "false" | "0" | "" => Ok(Given::Boolean(false)),
            _ => Err(wrong_kind(key)),
        },
        Takes::Number(_) => number(key, text),
        Takes::String | Takes::Choice(_) | Takes::Paths => string(key, text),
        Takes::Strings => {
            strings(key, text.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect())
        }
    }
}

fn number(key: &Key, text: &str) -> Result<Given, String> {
    let most = if let Takes::Number(most) = key.takes { most } else { u64::MAX };
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.map(Given::Number).ok_or_else(|| wrong_kind(key))
}

fn string(key: &Key, text: &str) -> Result<Given, String> {
    match key.takes {
        Takes::Choice(words) if !words.contains(&text) => Err(wrong_kind(key)),
        _ => Ok(Given::String(text.to_owned())),
    }
}

/// A list, in which names of checks are those of checks.
fn strings(key: &Key, all: Vec<String>) -> Result<Given, String> {
    let is_check = |name: &String| RULES.iter().any(|rule| rule.name == name);
    let styles = ["doc", "kafo", "strings"];
    let wrong = match key.name {
        "only_checks" => all.iter().find(|name| !is_check(name)).map(|name| (name, "check")),
        "docs_allowed_styles" => all.iter().find(|name| !styles.contains(&name.as_str())).map(|name| (name, "style")),
        _ => None,
    };
    match wrong {
        Some((name, what)) => {
            let known = RULES.iter().map(|rule| rule.name).filter(|_| what == "check").chain(styles);
            let hint = nearest(name, known).map_or(String::new(), |meant| format!("; did you mean '{meant}'?"));
            Err(format!("Unknown {what} '{name}' in '{}'{hint}", key.name))
        }
        None => Ok(Given::Strings(all)),
    }
}

fn wrong_kind(key: &Key) -> String {
    format!("'{}' takes {}", key.name, key.kind())
}
