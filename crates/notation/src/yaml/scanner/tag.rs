//! Tags: `!name`, `!handle!name`, `!<uri>`.

use super::token::{Token, TokenData};
use super::tokens::Scanner;
use super::{Mark, Result};

impl Scanner<'_> {
    pub(super) fn scan_tag(&mut self) -> Result<Token> {
        const CONTEXT: &str = "while scanning a tag";
        let start = self.input.mark;
        self.input.fill(2)?;
        let (handle, suffix) = if self.input.peek(1) == Some('<') {
            self.input.skip();
            self.input.skip();
            let uri = self.scan_tag_uri(true, false, "", start)?;
            if !self.input.is('>') {
                return self.problem(CONTEXT, start, "did not find the expected '>'");
            }
            self.input.skip();
            (String::new(), uri)
        } else {
            let handle = self.scan_tag_handle(false, start)?;
            if handle.len() > 1 && handle.ends_with('!') {
                let suffix = self.scan_tag_uri(false, false, "", start)?;
                (handle, suffix)
            } else {
                // What looked like a handle is the beginning of the name.
                let suffix = self.scan_tag_uri(false, false, &handle, start)?;
                if suffix.is_empty() { (suffix, "!".to_owned()) } else { ("!".to_owned(), suffix) }
            }
        };
        self.input.fill(1)?;
        if !(self.input.is_space(0) || self.flow_level != 0 && self.input.is(',')) {
            return self.problem(CONTEXT, start, "did not find expected whitespace or line break");
        }
        Ok(Token { data: TokenData::Tag { handle, suffix }, start, end: self.input.mark })
    }

    pub(super) fn scan_tag_handle(&mut self, is_directive: bool, start: Mark) -> Result<String> {
        self.input.fill(1)?;
        if !self.input.is('!') {
            let context = if is_directive { "while scanning a tag directive" } else { "while scanning a tag" };
            return self.problem(context, start, "did not find expected '!'");
        }
        self.input.skip();
        let mut handle = format!("!{}", self.scan_word()?);
        if self.input.is('!') {
            self.input.read(&mut handle);
        } else if is_directive && handle != "!" {
            return self.problem("while parsing a tag directive", start, "did not find expected '!'");
        }
        Ok(handle)
    }

    /// The rest of a tag, after a head that has its `!` still before it.
    pub(super) fn scan_tag_uri(&mut self, is_uri: bool, is_directive: bool, head: &str, start: Mark) -> Result<String> {
        let mut uri = head.strip_prefix('!').unwrap_or_default().to_owned();
        let mut is_empty = head.is_empty();
        self.input.fill(1)?;
        while self.input.is_word() || self.input.is_one_of(";/?:@&=+$.%!~*'()") || is_uri && self.input.is_one_of(",[]")
        {
            if self.input.is('%') {
                self.scan_uri_escapes(is_directive, start, &mut uri)?;
            } else {
                self.input.read(&mut uri);
            }
            is_empty = false;
            self.input.fill(1)?;
        }
        if is_empty {
            return self.problem(tag_context(is_directive), start, "did not find expected tag URI");
        }
        Ok(uri)
    }

    /// The octets of one character.
    fn scan_uri_escapes(&mut self, is_directive: bool, start: Mark, into: &mut String) -> Result<()> {
        let context = tag_context(is_directive);
        let mut octets = Vec::new();
        let mut width = 1;
        while octets.len() < width {
            self.input.fill(3)?;
            let digit = |offset| self.input.peek(offset).and_then(|character| character.to_digit(16));
            let (true, Some(high), Some(low)) = (self.input.is('%'), digit(1), digit(2)) else {
                return self.problem(context, start, "did not find URI escaped octet");
            };
            let octet = u8::try_from(high << 4 | low).unwrap_or_default();
            if octets.is_empty() {
                width = match octet {
                    0..=0x7f => 1,
                    0xc0..=0xdf => 2,
                    0xe0..=0xef => 3,
                    0xf0..=0xf7 => 4,
                    _ => return self.problem(context, start, "found an incorrect leading UTF-8 octet"),
                };
            } else if octet & 0xc0 != 0x80 {
                return self.problem(context, start, "found an incorrect trailing UTF-8 octet");
            }
            octets.push(octet);
            (0..3).for_each(|_| self.input.skip());
        }
        into.push_str(&String::from_utf8_lossy(&octets));
        Ok(())
    }
}

fn tag_context(is_directive: bool) -> &'static str {
    if is_directive { "while parsing a %TAG directive" } else { "while parsing a tag" }
}
