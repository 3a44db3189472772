//! Methods of texts and symbols.

use std::cmp::Ordering;

use ecow::EcoString;

use super::super::interpret::{Interpreter, LONGEST};
use super::super::method::Method;
use super::super::pattern::Options;
use super::super::tree::Block;
use super::super::value::{Outcome, Stop, Text, Value};
use super::array::bounds;
use super::{size, text};

impl<'t> Interpreter<'t, '_, '_> {
    pub(super) fn string_method(
        &mut self,
        own: &Text,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        let content = own.get();
        if let Some(changed) = text::plain_method(&content, method, args)? {
            return Ok(changed);
        }
        Ok(match (method, args) {
            (Method::Add, [Value::String(other)]) => limited(content + other.get())?,
            (Method::Multiply, [count]) => {
                let count = size(count)?;
                if content.len().saturating_mul(count) > LONGEST {
                    return Err(Stop::Unsupported);
                }
                Value::string(content.repeat(count))
            }
            (Method::Modulo, [Value::Array(list)]) => Value::string(self.format(&content, &list.items())?),
            (Method::Modulo, [value]) => Value::string(self.format(&content, std::slice::from_ref(value))?),
            (Method::ShiftLeft | Method::Concat, [Value::String(other)]) => {
                let added = other.get();
                if content.len() + added.len() > LONGEST {
                    return Err(Stop::Unsupported);
                }
                own.change(|text| text.push_str(&added))?;
                Value::String(own.clone())
            }
            (Method::Replace, [Value::String(other)]) => {
                let new = other.get();
                own.change(|text| *text = new)?;
                Value::String(own.clone())
            }
            (Method::Plus, []) => Value::String(own.clone()),
            (Method::ToStr, []) => Value::String(own.clone()),
            (Method::Matches, [Value::Regexp(pattern)]) => self.match_position(pattern, &content)?,
            (Method::Match, [Value::Regexp(pattern)]) => self.find(pattern, &content)?.map_or(Value::Nil, Value::Match),
            (Method::Match, [Value::String(source)]) => {
                let pattern = self.run.pattern(&source.get(), Options::default())?;
                self.find(&pattern, &content)?.map_or(Value::Nil, Value::Match)
            }
            (Method::MatchP, [Value::Regexp(pattern)]) => Value::Boolean(pattern.is_match(&content)?),
            (Method::At | Method::Slice, [Value::Regexp(pattern)]) => self.matched_part(&content, pattern, None)?,
            (Method::At | Method::Slice, [Value::Regexp(pattern), group]) => {
                self.matched_part(&content, pattern, Some(group))?
            }
            (Method::At | Method::Slice, [Value::Integer(index)]) => part(&content, *index, 1, true),
            (Method::At | Method::Slice, [Value::Integer(start), Value::Integer(length)]) => {
                part(&content, *start, *length, false)
            }
            (Method::At | Method::Slice, [Value::Range(range)]) => match bounds(range, content.chars().count())? {
                Some((start, length)) => part(&content, start, length, false),
                None => Value::Nil,
            },
            (Method::At | Method::Slice, [Value::String(wanted)]) => {
                if content.contains(wanted.get().as_str()) {
                    Value::string(wanted.get())
                } else {
                    Value::Nil
                }
            }
            (Method::Sub, _) => Value::string(self.substituted(&content, args, block, false)?),
            (Method::Gsub, _) => Value::string(self.substituted(&content, args, block, true)?),
            (Method::SubBang | Method::GsubBang, _) => {
                own.change(|_| ())?;
                match self.substitute(&content, args, block, method == Method::GsubBang)? {
                    Some(changed) => {
                        own.change(|text| *text = changed.into())?;
                        Value::String(own.clone())
                    }
                    None => Value::Nil,
                }
            }
            (Method::Scan, [wanted]) if block.is_none() => self.scan(&content, wanted)?,
            (Method::Split, _) if block.is_none() => self.split(&content, args)?,
            (Method::EachLine, []) | (Method::EachChar, []) => {
                let parts = if method == Method::EachLine { text::lines(&content) } else { text::characters(&content) };
                let Some(block) = block else {
                    return self.enumerable_method(&Value::array(parts), Method::Each, &[], None);
                };
                for part in parts {
                    self.give(block, part)?;
                }
                Value::String(own.clone())
            }
            (Method::Index, [Value::Regexp(pattern)]) => self.match_position(pattern, &content)?,
            (Method::Compare, [Value::String(other)]) => {
                Value::Integer(content.as_bytes().cmp(other.get().as_bytes()) as i64)
            }
            (Method::Less | Method::LessOrEqual | Method::Greater | Method::GreaterOrEqual, [Value::String(other)]) => {
                let order = content.as_bytes().cmp(other.get().as_bytes());
                Value::Boolean(match method {
                    Method::Less => order == Ordering::Less,
                    Method::LessOrEqual => order != Ordering::Greater,
                    Method::Greater => order == Ordering::Greater,
                    _ => order != Ordering::Less,
                })
            }
            _ => return Err(Stop::Unsupported),
        })
    }

