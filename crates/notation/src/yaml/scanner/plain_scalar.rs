//! Scalars without quotes, and how lines are folded into one.

use super::Result;
use super::token::{Token, TokenData};
use super::tokens::Scanner;

const CONTEXT: &str = "while scanning a plain scalar";

/// What stands between two words of a scalar.
#[derive(Default)]
pub(super) struct Folding {
    /// Whether there was a line break, be it one that does not count.
    pub(super) is_broken: bool,
    blanks: String,
    leading_break: String,
    trailing_breaks: String,
}

impl Folding {
    /// Puts what it stands for into the value: one break is a space, of several the first is left out.
    pub(super) fn fold(&mut self, value: &mut String) {
        if !self.is_broken {
            value.push_str(&self.blanks);
            self.blanks.clear();
            return;
        }
        if !self.leading_break.starts_with('\n') {
            value.push_str(&self.leading_break);
            value.push_str(&self.trailing_breaks);
        } else if self.trailing_breaks.is_empty() {
            value.push(' ');
        } else {
            value.push_str(&self.trailing_breaks);
        }
        self.is_broken = false;
        self.leading_break.clear();
        self.trailing_breaks.clear();
    }
}

impl Scanner<'_> {
    pub(super) fn scan_plain_scalar(&mut self) -> Result<Token> {
        let start = self.input.mark;
        let mut end = start;
        let mut value = String::new();
        let mut folding = Folding::default();
        let indent = self.indent + 1;
        let in_flow = self.flow_level != 0;
        loop {
            self.input.fill(4)?;
            let is_document_end = self.input.is_document_indicator('-') || self.input.is_document_indicator('.');
            if is_document_end || self.input.is('#') {
                break;
            }
            while !self.input.is_space(0) {
                let next = self.input.peek(1);
                if in_flow && self.input.is(':') && next.is_some_and(|next| ",?[]{}".contains(next)) {
                    return self.problem(CONTEXT, start, "found unexpected ':'");
                }
                if self.input.is(':') && self.input.is_space(1) || in_flow && self.input.is_one_of(",[]{}") {
                    break;
                }
                folding.fold(&mut value);
                self.input.read(&mut value);
                end = self.input.mark;
                self.input.fill(2)?;
            }
            if !(self.input.is_blank() || self.input.is_break()) {
                break;
            }
            while self.input.is_blank() || self.input.is_break() {
                if folding.is_broken && self.input.column() < indent && self.input.is('\t') {
                    return self.problem(CONTEXT, start, "found a tab character that violates indentation");
                }
                self.take_space(&mut folding)?;
            }
            if !in_flow && self.input.column() < indent {
                break;
            }
        }
        if folding.is_broken {
            self.is_key_allowed = true;
        }
        Ok(Token { data: TokenData::Scalar { value, is_plain: true }, start, end })
    }

    /// Takes one blank or line break; blanks at the beginning of a line do not count.
    pub(super) fn take_space(&mut self, folding: &mut Folding) -> Result<()> {
        if self.input.is_blank() {
            if folding.is_broken {
                self.input.skip();
            } else {
                self.input.read(&mut folding.blanks);
            }
        } else {
            self.input.fill(2)?;
            if folding.is_broken {
                self.input.read_line_break(&mut folding.trailing_breaks);
            } else {
                folding.blanks.clear();
                self.input.read_line_break(&mut folding.leading_break);
                folding.is_broken = true;
            }
        }
        self.input.fill(1)
    }
}
