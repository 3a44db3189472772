//! Double-quoted strings and heredocs: text with interpolations between its parts.

use super::{LexError, Lexer, Lexing, MAX_DEPTH, variable_name};
use crate::token::Kind;

/// A part of a string.
enum Part {
    Text(usize, usize),
    /// What stands between `${` and `}`.
    Interpolation(usize, usize),
    /// `$name`: where the token begins, and the name. Compatibility: after a line break the token begins with that break.
    Unenclosed(usize, (usize, usize)),
}

/// The kinds of the tokens of a string with interpolations.
struct Kinds {
    pre: Kind,
    mid: Kind,
    post: Kind,
}

const QUOTED: Kinds = Kinds { pre: Kind::DqPre, mid: Kind::DqMid, post: Kind::DqPost };
const HEREDOC: Kinds = Kinds { pre: Kind::HeredocPre, mid: Kind::HeredocMid, post: Kind::HeredocPost };

impl Lexer<'_> {
    /// A string that begins at a double quote.
    pub(super) fn double_quoted(&mut self, at: usize, end: usize) -> Lexing<usize> {
        let Some((parts, close)) = split(self.text, at + 1, end, true) else {
            return Err(self.error(true));
        };
        if let [Part::Text(start, end)] = *parts.as_slice() {
            return Ok(self.push(Kind::String, (at, close), (start, end)));
        }
        self.parts(&parts, at, close, &QUOTED)?;
        Ok(close)
    }

    /// The text of a heredoc, to the end of its end tag.
    pub(super) fn heredoc(&mut self, at: usize, end: usize, tag: &str) -> Lexing<usize> {
        let tag = tag.trim();
        let is_interpolated = tag.starts_with('"');
        let name = if is_interpolated { tag.split('"').nth(1) } else { tag.split([':', '/']).next() };
        let name = name.unwrap_or_default().trim();
        let Some((name_start, close)) = end_tag(self.text, at, end, name) else {
            return Err(self.error(false));
        };
        let text_end = before_tag(self.text, at, name_start);
        let parts = if is_interpolated { split(self.text, at, text_end, false) } else { None };
        match parts {
            Some((parts, _)) if parts.len() > 1 => self.parts(&parts, at, close, &HEREDOC)?,
            _ => {
                self.push(Kind::Heredoc, (at, close), (at, text_end));
            }
        }
        Ok(close)
    }

    /// The tokens of a string with interpolations, which reaches from one byte to another, delimiters included.
    fn parts(&mut self, parts: &[Part], at: usize, close: usize, kinds: &Kinds) -> Lexing<()> {
        let last = parts.len().saturating_sub(1);
        let mut from = at;
        for (index, part) in parts.iter().enumerate() {
            match *part {
                Part::Text(start, end) => {
                    let kind = match index {
                        0 => kinds.pre,
                        index if index == last => kinds.post,
                        _ => kinds.mid,
                    };
                    let until = match parts.get(index + 1) {
                        Some(&Part::Interpolation(start, _) | &Part::Unenclosed(start, _)) => start,
                        _ => close,
                    };
                    from = self.push(kind, (from, until), (start, end));
                }
                Part::Interpolation(start, end) => {
                    self.interpolation(start, end)?;
                    from = end;
                }
                Part::Unenclosed(start, name) => from = self.push(Kind::UnenclosedVariable, (start, name.1), name),
            }
        }
        Ok(())
    }

    fn interpolation(&mut self, start: usize, end: usize) -> Result<(), LexError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(false));
        }
        self.depth += 1;
        let result = bunraku_syntax::deep(|| self.run(start, end));
        self.depth -= 1;
        result
    }
}

/// The parts of a string, and where it ends: behind its quote, or at the end of the range. Text and interpolations
/// alternate, and text comes first and last. Nothing, if quote or brace is missing.
fn split(text: &str, start: usize, end: usize, is_quoted: bool) -> Option<(Vec<Part>, usize)> {
    let bytes = text.as_bytes().get(..end)?;
    let byte = |at: usize| bytes.get(at).copied();
    let name_at = |at: usize| match byte(at) {
        Some(b'$') => variable_name(text.get(at + 1..end).unwrap_or_default()),
        _ => 0,
    };
    let mut parts = Vec::new();
    let (mut at, mut from, mut depth) = (start, start, 0_usize);
    while let Some(current) = byte(at) {
        let is_escaped = at > from && byte(at - 1) == Some(b'\\');
        match current {
            b'$' if byte(at + 1) == Some(b'{') && !is_escaped => {
                if depth == 0 {
                    parts.push(Part::Text(from, at));
                    from = at + 2;
                }
                depth += 1;
                at += 2;
            }
            b'{' if depth > 0 => {
                depth += 1;
                at += 1;
            }
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    parts.push(Part::Interpolation(from, at));
                    from = at + 1;
                }
                at += 1;
            }
            b'$' if depth == 0 && !is_escaped && name_at(at) > 0 => {
                let name = (at + 1, at + 1 + name_at(at));
                parts.push(Part::Text(from, at));
                parts.push(Part::Unenclosed(at, name));
                (at, from) = (name.1, name.1);
            }
            b'\n' if depth == 0 && !is_escaped && name_at(at + 1) > 0 => {
                let name = (at + 2, at + 2 + name_at(at + 1));
                parts.push(Part::Text(from, at));
                parts.push(Part::Unenclosed(at, name));
                (at, from) = (name.1, name.1);
            }
            b'"' if is_quoted => {
                at += 1;
                if depth == 0 {
                    parts.push(Part::Text(from, at - 1));
                    return Some((parts, at));
                }
            }
            b'\\' if is_quoted => {
                let run = bytes.iter().skip(at).take_while(|&&byte| byte == b'\\').count();
                let escapes_quote = run % 2 == 1 && byte(at + run) == Some(b'"');
                at += run + usize::from(escapes_quote);
            }
            _ => at += 1,
        }
    }
    if is_quoted || depth > 0 {
        return None;
    }
    parts.push(Part::Text(from, end));
    Some((parts, end))
}

/// Where the end tag of a heredoc begins and ends: `NAME` on a line, after nothing but a margin and a dash.
fn end_tag(text: &str, start: usize, end: usize, name: &str) -> Option<(usize, usize)> {
    let mut at = start;
    while at < end {
        let rest = text.get(at..end)?;
        let line = rest.get(..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len()))?;
        let margin = line.trim_start();
        let margin = margin.strip_prefix('|').unwrap_or(margin).trim_start();
        let margin = margin.strip_prefix('-').unwrap_or(margin).trim_start();
        if let Some(after) = margin.strip_prefix(name)
            && after.trim().is_empty()
        {
            let start = at + line.len() - margin.len();
            return Some((start, start + name.len()));
        }
        at += line.len() + 1;
    }
    None
}

/// Where the text of a heredoc ends for puppet-lint: at the bar of its margin, or else before the white space in front
/// of the end tag, line breaks included.
fn before_tag(text: &str, start: usize, name_start: usize) -> usize {
    let text = text.get(start..name_start).unwrap_or_default();
    let text = text.trim_end();
    let text = text.strip_suffix('-').map_or(text, str::trim_end);
    start + text.strip_suffix('|').unwrap_or(text).len()
}
