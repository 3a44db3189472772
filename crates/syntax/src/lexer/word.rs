//! Names, bare words, references to types, variables and numbers.

use super::character::{is_word, word_end};
use super::{Lexer, Produced, Step, fail};
use crate::issues;
use crate::token::TokenKind;

impl Lexer<'_, '_, '_> {
    /// A keyword, a name or some other bare word.
    pub(super) fn bare_word(&mut self) -> Produced {
        let start = self.position;
        let end = self.word_end(start);
        // Most words have a single segment, and no hyphen.
        if matches!(self.bytes.get(end), Some(b':' | b'-')) {
            return self.long_word();
        }
        let kind = match self.bytes.get(start..end) {
            Some([b'_', ..]) | None => TokenKind::Word,
            Some(word) => self.word_kind(word),
        };
        self.token(kind, end)
    }

    /// What a word in lower case is: a keyword or a name.
    #[inline]
    fn word_kind(&self, word: &[u8]) -> TokenKind {
        match TokenKind::keyword(word) {
            Some(keyword) => keyword,
            None if self.out.tasks => TokenKind::task_keyword(word).unwrap_or(TokenKind::Name),
            None => TokenKind::Name,
        }
    }

    /// A bare word that may have several segments.
    #[inline(never)]
    fn long_word(&mut self) -> Produced {
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
            Some(word) if is_name => self.word_kind(word),
            _ => TokenKind::Word,
        };
        let end = std::mem::replace(&mut self.position, start);
        self.token(kind, end)
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
                let produced = self.bare_word();
                // A keyword with a prefix is an ordinary name.
                if self.after != TokenKind::Word {
                    self.after = TokenKind::Name;
                }
                if let Some(token) = self.out.tokens.last_mut() {
                    token.start -= 2;
                    token.kind = self.after;
                }
                Ok(produced)
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
        let end = std::mem::replace(&mut self.position, start);
        Ok(self.token(TokenKind::ClassReference, end))
    }

    /// `$x`, `$::a::b`, `$1`; a lone `$` is a variable without a name, which validation refuses.
    pub(super) fn variable(&mut self) -> Produced {
        let end = self.variable_end(self.position + 1);
        self.token(TokenKind::Variable, end)
    }

    /// The end of the variable name that begins at an index; notes whether it is well-formed.
    pub(super) fn variable_end(&mut self, from: usize) -> usize {
        let end = self.word_end(from);
        let begins_well = matches!(self.bytes.get(from), Some(b'a'..=b'z' | b'_'));
        // Most names have a single segment.
        if begins_well && self.bytes.get(end) != Some(&b':') { end } else { self.long_variable(from, end) }
    }

    /// The end of a variable name, the first segment of which ends at an index.
    #[inline(never)]
    fn long_variable(&mut self, from: usize, mut end: usize) -> usize {
        let mut segment = from;
        let mut is_odd = false;
        while self.at_segment(end) {
            is_odd |= end > from && !self.bytes.get(segment).is_some_and(u8::is_ascii_lowercase);
            segment = end + 2;
            end = self.word_end(segment);
        }
        is_odd |= !matches!(self.bytes.get(segment), Some(b'a'..=b'z' | b'_'));
        if is_odd {
            self.check_variable(from, end);
        }
        end
    }

    /// Whether a variable name begins at an index.
    pub(super) fn begins_variable(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(|&byte| is_word(byte)) || self.at_segment(at)
    }

    /// Whether `::` and a word follow.
    #[inline]
    fn at_segment(&self, at: usize) -> bool {
        self.bytes.get(at) == Some(&b':')
            && self.bytes.get(at + 1) == Some(&b':')
            && self.bytes.get(at + 2).is_some_and(|&byte| is_word(byte))
    }

    /// Notes whether the name of a variable is well-formed.
    pub(super) fn check_variable(&mut self, from: usize, end: usize) {
        self.out.has_odd_variables |= !is_variable_name(self.slice(from, end));
    }

    /// The first index from this one on that holds no word character.
    #[inline]
    fn word_end(&self, from: usize) -> usize {
        word_end(self.bytes, from)
    }

    /// A number, which no word character may follow.
    pub(super) fn number(&mut self) -> Step<Produced> {
        let start = self.position;
        let Some(length) = number_length(self.bytes.get(start..).unwrap_or_default()) else {
            return Err(self.illegal_number(start));
        };
        let end = start + length;
        let value = self.slice(start, end);
        if value.len() > 1
            && let Some(issue) = issues::check_number(value)
        {
            return Err(fail(issue.at(self.span(start, end)), end));
        }
        Ok(self.token(TokenKind::Number, end))
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

/// `a::b::_c`, with or without a leading `::`; only the last segment may begin with an underscore. Or a decimal number
/// without leading zeros.
pub(crate) fn is_variable_name(name: &str) -> bool {
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        return is_numeric_variable(name);
    }
    let mut rest = name.strip_prefix("::").unwrap_or(name).as_bytes();
    loop {
        let (segment, after) = rest.split_at(word_end(rest, 0));
        let first = segment.first().copied().unwrap_or(0);
        match after {
            [] => return first.is_ascii_lowercase() || first == b'_',
            [b':', b':', next @ ..] if first.is_ascii_lowercase() => rest = next,
            _ => return false,
        }
    }
}

/// `0`, or a decimal number that does not begin with it.
pub(crate) fn is_numeric_variable(name: &str) -> bool {
    let is_digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    is_digits && (name == "0" || !name.starts_with('0'))
}

/// The character that begins at an index of a text.
fn character_at(text: &[u8], index: usize) -> Option<char> {
    let bytes = text.get(index..)?;
    let longest = bytes.get(..bytes.len().min(4))?;
    longest.utf8_chunks().next()?.valid().chars().next()
}

/// The length of the longest number at the start that ends at the end of a word.
fn number_length(bytes: &[u8]) -> Option<usize> {
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let ends_word = |end: usize| match at(end) {
        byte if byte.is_ascii() => !is_word(byte),
        _ => !character_at(bytes, end).is_some_and(char::is_alphanumeric),
    };
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