    fn substituted(
        &mut self,
        text: &EcoString,
        args: &[Value],
        block: Option<&'t Block>,
        everywhere: bool,
    ) -> Outcome<EcoString> {
        Ok(self.substitute(text, args, block, everywhere)?.map_or_else(|| text.clone(), EcoString::from))
    }

    /// `split`.
    fn split(&mut self, content: &EcoString, args: &[Value]) -> Outcome {
        let limit = match args.get(1) {
            None => 0,
            Some(Value::Integer(limit)) => *limit,
            Some(_) => return Err(Stop::Unsupported),
        };
        if content.is_empty() {
            return Ok(Value::array(Vec::new()));
        }
        let mut fields: Vec<EcoString> = match args.first() {
            None | Some(Value::Nil) if limit == 0 => text::words(content),
            Some(Value::String(separator)) => {
                let separator = separator.get();
                match (separator.as_str(), usize::try_from(limit)) {
                    (" ", Ok(0)) => text::words(content),
                    (" " | "", _) if limit != 0 => return Err(Stop::Unsupported),
                    ("", _) => content.chars().map(EcoString::from).collect(),
                    (separator, Ok(count)) if count > 0 => {
                        content.splitn(count, separator).map(EcoString::from).collect()
                    }
                    (separator, _) => content.split(separator).map(EcoString::from).collect(),
                }
            }
            Some(Value::Regexp(pattern)) => self.split_by_pattern(content, pattern, limit)?,
            _ => return Err(Stop::Unsupported),
        };
        if limit == 0 {
            while fields.last().is_some_and(EcoString::is_empty) {
                fields.pop();
            }
        }
        Ok(Value::array(fields.into_iter().map(Value::string).collect()))
    }

    pub(super) fn symbol_method(&mut self, name: &EcoString, method: Method, args: &[Value]) -> Outcome {
        Ok(match (method, args) {
            (Method::ToSym, []) => Value::Symbol(name.clone()),
            (Method::Upcase | Method::Downcase | Method::Capitalize, []) => {
                match text::plain_method(name, method, args)? {
                    Some(Value::String(changed)) => Value::Symbol(changed.get()),
                    _ => return Err(Stop::Unsupported),
                }
            }
            (Method::Compare, [Value::Symbol(other)]) => Value::Integer(name.as_bytes().cmp(other.as_bytes()) as i64),
            (Method::Length | Method::Size | Method::EmptyP | Method::StartWithP | Method::EndWithP, _) => {
                text::plain_method(name, method, args)?.ok_or(Stop::Unsupported)?
            }
            _ => return Err(Stop::Unsupported),
        })
    }
}

/// A text that is not too long.
fn limited(text: EcoString) -> Outcome {
    if text.len() > LONGEST { Err(Stop::Unsupported) } else { Ok(Value::string(text)) }
}

/// Part of a text by characters; `is_one` for a single character, which must be there.
fn part(content: &str, start: i64, length: i64, is_one: bool) -> Value {
    let total = content.chars().count();
    let signed_total = i64::try_from(total).unwrap_or(i64::MAX);
    let start = if start < 0 { start.saturating_add(signed_total) } else { start };
    let (Ok(start), Ok(length)) = (usize::try_from(start), usize::try_from(length)) else { return Value::Nil };
    if start > total || (is_one && start == total) {
        return Value::Nil;
    }
    Value::string(content.chars().skip(start).take(length).collect::<EcoString>())
}
