//! Writes the items as they are laid out.

use bunraku_syntax::TokenKind;

use crate::items::{Items, Kind};
use crate::style::in_single_quotes;
use crate::{Quotes, Style};

/// What is written, and where each item begins in it.
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) starts: Vec<usize>,
}

/// Writes all items.
pub(crate) fn print(items: &Items<'_>, style: &Style) -> Printed {
    let source = items.source.text.as_str();
    let mut printer = Printer {
        text: String::with_capacity(source.len() + source.len() / 16),
        line_break: line_break(source),
        heredocs: &items.heredocs,
        source,
    };
    let mut starts = Vec::with_capacity(items.len());
    for (index, item) in items.all.iter().enumerate() {
        printer.breaks(item.breaks, index);
        printer.blanks(item.blanks);
        starts.push(printer.text.len());
        let text = source.get(item.start as usize..item.end as usize).unwrap_or_default();
        match item.kind {
            Kind::Token(TokenKind::DoubleQuoted) if style.quotes == Quotes::Single => match in_single_quotes(text) {
                Some(inner) => {
                    printer.text.push('\'');
                    printer.text.push_str(inner);
                    printer.text.push('\'');
                }
                None => printer.text.push_str(text),
            },
            Kind::LineComment => printer.text.push_str(text.trim_end()),
            _ => printer.text.push_str(text),
        }
        if item.comma {
            printer.text.push(',');
        }
    }
    if !items.all.is_empty() {
        printer.breaks(1, items.len());
    }
    Printed { text: printer.text, starts }
}

/// The line break that a source has more of.
fn line_break(source: &str) -> &'static str {
    let bytes = source.as_bytes();
    if memchr::memchr(b'\r', bytes).is_none() {
        return "\n";
    }
    let all = memchr::memchr_iter(b'\n', bytes).count();
    let wide = memchr::memmem::find_iter(bytes, b"\r\n").count();
    if wide * 2 > all { "\r\n" } else { "\n" }
}

struct Printer<'i> {
    text: String,
    line_break: &'static str,
    /// The heredocs whose lines are not written yet.
    heredocs: &'i [bunraku_syntax::trivia::HeredocLines],
    source: &'i str,
}

impl Printer<'_> {
    /// Line breaks before an item. The lines of heredocs follow the first after their header.
    fn breaks(&mut self, breaks: u32, before: usize) {
        if breaks == 0 {
            return;
        }
        self.text.push_str(self.line_break);
        while let Some((heredoc, rest)) = self.heredocs.split_first()
            && heredoc.piece < before
        {
            let lines = heredoc.lines;
            let text = self.source.get(lines.start as usize..lines.end as usize).unwrap_or_default();
            self.text.push_str(text);
            if !text.ends_with('\n') {
                self.text.push_str(self.line_break);
            }
            self.heredocs = rest;
        }
        (1..breaks).for_each(|_| self.text.push_str(self.line_break));
    }

    fn blanks(&mut self, blanks: u32) {
        const BLANKS: &str = "                                                                ";
        match BLANKS.get(..blanks as usize) {
            Some(text) => self.text.push_str(text),
            None => self.text.extend(std::iter::repeat_n(' ', blanks as usize)),
        }
    }
}
