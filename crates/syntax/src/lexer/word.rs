//! Names, bare words, references to types, variables and numbers.

use super::character::{is_word, word_length};
use super::{Lexer, Produced, Step, fail};
use crate::issues;
use crate::token::TokenKind;

impl Lexer<'_, '_, '_> {
    /// A keyword, a name or some other bare word.
    pub(super) fn bare_word(&mut self) -> Produced {
        let start = self.position;
        let mut is_name = true;
        loop {
            is_name &= self.byte(0) != b'_';
            is_name &= !self.skip_segment();
            if !self.at_lower_segment() {
                break;
            }
            self.position += 2;
        }
        let kind = match self.bytes.get(start..self.position) {
            Some(word) if is_name => TokenKind::keyword(word).unwrap_or(TokenKind::Name),
            _ => TokenKind::Word,
        };
        self.push(kind, start, self.position);
        Produced::Token(kind)
    }

    /// Skips word characters and hyphens that are followed by one; tells whether there was a hyphen.
    fn skip_segment(&mut self) -> bool {
        let mut hyphen = false;
        loop {
            self.position = self.word_end(self.position);
            let mut ahead = 0;
            while self.byte(ahead) == b'-' {
                ahead += 1;
            }
            if ahead == 0 || !is_word(self.byte(ahead)) {
                return hyphen;
            }
            hyphen = true;
            self.position += ahead;
        }
    }

    fn at_lower_segment(&self) -> bool {
        self.byte(0) == b':' && self.byte(1) == b':' && matches!(self.byte(2), b'a'..=b'z' | b'_')
    }

    fn at_upper_segment(&self) -> bool {
        self.byte(0) == b':' && self.byte(1) == b':' && self.byte(2).is_ascii_uppercase()
    }

    /// A word that begins with `::`.
    pub(super) fn qualified(&mut self) -> Step<Produced> {
        let start = self.position;
        self.position += 2;
        match self.byte(0) {
            b'A'..=b'Z' => self.upper_segments(start, 3),
            b'a'..=b'z' | b'_' => {
                let Produced::Token(kind) = self.bare_word() else {
                    return Ok(Produced::Trivia);
                };
                // A keyword with a prefix is an ordinary name.
                let kind = if kind == TokenKind::Word { kind } else { TokenKind::Name };
                if let Some(token) = self.out.tokens.last_mut() {
                    token.start -= 2;
                    token.kind = kind;
                }
                Ok(Produced::Token(kind))
            }
            _ => Err(fail(self.error_at(issues::illegal_qualified_name(), self.position), self.position)),
        }
    }

    /// `File`, `Apache::Vhost`
    pub(super) fn class_reference(&mut self) -> Step<Produced> {
        self.upper_segments(self.position, 1)
    }

    fn upper_segments(&mut self, start: usize, faulty: usize) -> Step<Produced> {
        loop {
            self.position = self.word_end(self.position);
            if !self.at_upper_segment() {
                break;
            }
            self.position += 2;
        }
        if self.byte(0) == b':' && self.byte(1) == b':' {
            let issue = if faulty == 3 {
                issues::illegal_qualified_class_reference()
            } else {
                issues::illegal_class_reference()
            };
            let diagnostic = self.error_at(issue, self.position + faulty);
            while is_word(self.byte(0)) || self.byte(0) == b':' {
                self.position += 1;
            }
            return Err(fail(diagnostic, self.position));
        }
        self.push(TokenKind::ClassReference, start, self.position);
        Ok(Produced::Token(TokenKind::ClassReference))
    }

    /// `$x`, `$::a::b`, `$1`; a lone `$` is a variable without a name, which validation refuses.
    pub(super) fn variable(&mut self) -> Produced {
        let start = self.position;
        self.position += 1 + self.variable_name_length(start + 1);
        self.push(TokenKind::Variable, start, self.position);
        Produced::Token(TokenKind::Variable)
    }

    /// The length of the variable name that begins at an index; zero if there is none.
    pub(super) fn variable_name_length(&self, from: usize) -> usize {
        let mut end = self.word_end(from);
        while self.bytes.get(end..).is_some_and(|rest| rest.starts_with(b"::")) {
            let next = self.word_end(end + 2);
            if next == end + 2 {
                break;
            }
            end = next;
        }
        end - from
    }

    /// The first index from this one on that holds no word character.
    #[inline]
    fn word_end(&self, from: usize) -> usize {
        from + word_length(self.bytes.get(from..).unwrap_or_default())
    }

    /// A number, which no word character may follow.
    pub(super) fn number(&mut self) -> Step<Produced> {
        let start = self.position;
        let Some(length) = number_length(self.bytes.get(start..).unwrap_or_default()) else {
            return Err(self.illegal_number(start));
        };
        self.position += length;
        let value = self.slice(start, self.position);
        if value.len() > 1
            && let Some(issue) = issues::check_number(value)
        {
            return Err(fail(issue.at(self.span(start, self.position)), self.position));
        }
        self.push(TokenKind::Number, start, self.position);
        Ok(Produced::Token(TokenKind::Number))
    }

    /// The error for a number that goes on as a word; digits and a dot before it are taken as part of it.
    fn illegal_number(&mut self, start: usize) -> Box<super::Failure> {
        let end = self.word_end(start);
        let digits_before = match self.slice(0, start).strip_suffix('.') {
            Some(before) if start > 1 => before.bytes().rev().take_while(u8::is_ascii_digit).count(),
            _ => 0,
        };
        let begin = if digits_before > 0 { start - 1 - digits_before } else { start };
        let value = self.slice(begin, end);
        let diagnostic = match issues::check_number(value) {
            Some(issue) => issue.at(self.span(begin, end)),
            None => self.error_at(issues::illegal_number(value), begin + 1),
        };
        fail(diagnostic, end)
    }
}

/// The length of the longest number at the start that ends at the end of a word.
fn number_length(bytes: &[u8]) -> Option<usize> {
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let ends_word = |end: usize| !is_word(at(end));
    if at(0) == b'0' && matches!(at(1), b'x' | b'X') {
        let hex = bytes.iter().skip(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
        return (hex > 0 && ends_word(2 + hex)).then_some(2 + hex);
    }
    let exponent = |from: usize| {
        if !matches!(at(from), b'e' | b'E') {
            return 0;
        }
        let sign = usize::from(at(from + 1) == b'-');
        match digits(from + 1 + sign) {
            0 => 0,
            count => 1 + sign + count,
        }
    };
    let whole = digits(0);
    let fraction = match (at(whole), digits(whole + 1)) {
        (b'.', count) if count > 0 => 1 + count,
        _ => 0,
    };
    let fractional = whole + fraction + exponent(whole + fraction);
    if ends_word(fractional) {
        return Some(fractional);
    }
    let integral = whole + exponent(whole);
    if ends_word(integral) {
        return Some(integral);
    }
    None
}
