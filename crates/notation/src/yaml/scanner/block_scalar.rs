//! Scalars of block style: `|` keeps lines, `>` folds them.

use super::characters::is_blank;
use super::token::{Token, TokenData};
use super::tokens::Scanner;
use super::{Mark, Result};

const CONTEXT: &str = "while scanning a block scalar";

/// What becomes of the line breaks at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn scan_block_scalar(&mut self) -> Result<Token> {
        let is_literal = self.input.is('|');
        let start = self.input.mark;
        self.input.skip();
        let (chomping, increment) = self.scan_block_header(start)?;
        let mut indent = increment.map(|increment| self.indent.max(0) + increment);
        let mut value = String::new();
        let mut leading_break = String::new();
        let mut trailing_breaks = String::new();
        let mut was_blank = false;
        let mut end = self.scan_block_breaks(&mut indent, &mut trailing_breaks, start)?;
        self.input.fill(1)?;
        while let Some(first) = self.input.peek(0)
            && indent == Some(self.input.column())
        {
            let is_blank = is_blank(first);
            if !is_literal && leading_break.starts_with('\n') && !was_blank && !is_blank {
                if trailing_breaks.is_empty() {
                    value.push(' ');
                }
            } else {
                value.push_str(&leading_break);
            }
            leading_break.clear();
            value.push_str(&trailing_breaks);
            trailing_breaks.clear();
            was_blank = is_blank;
            while !self.input.is_line_end() {
                self.input.read(&mut value);
                self.input.fill(1)?;
            }
            self.input.fill(2)?;
            self.input.read_line_break(&mut leading_break);
            end = self.scan_block_breaks(&mut indent, &mut trailing_breaks, start)?;
        }
        if chomping != Chomping::Strip {
            value.push_str(&leading_break);
        }
        if chomping == Chomping::Keep {
            value.push_str(&trailing_breaks);
        }
        Ok(Token { data: TokenData::Scalar { value, is_plain: false }, start, end })
    }

    /// The rest of the first line: chomping and indentation in either order.
    fn scan_block_header(&mut self, start: Mark) -> Result<(Chomping, Option<i64>)> {
        self.input.fill(1)?;
        let mut chomping = self.scan_chomping();
        self.input.fill(1)?;
        let increment = self.input.peek(0).and_then(|character| character.to_digit(10));
        if increment == Some(0) {
            return self.problem(CONTEXT, start, "found an indentation indicator equal to 0");
        }
        if increment.is_some() {
            self.input.skip();
            self.input.fill(1)?;
            chomping = chomping.or_else(|| self.scan_chomping());
        }
        self.input.skip_blanks()?;
        self.input.skip_comment()?;
        if !self.input.is_line_end() {
            return self.problem(CONTEXT, start, "did not find expected comment or line break");
        }
        self.input.fill(2)?;
        self.input.skip_line_break();
        Ok((chomping.unwrap_or(Chomping::Clip), increment.map(i64::from)))
    }

    fn scan_chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.input.peek(0)? {
            '+' => Chomping::Keep,
            '-' => Chomping::Strip,
            _ => return None,
        };
        self.input.skip();
        Some(chomping)
    }

    /// Takes empty lines over, and finds the indentation if it is not known: that of the first line, or of the longest
    /// empty line before it. Gives the end of the last line break.
    fn scan_block_breaks(&mut self, indent: &mut Option<i64>, breaks: &mut String, start: Mark) -> Result<Mark> {
        let mut widest = 0;
        let mut end = self.input.mark;
        loop {
            self.input.fill(1)?;
            while self.is_before(*indent) && self.input.is(' ') {
                self.input.skip();
                self.input.fill(1)?;
            }
            widest = widest.max(self.input.column());
            if self.is_before(*indent) && self.input.is('\t') {
                let problem = "found a tab character where an indentation space is expected";
                return self.problem(CONTEXT, start, problem);
            }
            if !self.input.is_break() {
                break;
            }
            self.input.fill(2)?;
            self.input.read_line_break(breaks);
            end = self.input.mark;
        }
        indent.get_or_insert(widest.max(self.indent + 1).max(1));
        Ok(end)
    }

    fn is_before(&self, indent: Option<i64>) -> bool {
        indent.is_none_or(|indent| self.input.column() < indent)
    }
}
