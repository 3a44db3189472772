//! Indentation by brackets, exactly as the check `strict_indent` counts:
//!
//! - A step for each line that leaves brackets open; brackets of one line that close on one later line count once. The line
//!   that closes them is a step back.
//! - A step more below a title that ends its line without a bracket left open on it, until `;` or `}`.
//! - A step for the one line after a final `=` or `=>`.
//! - Lines that merely continue stand in the column of their statement. Comments stand like code at their place, but a
//!   comment in the first column stays there.

use bunraku_syntax::TokenKind;

use crate::ignored::Kept;
use crate::items::{Item, Items, Kind};

/// Decides how far every line is indented, in steps of so many blanks.
pub(super) fn decide(items: &mut Items<'_>, step: u32) {
    number_lines(items);
    let mut state = State { depth: 0, colon: None, once: 0, counted: Vec::new() };
    let mut first = 0;
    while first < items.len() {
        let once = std::mem::take(&mut state.once);
        let line = items.line(first);
        let brackets = if line.iter().any(Item::is_bracket) { line } else { &[] };
        let depth = once + state.begin_line(items, line, brackets);
        state.end_line(items, line, brackets);
        let next = first + line.len();
        let item = items.at(first);
        let begins_line = first == 0 || item.old_breaks > 0;
        let is_kept = begins_line && (item.kept.has(Kept::INDENTATION) || item.is_comment() && item.old_blanks == 0);
        let indent = if is_kept { items.old_column(first) } else { u32::try_from(depth.max(0)).unwrap_or(0) * step };
        items.change(first, |item| item.blanks = indent);
        first = next;
    }
}

/// Numbers the lines of what is written, but for the texts of heredocs: only their order matters.
fn number_lines(items: &mut Items<'_>) {
    let mut line = 1;
    let text = items.source.text.as_bytes();
    for item in &mut items.all {
        line += item.breaks;
        item.line = line;
        if item.may_have_breaks() {
            let text = text.get(item.start as usize..item.end as usize).unwrap_or_default();
            line += text.iter().filter(|byte| **byte == b'\n').count() as u32;
        }
    }
}

struct State {
    depth: i64,
    /// The line of the title that has its attributes below it.
    colon: Option<u32>,
    /// The steps of the next line alone.
    once: i64,
    /// The other lines of the brackets of a line, each of which counts once.
    counted: Vec<u32>,
}

impl State {
    /// Takes back the steps of the brackets that a line closes; gives how deep it is.
    fn begin_line(&mut self, items: &Items<'_>, line: &[Item], brackets: &[Item]) -> i64 {
        self.counted.clear();
        for item in brackets.iter().filter(|item| item.closes() && counts(item.kind)) {
            let opening = items.at(item.partner).line;
            if opening < item.line && !self.counted.contains(&opening) {
                self.depth -= 1;
                self.counted.push(opening);
            }
            if item.is(TokenKind::RightBrace) && self.colon.is_some_and(|colon| opening < colon) {
                self.depth -= 1;
                self.colon = None;
            }
        }
        let is_semicolon = matches!(line, [only] if only.is(TokenKind::Semicolon));
        self.depth - i64::from(is_semicolon && self.colon.is_some())
    }

    /// Adds the steps of what a line leaves open.
    fn end_line(&mut self, items: &Items<'_>, line: &[Item], brackets: &[Item]) {
        self.counted.clear();
        for item in brackets.iter().filter(|item| item.opens() && counts(item.kind)) {
            let closing = items.at(item.partner).line;
            if closing > item.line && !self.counted.contains(&closing) {
                self.counted.push(closing);
            }
        }
        let left_open = self.counted.len() as i64;
        self.depth += left_open;
        let Some(code) = line.iter().rfind(|item| item.kind != Kind::LineComment) else { return };
        match code.kind {
            Kind::Token(TokenKind::Colon) if left_open == 0 && self.colon.is_none() => {
                self.colon = Some(code.line);
                self.depth += 1;
            }
            Kind::Token(TokenKind::Semicolon) if self.colon.take().is_some() => self.depth -= 1,
            Kind::Token(TokenKind::Assign | TokenKind::FatArrow) => self.once = 1,
            _ => {}
        }
    }
}

/// Whether it is one of the brackets that count.
fn counts(kind: Kind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        Kind::Token(
            T::LeftBrace
                | T::SelectorBrace
                | T::RightBrace
                | T::LeftBracket
                | T::ListStart
                | T::RightBracket
                | T::LeftParenthesis
                | T::LineStartParenthesis
                | T::RightParenthesis
        )
    )
}
