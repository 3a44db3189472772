//! Heredocs: the header, the lines that follow it, and their margin.

use std::sync::Arc;

use ecow::EcoString;

use super::escape::Escapes;
use super::lexed::{HeredocHeader, Unindented};
use super::{Lexer, MAX_STRING_DEPTH, Produced, Step, fail, is_blank};
use crate::issues;
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::Issue;

/// A header as written: `@(tag:syntax/escapes)`.
struct Header<'t> {
    tag: &'t str,
    syntax: &'t str,
    escapes: Escapes,
}

/// The line that ends a heredoc.
struct EndLine<'t> {
    /// The blanks before the margin bar.
    margin: Option<&'t str>,
    /// Whether the last line break is dropped.
    trims: bool,
}

impl<'t, 's> Lexer<'t, '_, 's> {
    /// Reads the header at the current position and the text that belongs to it, then goes on behind the header.
    pub(super) fn heredoc(&mut self) -> Step<Produced> {
        let start = self.position;
        let rest = self.slice(start, self.bytes.len());
        let Some(length) = rest.find(')') else {
            let issue = issues::heredoc_unclosed_parenthesis(&self.followed_by(start));
            return Err(fail(self.error_at(issue, start), self.bytes.len()));
        };
        let after_header = start + length + 1;
        let header = parse_header(self.slice(start, after_header))
            .map_err(|issue| fail(self.error_at(issue, after_header), after_header))?;
        self.depth += 1;
        if self.depth > MAX_STRING_DEPTH {
            let issue = issues::nesting_too_deep(MAX_STRING_DEPTH);
            return Err(fail(self.error_at(issue, start), self.bytes.len()));
        }

        let tag = self.tag(start, after_header, header.tag);
        let entry =
            HeredocHeader { tag, end_line: tag, lines: tag, syntax: header.syntax.into(), escapes: header.escapes };
        self.out.heredocs.push((self.out.tokens.len(), entry));
        self.push(TokenKind::Heredoc, start, after_header);
        self.heredoc_text(start, after_header, &header)?;
        self.depth -= 1;
        self.position = after_header;
        Ok(Produced::Several)
    }

    /// Where the tag is written in the header between two indices.
    fn tag(&self, start: usize, end: usize, tag: &str) -> Token {
        let header = self.slice(start, end);
        let inner = header.rfind("@(").map_or(0, |at| at + 2);
        let at = header.get(inner..).and_then(|inner| inner.find(tag)).unwrap_or(0);
        let start = self.base + (start + inner + at) as u32;
        Token { kind: TokenKind::Heredoc, start, end: start + tag.len() as u32 }
    }

    fn heredoc_text(&mut self, start: usize, after_header: usize, header: &Header<'t>) -> Step<()> {
        let first_line = match self.newline_jump {
            Some(jump) => jump,
            None => match memchr::memchr(b'\n', self.bytes.get(after_header..).unwrap_or_default()) {
                Some(newline) => after_header + newline + 1,
                None => {
                    let diagnostic = self.error_at(issues::heredoc_without_text(), after_header);
                    return Err(fail(diagnostic, self.bytes.len()));
                }
            },
        };
        let Some((end_line, text_end, next)) = self.find_end_line(first_line, header.tag) else {
            let diagnostic = self
                .error_at(issues::heredoc_without_end(), first_line)
                .with_label("the heredoc begins here", self.span(start, after_header));
            return Err(fail(diagnostic, self.bytes.len()));
        };
        self.newline_jump = Some(next);
        let line_end = text_end + trim_line_break(self.slice(text_end, next)).len();
        if let Some((_, header)) = self.out.heredocs.last_mut() {
            let lines = |start: usize, end: usize| Token {
                kind: TokenKind::Heredoc,
                start: self.base + start as u32,
                end: self.base + end as u32,
            };
            header.end_line = lines(text_end, line_end);
            header.lines = lines(first_line, next);
        }
        let text = self.slice(first_line, text_end);
        match end_line.margin {
            Some(margin) if !margin.is_empty() => {
                let (unindented, lines) = remove_margin(text, margin, end_line.trims);
                self.lex_unindented(unindented, lines, first_line, header.escapes)
            }
            _ => {
                let text = if end_line.trims { trim_line_break(text) } else { text };
                let base = self.base + first_line as u32;
                self.sub_lexer(text, base).unquoted(header.escapes).map(drop)
            }
        }
        // Where the text begins to be wrong says nothing about where the code around it goes on.
        .map_err(|failure| fail(failure.diagnostic, next))
    }

    fn lex_unindented(&mut self, text: String, lines: Vec<(u32, u32)>, first: usize, escapes: Escapes) -> Step<()> {
        let text: Arc<str> = text.into();
        let Some(base) = self.out.next_base(text.len()) else {
            let diagnostic = self.error_at(issues::source_too_large(), first);
            return Err(fail(diagnostic, self.bytes.len()));
        };
        let unindented = Unindented { text: Arc::clone(&text), base, origin: self.base + first as u32, lines };
        self.out.unindented.push(unindented);
        self.sub_lexer(&text, base).unquoted(escapes).map(drop)
    }

    fn sub_lexer<'a>(&mut self, text: &'a str, base: u32) -> Lexer<'a, '_, 's> {
        Lexer::new(text, base, self.depth, self.out)
    }

    /// The first line from `from` on that ends the heredoc: what it says, where it begins and where the next begins.
    fn find_end_line(&self, from: usize, tag: &str) -> Option<(EndLine<'t>, usize, usize)> {
        let mut start = from;
        while start < self.bytes.len() {
            let rest = self.bytes.get(start..)?;
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            if let Some(end_line) = parse_end_line(self.slice(start, start + length), tag) {
                return Some((end_line, start, start + length));
            }
            start += length;
        }
        None
    }
}

