//! Scalars in quotes.

use super::characters::is_break;
use super::plain_scalar::Folding;
use super::token::{Token, TokenData};
use super::tokens::Scanner;
use super::{Mark, Result};

const CONTEXT: &str = "while scanning a quoted scalar";
const ESCAPE: &str = "while parsing a quoted scalar";

impl Scanner<'_> {
    pub(super) fn scan_flow_scalar(&mut self) -> Result<Token> {
        let is_single = self.input.is('\'');
        let quote = if is_single { '\'' } else { '"' };
        let start = self.input.mark;
        let mut value = String::new();
        self.input.skip();
        loop {
            self.input.fill(4)?;
            if self.input.is_document_indicator('-') || self.input.is_document_indicator('.') {
                return self.problem(CONTEXT, start, "found unexpected document indicator");
            }
            if self.input.peek(0).is_none() {
                return self.problem(CONTEXT, start, "found unexpected end of stream");
            }
            let mut folding = Folding::default();
            while !self.input.is_space(0) {
                if is_single && self.input.is('\'') && self.input.peek(1) == Some('\'') {
                    value.push('\'');
                    self.input.skip();
                    self.input.skip();
                } else if self.input.is(quote) {
                    break;
                } else if !is_single && self.input.is('\\') {
                    if self.input.peek(1).is_some_and(is_break) {
                        self.input.fill(3)?;
                        self.input.skip();
                        self.input.skip_line_break();
                        folding.is_broken = true;
                        break;
                    }
                    self.scan_escape(start, &mut value)?;
                } else {
                    self.input.read(&mut value);
                }
                self.input.fill(2)?;
            }
            self.input.fill(1)?;
            if self.input.is(quote) {
                break;
            }
            self.scan_spaces(&mut folding)?;
            folding.fold(&mut value);
        }
        self.input.skip();
        Ok(Token { data: TokenData::Scalar { value, is_plain: false }, start, end: self.input.mark })
    }

    fn scan_escape(&mut self, start: Mark, into: &mut String) -> Result<()> {
        let mut digits = 0;
        match self.input.peek(1).unwrap_or_default() {
            '0' => into.push('\0'),
            'a' => into.push('\x07'),
            'b' => into.push('\x08'),
            't' | '\t' => into.push('\t'),
            'n' => into.push('\n'),
            'v' => into.push('\x0b'),
            'f' => into.push('\x0c'),
            'r' => into.push('\r'),
            'e' => into.push('\x1b'),
            'N' => into.push('\u{85}'),
            '_' => into.push('\u{a0}'),
            'L' => into.push('\u{2028}'),
            'P' => into.push('\u{2029}'),
            itself @ (' ' | '"' | '/' | '\\') => into.push(itself),
            'x' => digits = 2,
            'u' => digits = 4,
            'U' => digits = 8,
            _ => return self.problem(ESCAPE, start, "found unknown escape character"),
        }
        self.input.skip();
        self.input.skip();
        if digits > 0 {
            self.input.fill(digits)?;
            let mut number = 0_u32;
            for offset in 0..digits {
                let Some(digit) = self.input.peek(offset).and_then(|character| character.to_digit(16)) else {
                    return self.problem(ESCAPE, start, "did not find expected hexdecimal number");
                };
                number = number << 4 | digit;
            }
            let Some(character) = char::from_u32(number) else {
                return self.problem(ESCAPE, start, "found invalid Unicode character escape code");
            };
            into.push(character);
            (0..digits).for_each(|_| self.input.skip());
        }
        Ok(())
    }

    /// Takes blanks and line breaks; blanks at the beginning of a line do not count.
    fn scan_spaces(&mut self, folding: &mut Folding) -> Result<()> {
        self.input.fill(1)?;
        while self.input.is_blank() || self.input.is_break() {
            self.take_space(folding)?;
        }
        Ok(())
    }
}
