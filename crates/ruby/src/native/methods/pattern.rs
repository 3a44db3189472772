//! Methods of regular expressions and of their matches, and those of texts that take one.

use std::rc::Rc;
use std::sync::Arc;

use bunraku_pcore::regexp::escape;
use ecow::EcoString;

use super::super::interpret::{Interpreter, LONGEST};
use super::super::method::Method;
use super::super::pattern::{Match, Options, Pattern};
use super::super::show;
use super::super::tree::Block;
use super::super::value::{Outcome, Stop, Value};
use super::size;

impl<'t> Interpreter<'t, '_, '_> {
    pub(super) fn pattern_method(&mut self, pattern: &Arc<Pattern>, method: Method, args: &[Value]) -> Outcome {
        Ok(match (method, args) {
            (Method::Matches, [Value::Nil]) => {
                self.set_last_match(None);
                Value::Nil
            }
            (Method::Matches, [Value::String(text)]) => self.match_position(pattern, &text.get())?,
            (Method::Match, [Value::String(text)]) => self.find(pattern, &text.get())?.map_or(Value::Nil, Value::Match),
            (Method::MatchP, [Value::String(text)]) => Value::Boolean(pattern.is_match(&text.get())?),
            (Method::Source, []) => Value::string(pattern.source.clone()),
            _ => return Err(Stop::Unsupported),
        })
    }

    pub(super) fn match_method(&mut self, found: &Rc<Match>, method: Method, args: &[Value]) -> Outcome {
        Ok(match (method, args) {
            (Method::At, [Value::Integer(_)]) => found.group_value(args.first().map_or(Err(Stop::Unsupported), size)?),
            (Method::At, [Value::Integer(_), Value::Integer(_)] | [Value::Range(_)]) => {
                let groups = self.match_method(found, Method::ToA, &[])?;
                self.send(&groups, Method::At, args, None)?
            }
            (Method::At, [Value::String(name)]) => found.named(&name.get())?,
            (Method::At, [Value::Symbol(name)]) => found.named(name)?,
            (Method::Captures, []) => Value::array(found.captures()),
            (Method::ToA, []) => Value::array((0..found.group_count()).map(|index| found.group_value(index)).collect()),
            (Method::PreMatch, []) => Value::string(found.before()),
            (Method::PostMatch, []) => Value::string(found.after()),
            _ => return Err(Stop::Unsupported),
        })
    }

    /// `text =~ pattern`.
    pub(super) fn match_position(&mut self, pattern: &Arc<Pattern>, text: &EcoString) -> Outcome {
        let found = self.find(pattern, text)?;
        Ok(found.map_or(Value::Nil, |found| Value::count(found.start_in_characters())))
    }

    /// The pattern that a text or a regular expression stands for.
    fn pattern_of(&mut self, value: &Value) -> Outcome<Arc<Pattern>> {
        match value {
            Value::Regexp(pattern) => Ok(pattern.clone()),
            Value::String(text) => self.run.pattern(&escape(&text.get()).into(), Options::default()),
            _ => Err(Stop::Unsupported),
        }
    }

    /// `sub` and `gsub`; nothing where nothing matches.
    pub(super) fn substitute(
        &mut self,
        text: &EcoString,
        args: &[Value],
        block: Option<&'t Block>,
        everywhere: bool,
    ) -> Outcome<Option<String>> {
        let (wanted, replacement) = match (args, block) {
            ([wanted, Value::String(replacement)], None) => (wanted, Some(replacement.get())),
            ([wanted], Some(_)) => (wanted, None),
            _ => return Err(Stop::Unsupported),
        };
        let pattern = self.pattern_of(wanted)?;
        let matches = if everywhere { pattern.find_all(text)? } else { pattern.find(text, 0)?.into_iter().collect() };
        let Some(last) = matches.last().cloned() else {
            self.set_last_match(None);
            return Ok(None);
        };
        let mut result = String::with_capacity(text.len());
        let mut copied = 0;
        for found in matches {
            let (start, end) = found.range();
            result.push_str(text.get(copied..start).unwrap_or_default());
            copied = end;
            match (&replacement, block) {
                (Some(replacement), _) => expand(replacement, &found, &mut result)?,
                (None, Some(block)) => {
                    self.set_last_match(Some(found.clone()));
                    let value = self.give(block, found.group_value(0))?;
                    result.push_str(&show::to_s(&value)?);
                }
                (None, None) => {}
            }
            if result.len() > LONGEST {
                return Err(Stop::Unsupported);
            }
        }
        result.push_str(text.get(copied..).unwrap_or_default());
        self.set_last_match(Some(last));
        Ok(Some(result))
    }

    /// `scan` without a block.
    pub(super) fn scan(&mut self, text: &EcoString, wanted: &Value) -> Outcome {
        let pattern = self.pattern_of(wanted)?;
        let matches = pattern.find_all(text)?;
        self.set_last_match(matches.last().cloned());
        let found = |found: &Match| match found.group_count() {
            1 => found.group_value(0),
            _ => Value::array(found.captures()),
        };
        Ok(Value::array(matches.iter().map(found).collect()))
    }

    /// `text[pattern]` and `text[pattern, group]`.
    pub(super) fn matched_part(&mut self, text: &EcoString, pattern: &Arc<Pattern>, group: Option<&Value>) -> Outcome {
        let Some(found) = self.find(pattern, text)? else { return Ok(Value::Nil) };
        match group {
            None => Ok(found.group_value(0)),
            Some(group) => self.match_method(&found, Method::At, std::slice::from_ref(group)),
        }
    }

    /// `split` by a regular expression, `limit` as Ruby has it.
    pub(super) fn split_by_pattern(
        &mut self,
        text: &EcoString,
        pattern: &Arc<Pattern>,
        limit: i64,
    ) -> Outcome<Vec<EcoString>> {
        let mut fields: Vec<EcoString> = Vec::new();
        let (mut begin, mut search) = (0, 0);
        while limit <= 0 || i64::try_from(fields.len()).unwrap_or(i64::MAX) < limit - 1 {
            let Some(found) = pattern.find(text, search)? else { break };
            let (start, end) = found.range();
            if start == end {
                if start >= text.len() {
                    break;
                }
                if start == begin {
                    let width = text.get(begin..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                    search = begin + width;
                    // An empty match between characters ends a field in front of the next character.
                    match pattern.find(text, search)? {
                        Some(_) => continue,
                        None => break,
                    }
                }
            }
            fields.push(text.get(begin..start).unwrap_or_default().into());
            fields.extend((1..found.group_count()).filter_map(|group| found.group(group)).map(EcoString::from));
            begin = end;
            search = end;
        }
        fields.push(text.get(begin..).unwrap_or_default().into());
        Ok(fields)
    }
}

/// Adds a replacement with the groups it refers to.
fn expand(replacement: &str, found: &Match, result: &mut String) -> Outcome<()> {
    let mut letters = replacement.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            result.push(letter);
            continue;
        }
        match letters.next() {
            Some(digit @ '0'..='9') => {
                let group = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or_default();
                result.push_str(found.group(group).unwrap_or_default());
            }
            Some('&') => result.push_str(found.group(0).unwrap_or_default()),
            Some('\\') => result.push('\\'),
            Some('k' | '`' | '\'') => return Err(Stop::Unsupported),
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
    }
    Ok(())
}
