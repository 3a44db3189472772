//! The characters of a text one after the other, with their positions.

use std::collections::VecDeque;
use std::str::from_utf8;

use super::characters::{is_blank, is_break, is_word};
use super::{Mark, Problem, Result};

/// How many bytes are decoded at a time, as in libyaml: bytes that are no text are reported before any other problem of
/// the same piece. All at once would take four times the size of the text.
const CHUNK: usize = 16_384;

/// A text that is being read.
pub(super) struct Input<'t> {
    rest: &'t [u8],
    characters: VecDeque<char>,
    pub(super) mark: Mark,
}

impl<'t> Input<'t> {
    pub(super) fn new(text: &'t [u8]) -> Input<'t> {
        Input { rest: text, characters: VecDeque::new(), mark: Mark::default() }
    }

    /// Makes sure that so many characters can be looked at, unless the text ends before.
    pub(super) fn fill(&mut self, count: usize) -> Result<()> {
        while self.characters.len() < count && !self.rest.is_empty() {
            self.decode()?;
        }
        Ok(())
    }

    fn decode(&mut self) -> Result<()> {
        let chunk = self.rest.get(..CHUNK).unwrap_or(self.rest);
        let (text, is_broken) = match from_utf8(chunk) {
            Ok(text) => (text, false),
            Err(error) => {
                let valid =
                    chunk.get(..error.valid_up_to()).and_then(|bytes| from_utf8(bytes).ok()).unwrap_or_default();
                // A character cut off by the end of the piece is read with the next one.
                (valid, error.error_len().is_some() || valid.is_empty())
            }
        };
        if !text.chars().all(is_allowed) {
            return Problem::of_reader("control characters are not allowed");
        }
        self.characters.extend(text.chars());
        self.rest = self.rest.get(text.len()..).unwrap_or_default();
        if is_broken { Problem::of_reader(self.what_is_broken()) } else { Ok(()) }
    }

    /// What is wrong with the bytes at the beginning of the rest.
    fn what_is_broken(&self) -> &'static str {
        let Some((first, rest)) = self.rest.split_first() else { return "incomplete UTF-8 octet sequence" };
        let width = match first {
            0..=0x7f => 0,
            0xc0..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf7 => 3,
            _ => return "invalid leading UTF-8 octet",
        };
        match rest.get(..width) {
            None => "incomplete UTF-8 octet sequence",
            Some(trailing) if trailing.iter().any(|octet| octet & 0xc0 != 0x80) => "invalid trailing UTF-8 octet",
            // What is left are surrogates, numbers that are too large, and small ones in too many bytes.
            Some(_) if matches!((first, rest.first()), (0xed, Some(0xa0..)) | (0xf4, Some(0x90..)) | (0xf5.., _)) => {
                "invalid Unicode character"
            }
            Some(_) => "invalid length of a UTF-8 sequence",
        }
    }

    /// The character so far ahead.
    pub(super) fn peek(&self, offset: usize) -> Option<char> {
        self.characters.get(offset).copied()
    }

    /// Whether the next character is this one.
    pub(super) fn is(&self, character: char) -> bool {
        self.peek(0) == Some(character)
    }

    /// Whether the next character is one of these.
    pub(super) fn is_one_of(&self, characters: &str) -> bool {
        self.peek(0).is_some_and(|character| characters.contains(character))
    }

    /// Whether the next character belongs to names.
    pub(super) fn is_word(&self) -> bool {
        self.peek(0).is_some_and(is_word)
    }

    /// Whether the next character is a space or a tab.
    pub(super) fn is_blank(&self) -> bool {
        self.peek(0).is_some_and(is_blank)
    }

    /// Whether the next character is a line break.
    pub(super) fn is_break(&self) -> bool {
        self.peek(0).is_some_and(is_break)
    }

    /// Whether the line ends here.
    pub(super) fn is_line_end(&self) -> bool {
        self.peek(0).is_none_or(is_break)
    }

    /// Whether a blank or the end of the line is so far ahead.
    pub(super) fn is_space(&self, offset: usize) -> bool {
        self.peek(offset).is_none_or(|character| is_blank(character) || is_break(character))
    }

    /// Whether a line begins here that begins or ends a document. Needs four characters.
    pub(super) fn is_document_indicator(&self, indicator: char) -> bool {
        self.mark.column == 0 && (0..3).all(|offset| self.peek(offset) == Some(indicator)) && self.is_space(3)
    }

    /// Passes over the next character.
    pub(super) fn skip(&mut self) {
        if self.characters.pop_front().is_some() {
            self.mark.index += 1;
            self.mark.column += 1;
        }
    }

    /// Passes over blanks.
    pub(super) fn skip_blanks(&mut self) -> Result<()> {
        self.fill(1)?;
        while self.is_blank() {
            self.skip();
            self.fill(1)?;
        }
        Ok(())
    }

    /// Passes over a comment, if one begins here.
    pub(super) fn skip_comment(&mut self) -> Result<()> {
        if self.is('#') {
            while !self.is_line_end() {
                self.skip();
                self.fill(1)?;
            }
        }
        Ok(())
    }

    /// Takes the next character over into a string.
    pub(super) fn read(&mut self, into: &mut String) {
        into.extend(self.peek(0));
        self.skip();
    }

    /// Passes over a line break, if one is here, and says what it stands for. Needs two characters.
    pub(super) fn skip_line_break(&mut self) -> Option<char> {
        let first = self.peek(0).filter(|character| is_break(*character))?;
        let width = if first == '\r' && self.peek(1) == Some('\n') { 2 } else { 1 };
        self.characters.drain(..width);
        self.mark.index += width;
        self.mark.column = 0;
        self.mark.line += 1;
        // The breaks of Unicode stay what they are.
        Some(if matches!(first, '\u{2028}' | '\u{2029}') { first } else { '\n' })
    }

    /// Takes a line break over into a string, if one is here.
    pub(super) fn read_line_break(&mut self, into: &mut String) {
        into.extend(self.skip_line_break());
    }

    /// The column as indentation is counted.
    pub(super) fn column(&self) -> i64 {
        i64::try_from(self.mark.column).unwrap_or(i64::MAX)
    }
}

fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