/// Takes a header apart. The reference also finds a header behind an unclosed one.
fn parse_header(text: &str) -> Result<Header<'_>, Issue> {
    let mut rest = text;
    while let Some((_, inner)) = rest.split_once("@(") {
        if let Some((tag, syntax, escapes)) = split_header(inner) {
            return finish_header(tag, syntax, escapes);
        }
        rest = inner;
    }
    Err(issues::heredoc_invalid_syntax())
}

/// Splits `tag:syntax/escapes)` into its parts.
fn split_header(inner: &str) -> Option<(&str, &str, Option<&str>)> {
    let inner = inner.strip_suffix(')')?;
    let (before_escapes, escapes) = match inner.split_once('/') {
        Some((before, escapes)) => (before, Some(escapes.trim_end_matches(is_blank))),
        None => (inner, None),
    };
    let (tag, syntax) = match before_escapes.split_once(':') {
        Some((tag, syntax)) => (tag, Some(syntax.trim_matches(is_blank))),
        None => (before_escapes, None),
    };
    let is_tag = !tag.is_empty() && !tag.contains(['\r', '\n']);
    let is_syntax = syntax.is_none_or(|syntax| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'+';
        syntax.len() > 1 && syntax.starts_with(|first: char| first.is_ascii_lowercase()) && syntax.bytes().all(is_part)
    });
    let is_escape = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let are_escapes = escapes.is_none_or(|escapes| escapes.bytes().all(is_escape));
    (is_tag && is_syntax && are_escapes).then_some((tag, syntax.unwrap_or_default(), escapes))
}

fn finish_header<'t>(tag: &'t str, syntax: &'t str, escapes: Option<&str>) -> Result<Header<'t>, Issue> {
    let tag = tag.trim();
    let quoted = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
    let tag_text = quoted.map_or(tag, str::trim);
    if tag_text.is_empty() {
        return Err(issues::heredoc_empty_endtag());
    }
    let mut enabled = Escapes { interpolates: quoted.is_some(), ..Escapes::default() };
    if let Some(letters) = escapes {
        enable(&mut enabled, letters)?;
    }
    Ok(Header { tag: tag_text, syntax, escapes: enabled })
}

/// Turns on the escapes that the letters of a header name.
fn enable(escapes: &mut Escapes, letters: &str) -> Result<(), Issue> {
    let letters = if letters.is_empty() { "trnsuL$" } else { letters };
    let is_repeated = letters.char_indices().any(|(index, letter)| letters.find(letter) != Some(index));
    if is_repeated {
        let listed: Vec<EcoString> = letters.chars().map(EcoString::from).collect();
        return Err(issues::heredoc_repeated_escape(&listed.join(", ")));
    }
    escapes.backslash = true;
    for letter in letters.chars() {
        let flag = match letter {
            't' => &mut escapes.tab,
            'r' => &mut escapes.carriage_return,
            'n' => &mut escapes.newline,
            's' => &mut escapes.space,
            'u' => &mut escapes.unicode,
            '$' => &mut escapes.dollar,
            'L' => &mut escapes.line_join,
            _ => return Err(issues::heredoc_invalid_escape(letter)),
        };
        *flag = true;
    }
    Ok(())
}

/// Whether a line ends the heredoc with this tag.
///
/// Compatibility: the tag only has to stand at the end of the line; text before it is lost.
fn parse_end_line<'t>(line: &'t str, tag: &str) -> Option<EndLine<'t>> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut before = line.trim_end_matches(is_blank).strip_suffix(tag)?;
    let mut end_line = EndLine { margin: None, trims: false };
    let mut blanks = before.trim_end_matches(is_blank);
    if let Some(stripped) = blanks.strip_suffix('-') {
        end_line.trims = true;
        before = stripped;
        blanks = before.trim_end_matches(is_blank);
    }
    if let Some(stripped) = blanks.strip_suffix('|') {
        let margin_start = stripped.trim_end_matches(is_blank).len();
        end_line.margin = stripped.get(margin_start..);
    }
    Some(end_line)
}

/// Removes the margin from every line that has it.
fn remove_margin(text: &str, margin: &str, trims: bool) -> (String, Vec<(u32, u32)>) {
    let mut result = String::with_capacity(text.len());
    let mut lines = Vec::new();
    let mut removed = 0;
    for line in text.split_inclusive('\n') {
        let kept = line.strip_prefix(margin);
        removed += kept.map_or(0, |_| margin.len() as u32);
        lines.push((result.len() as u32, removed));
        result.push_str(kept.unwrap_or(line));
    }
    if trims {
        result.truncate(trim_line_break(&result).len());
    }
    (result, lines)
}

fn trim_line_break(text: &str) -> &str {
    match text.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => text,
    }
}
