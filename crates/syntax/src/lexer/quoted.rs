//! Quoted strings and interpolation.
//!
//! An interpolated string becomes a [`TokenKind::StringStart`], the tokens of its expressions, a
//! [`TokenKind::StringMiddle`] between each two of them and a [`TokenKind::StringEnd`].

use super::escape::Escapes;
use super::{Lexer, MAX_STRING_DEPTH, Produced, Step, fail, find};
use crate::issues;
use crate::token::TokenKind;
use bunraku_diagnostic::Severity;

/// What ends a piece of literal text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Terminator {
    /// The closing quote, or the end of a heredoc.
    End,
    /// `$name`
    Variable,
    /// `${`
    Brace,
}

impl<'t> Lexer<'t, '_, '_> {
    /// A quoted string. In a broken source it ends with its line if its closing quote seems to be lost.
    #[inline]
    pub(super) fn quoted(&mut self, read: fn(&mut Self) -> Step<Produced>) -> Step<Produced> {
        if self.out.repairs { self.quoted_in_line(read) } else { read(self) }
    }

    fn quoted_in_line(&mut self, read: fn(&mut Self) -> Step<Produced>) -> Step<Produced> {
        let start = self.position;
        let read = read(self);
        let rest = self.bytes.get(start..).unwrap_or_default();
        let line_end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let is_whole = match &read {
            Ok(_) => self.position <= line_end || !is_code(self.slice(line_end, self.position)),
            Err(_) => false,
        };
        if is_whole {
            return read;
        }
        let quote = self.span(start, start + 1);
        // A string within another is cut before that.
        let is_first = self.out.lost_quote.is_none_or(|other| start < other.start as usize);
        self.out.lost_quote = if is_first { Some(quote) } else { self.out.lost_quote };
        let mut failure = self.unclosed_quote("'", start, start + 1);
        failure.resume = line_end;
        Err(failure)
    }

    pub(super) fn single_quoted(&mut self) -> Step<Produced> {
        let start = self.position;
        let mut at = start + 1 + self.literal_quote(start + 1, |byte| byte == b'\'');
        loop {
            match find([b'\'', b'\\'], self.bytes, at) {
                Some(end) if self.bytes.get(end) == Some(&b'\'') => {
                    return Ok(self.token(TokenKind::SingleQuoted, end + 1));
                }
                Some(backslash) => {
                    self.out.has_backslashes = true;
                    at = backslash + 2;
                }
                None => return Err(self.unclosed_quote("\"'\"", start, start + 1)),
            }
        }
    }

    pub(super) fn double_quoted(&mut self) -> Step<Produced> {
        let start = self.position;
        self.position += 1;
        self.deeper(start)?;
        let produced = self.interpolate(start, Escapes::DOUBLE_QUOTED, Some(start));
        self.depth -= 1;
        // An error within an interpolation spoils the whole string.
        produced.map_err(|failure| fail(failure.diagnostic, self.string_end_from(failure.resume)))
    }

    /// The text of a heredoc: like a string, without quotes.
    pub(super) fn unquoted(&mut self, escapes: Escapes) -> Step<Produced> {
        self.interpolate(0, escapes, None)
    }

    /// Reads text and interpolations up to the closing quote, or in a heredoc up to the end of the text.
    fn interpolate(&mut self, start: usize, escapes: Escapes, quote: Option<usize>) -> Step<Produced> {
        let mut piece = start;
        let mut matched = "\"";
        let mut first = true;
        loop {
            let text = self.position;
            let terminator = self.literal_text(escapes, quote, matched)?;
            let end = self.position;
            self.check_escapes(text, end, escapes)?;
            let is_end = terminator == Terminator::End;
            if is_end && quote.is_some() {
                self.position += 1;
            }
            let kind = match (first, is_end) {
                (true, true) if quote.is_some() => TokenKind::DoubleQuoted,
                (true, true) => TokenKind::HeredocText,
                (true, false) => TokenKind::StringStart,
                (false, false) => TokenKind::StringMiddle,
                (false, true) => TokenKind::StringEnd,
            };
            self.push(kind, piece, if is_end { self.position } else { end });
            match terminator {
                Terminator::End if first => {
                    self.after = kind;
                    return Ok(Produced::Token);
                }
                Terminator::End => return Ok(Produced::Several),
                Terminator::Variable => {
                    self.position = self.variable_end(end + 1);
                    self.push(TokenKind::Variable, end, self.position);
                    matched = self.slice(end + 1, self.position);
                }
                Terminator::Brace => {
                    self.position += 2;
                    matched = self.braced()?;
                }
            }
            piece = self.position;
            first = false;
        }
    }

