//! Writes the items as they are laid out.

use std::ops::Range;

use bunraku_syntax::TokenKind;

use crate::items::{Item, Items, Kind};
use crate::style::in_single_quotes;
use crate::{Quotes, Style};

/// More blanks than most lines are indented by.
const BLANKS: &str = "                                                                ";

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
        unwritten: 0..0,
    };
    let mut starts = Vec::with_capacity(items.len());
    for (index, item) in items.all.iter().enumerate() {
        if !printer.is_as_written(item, index) {
            printer.write();
            printer.breaks(item.breaks, index);
            printer.blanks(item.blanks);
            printer.unwritten.start = item.start as usize;
        }
        starts.push(printer.text.len() + (item.start as usize - printer.unwritten.start));
        printer.unwritten.end = item.end as usize;
        let text = |end: u32| source.get(item.start as usize..end as usize).unwrap_or_default();
        match item.kind {
            Kind::Token(TokenKind::DoubleQuoted) if style.quotes == Quotes::Single => {
                if let Some(inner) = in_single_quotes(text(item.end)) {
                    printer.unwritten.end = item.start as usize;
                    printer.insert(&["'", inner, "'"], item.end);
                }
            }
            Kind::LineComment => printer.unwritten.end = item.start as usize + text(item.end).trim_end().len(),
            _ => {}
        }
        if item.comma {
            printer.insert(&[","], item.end);
        }
    }
    printer.write();
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
    /// What stays as it is in the source and is not written yet: most code is laid out already, and copied piece by piece.
    unwritten: Range<usize>,
}

impl Printer<'_> {
    /// Whether what is before an item is already what must be there.
    #[inline]
    fn is_as_written(&self, item: &Item, index: usize) -> bool {
        let gap = self.source.as_bytes().get(self.unwritten.end..item.start as usize);
        match (item.breaks, item.blanks, gap) {
            (_, _, None) => false,
            (0, 0, Some(gap)) => gap.is_empty(),
            (0, 1, Some(gap)) => gap == b" ",
            (breaks, blanks, Some(gap)) => {
                let has_heredoc = self.heredocs.first().is_some_and(|heredoc| heredoc.piece < index);
                let is_plain = breaks == 0 || self.line_break == "\n" && !has_heredoc;
                is_plain && is_gap(gap, breaks as usize, blanks as usize)
            }
        }
    }

    /// Writes what is not written yet.
    fn write(&mut self) {
        self.text.push_str(self.source.get(self.unwritten.clone()).unwrap_or_default());
        self.unwritten.start = self.unwritten.end;
    }

    /// Writes something else instead of what is in the source up to an offset.
    fn insert(&mut self, texts: &[&str], end: u32) {
        self.write();
        self.text.extend(texts.iter().copied());
        self.unwritten = end as usize..end as usize;
    }

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
        match BLANKS.get(..blanks as usize) {
            Some(text) => self.text.push_str(text),
            None => self.text.extend(std::iter::repeat_n(' ', blanks as usize)),
        }
    }
}

/// Whether a gap has so many line breaks and then so many blanks.
fn is_gap(gap: &[u8], breaks: usize, blanks: usize) -> bool {
    let Some((lines, rest)) = gap.split_at_checked(breaks) else { return false };
    rest.len() == blanks && BLANKS.as_bytes().starts_with(rest) && lines.iter().all(|byte| *byte == b'\n')
}
