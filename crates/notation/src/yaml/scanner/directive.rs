//! Directives, and anchors and aliases.

use super::token::{Token, TokenData};
use super::tokens::Scanner;
use super::{Mark, Result};

/// How many digits a number of a version may have.
const LONGEST_NUMBER: usize = 9;

impl Scanner<'_> {
    pub(super) fn scan_directive(&mut self) -> Result<Token> {
        const CONTEXT: &str = "while scanning a directive";
        let start = self.input.mark;
        self.input.skip();
        let name = self.scan_directive_name(start)?;
        let data = match name.as_str() {
            "YAML" => self.scan_version(start)?,
            "TAG" => self.scan_tag_directive(start)?,
            _ => return self.problem(CONTEXT, start, "found unknown directive name"),
        };
        let end = self.input.mark;
        self.input.skip_blanks()?;
        self.input.skip_comment()?;
        if !self.input.is_line_end() {
            return self.problem(CONTEXT, start, "did not find expected comment or line break");
        }
        self.input.fill(2)?;
        self.input.skip_line_break();
        Ok(Token { data, start, end })
    }

    fn scan_directive_name(&mut self, start: Mark) -> Result<String> {
        const CONTEXT: &str = "while scanning a directive";
        let name = self.scan_word()?;
        if name.is_empty() {
            self.problem(CONTEXT, start, "could not find expected directive name")
        } else if !self.input.is_space(0) {
            self.problem(CONTEXT, start, "found unexpected non-alphabetical character")
        } else {
            Ok(name)
        }
    }

    /// Letters, digits, `_` and `-`, as many as there are.
    pub(super) fn scan_word(&mut self) -> Result<String> {
        let mut word = String::new();
        self.input.fill(1)?;
        while self.input.is_word() {
            self.input.read(&mut word);
            self.input.fill(1)?;
        }
        Ok(word)
    }

    fn scan_version(&mut self, start: Mark) -> Result<TokenData> {
        self.input.skip_blanks()?;
        let major = self.scan_version_number(start)?;
        if !self.input.is('.') {
            let problem = "did not find expected digit or '.' character";
            return self.problem("while scanning a %YAML directive", start, problem);
        }
        self.input.skip();
        let minor = self.scan_version_number(start)?;
        Ok(TokenData::VersionDirective { major, minor })
    }

    fn scan_version_number(&mut self, start: Mark) -> Result<u32> {
        const CONTEXT: &str = "while scanning a %YAML directive";
        let (mut number, mut length) = (0, 0);
        self.input.fill(1)?;
        while let Some(digit) = self.input.peek(0).and_then(|character| character.to_digit(10)) {
            length += 1;
            if length > LONGEST_NUMBER {
                return self.problem(CONTEXT, start, "found extremely long version number");
            }
            number = number * 10 + digit;
            self.input.skip();
            self.input.fill(1)?;
        }
        if length == 0 { self.problem(CONTEXT, start, "did not find expected version number") } else { Ok(number) }
    }

    fn scan_tag_directive(&mut self, start: Mark) -> Result<TokenData> {
        const CONTEXT: &str = "while scanning a %TAG directive";
        self.input.skip_blanks()?;
        let handle = self.scan_tag_handle(true, start)?;
        self.input.fill(1)?;
        if !self.input.is_blank() {
            return self.problem(CONTEXT, start, "did not find expected whitespace");
        }
        self.input.skip_blanks()?;
        let prefix = self.scan_tag_uri(true, true, "", start)?;
        self.input.fill(1)?;
        if !self.input.is_space(0) {
            return self.problem(CONTEXT, start, "did not find expected whitespace or line break");
        }
        Ok(TokenData::TagDirective { handle, prefix })
    }

    pub(super) fn scan_anchor(&mut self) -> Result<Token> {
        let is_alias = self.input.is('*');
        let start = self.input.mark;
        self.input.skip();
        let name = self.scan_word()?;
        let end = self.input.mark;
        if name.is_empty() || !(self.input.is_space(0) || self.input.is_one_of("?:,]}%@`")) {
            let context = if is_alias { "while scanning an alias" } else { "while scanning an anchor" };
            return self.problem(context, start, "did not find expected alphabetic or numeric character");
        }
        let data = if is_alias { TokenData::Alias(name) } else { TokenData::Anchor(name) };
        Ok(Token { data, start, end })
    }
}