    /// Compatibility: the reference takes a quote or dollar sign at the start of a text for a part of it if another end of
    /// the text follows at once, so `'''` is a string with a quote in it. One if this is the case here.
    fn literal_quote(&self, at: usize, is_end: impl Fn(u8) -> bool) -> usize {
        let mut after = self.bytes.iter().skip(at + 1).copied();
        let is_quote = self.bytes.get(at).copied().is_some_and(&is_end);
        if !is_quote {
            return 0;
        }
        let mut backslashes = 0;
        loop {
            match after.next() {
                Some(b'\\') => backslashes += 1,
                Some(byte) if is_end(byte) && backslashes % 2 == 0 => return 1,
                _ => return 0,
            }
        }
    }

    /// Moves to what ends the literal text.
    fn literal_text(&mut self, escapes: Escapes, quote: Option<usize>, matched: &str) -> Step<Terminator> {
        let mut begin = self.position;
        let mut matched = matched;
        let is_end = |byte| matches!(byte, b'"' | b'$');
        let mut at = begin;
        loop {
            if quote.is_some() && at == begin {
                at += self.literal_quote(at, is_end);
            }
            let found = match quote {
                Some(_) => find([b'"', b'$', b'\\'], self.bytes, at),
                None if !escapes.interpolates => None,
                None if escapes.dollar => find([b'$', b'\\'], self.bytes, at),
                // Without an escape for it, a dollar sign after a backslash still interpolates.
                None => find([b'$'], self.bytes, at),
            };
            let Some(found) = found else {
                let Some(open) = quote else {
                    self.position = self.bytes.len();
                    return Ok(Terminator::End);
                };
                let matched = if matched == "'" { "\"'\"".into() } else { format!("'{matched}'") };
                return Err(self.unclosed_quote(&matched, open, begin));
            };
            at = found;
            self.position = at;
            match self.byte(0) {
                b'"' => return Ok(Terminator::End),
                b'\\' => at += 2,
                _ if self.byte(1) == b'{' => return Ok(Terminator::Brace),
                _ if self.begins_variable(at + 1) => return Ok(Terminator::Variable),
                _ => {
                    at += 1;
                    begin = at;
                    matched = "";
                }
            }
        }
    }

    /// Reads the tokens of `${ … }` and returns what the reference matched last, which it quotes in an error.
    fn braced(&mut self) -> Step<&'t str> {
        let count = self.brace_count;
        self.brace_count += 1;
        let first = self.out.tokens.len();
        let mut matched = "";
        loop {
            if self.skip_trivia() {
                matched = "";
            }
            let Some(&byte) = self.bytes.get(self.position) else { return Ok(matched) };
            let tokens = self.out.tokens.len();
            let start = self.position;
            match self.step(byte)? {
                Produced::Trivia => matched = "",
                // A string with interpolations ends in a piece like one that has none.
                Produced::Several => {
                    let end = self.out.tokens.last().filter(|token| token.kind == TokenKind::StringEnd);
                    let piece = end.map(|end| ((end.start - self.base) as usize, (end.end - self.base) as usize));
                    matched = piece.map_or(matched, |(start, end)| last_two(self.slice(start, end)));
                }
                Produced::Token => {
                    let kind = self.after;
                    if kind == TokenKind::RightBrace && self.brace_count == count {
                        self.out.tokens.truncate(tokens);
                        self.name_to_variable(first);
                        return Ok(matched);
                    }
                    if kind.is_matched() {
                        matched = self.slice(start, self.position);
                    } else if matches!(kind, TokenKind::SingleQuoted | TokenKind::DoubleQuoted) {
                        // A quoted string is matched by its last character and the quote.
                        matched = last_two(self.slice(start + 1, self.position));
                    }
                }
            }
        }
    }

    /// In `${name}`, `${name[…]}` and `${name.…}` the name stands for a variable.
    fn name_to_variable(&mut self, first: usize) {
        let second = self.out.tokens.get(first + 1).map(|token| token.kind);
        if !matches!(second, None | Some(TokenKind::Dot | TokenKind::LeftBracket)) {
            return;
        }
        if let Some(token) = self.out.tokens.get_mut(first) {
            let is_odd = matches!(token.kind, TokenKind::Number | TokenKind::Word);
            let is_name = token.kind == TokenKind::Name || token.kind.is_keyword();
            // Compatibility: the keywords of plans do not name variables here.
            let is_name = is_name && !matches!(token.kind, TokenKind::Apply | TokenKind::Plan);
            if is_odd || is_name || matches!(token.kind, TokenKind::True | TokenKind::False) {
                token.kind = TokenKind::Variable;
            }
            if is_odd {
                let (start, end) = (token.start - self.base, token.end - self.base);
                self.check_variable(start as usize, end as usize);
            }
        }
    }

    /// Warns of escapes that mean nothing, and refuses those of characters that do not exist.
    fn check_escapes(&mut self, start: usize, end: usize, escapes: Escapes) -> Step<()> {
        let text = self.slice(start, end);
        if find([b'\\'], text.as_bytes(), 0).is_none() {
            return Ok(());
        }
        // A string is read up to each dollar sign, also where that begins no variable.
        let mut start = start;
        while escapes.quotes
            && let Some(dollar) = literal_dollar(self.slice(start, end))
        {
            self.check_piece(start, start + dollar, start + dollar + 1, escapes)?;
            start += dollar + 1;
        }
        let after = match self.byte(0) {
            b'$' if self.byte(1) == b'{' => end + 2,
            0 => end,
            _ => end + 1,
        };
        self.check_piece(start, end, after, escapes)
    }

    fn check_piece(&mut self, start: usize, end: usize, after: usize, escapes: Escapes) -> Step<()> {
        let decoded = escapes.decode(self.slice(start, end));
        if decoded.illegal_character {
            let resume = self.string_end_from(end);
            return Err(fail(self.error_at(issues::illegal_unicode_escape(), after), resume));
        }
        for issue in decoded.warnings {
            let warning = self.error_at(issue, after).with_severity(Severity::Warning);
            self.out.warnings.push((self.out.tokens.len(), warning));
        }
        Ok(())
    }

    /// Guards against strings nested too deeply.
    fn deeper(&mut self, start: usize) -> Step<()> {
        self.depth += 1;
        if self.depth > MAX_STRING_DEPTH {
            let issue = issues::nesting_too_deep(MAX_STRING_DEPTH);
            return Err(fail(self.error_at(issue, start), self.bytes.len()));
        }
        Ok(())
    }

    /// Where to go on after an error within a string: behind the next quote, for want of a better guess.
    fn string_end_from(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        memchr::memchr(b'"', rest).map_or(self.bytes.len(), |quote| from + quote + 1)
    }

    fn unclosed_quote(&mut self, after: &str, open: usize, at: usize) -> Box<super::Failure> {
        self.out.has_open_string = true;
        let issue = issues::unclosed_quote(after, &self.followed_by(at));
        let diagnostic = self
            .error_at(issue, at)
            .with_headline("this string is not closed")
            .with_primary("never closed", self.span(open, open + 1));
        fail(diagnostic, self.bytes.len())
    }

    /// The next five characters, as messages show them.
    pub(super) fn followed_by(&self, at: usize) -> String {
        let rest = self.slice(at, self.bytes.len());
        if rest.is_empty() {
            return "<eof>".into();
        }
        let start: String = rest.chars().take(5).collect();
        let start = start.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
        format!("{start}...")
    }
}

/// Whether a text looks like code. The braces of interpolations do not count.
fn is_code(text: &str) -> bool {
    let count = |sign| text.matches(sign).count();
    let interpolations = count("${");
    text.contains("=>") || count("{") > interpolations || count("}") > interpolations
}

fn last_two(text: &str) -> &str {
    let start = text.char_indices().rev().nth(1).map_or(0, |(index, _)| index);
    let last = text.get(start..).unwrap_or_default();
    // A dollar sign was matched before.
    last.strip_prefix('$').unwrap_or(last)
}

/// Where the first dollar sign is that is not escaped.
fn literal_dollar(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = find([b'$', b'\\'], bytes, at) {
        if bytes.get(found) == Some(&b'$') {
            return Some(found);
        }
        at = found + 2;
    }
    None
}
