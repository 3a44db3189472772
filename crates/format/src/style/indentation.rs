//! Indentation by brackets, exactly as the check `strict_indent` counts:
//!
//! - A step for each line that leaves brackets open; brackets of one line that close on one later line count once. The line
//!   that closes them is a step back.
//! - A step more below a title that ends its line without a bracket left open on it, until `;` or `}`.
//! - A step for the one line after a final `=` or `=>`.
//! - Lines that merely continue stand in the column of their statement. Comments stand like code at their place, but a
//!   comment in the first column stays there.

use bunraku_syntax::TokenKind;
use smallvec::SmallVec;

use crate::ignored::Kept;
use crate::items::{Items, Kind, NONE};

/// Decides how far every line is indented, in steps of so many blanks.
pub(super) fn decide(items: &mut Items<'_>, step: u32) {
    number_lines(items);
    let mut state = State { depth: 0, colon: None, once: 0 };
    let mut first = 0;
    while first < items.len() {
        let once = std::mem::take(&mut state.once);
        let (last, has_openings, depth) = state.begin_line(items, first);
        let depth = depth + once;
        let item = *items.at(first);
        let begins_line = first == 0 || item.old_breaks > 0;
        let is_kept = begins_line && (item.kept.has(Kept::INDENTATION) || item.is_comment() && item.old_blanks == 0);
        let indent = if is_kept { items.old_column(first) } else { u32::try_from(depth.max(0)).unwrap_or(0) * step };
        items.change(first, |item| item.blanks = indent);
        state.end_line(items, first, last, has_openings);
        first = last + 1;
    }
}

/// Numbers the lines of what is written, but for the texts of heredocs: only their order matters.
fn number_lines(items: &mut Items<'_>) {
    let mut line = 1;
    let text = items.source.text.as_bytes();
    for item in &mut items.all {
        line += item.breaks;
        item.line = line;
        if may_have_breaks(item.kind) {
            let text = text.get(item.start as usize..item.end as usize).unwrap_or_default();
            line += text.iter().filter(|byte| **byte == b'\n').count() as u32;
        }
    }
}

fn may_have_breaks(kind: Kind) -> bool {
    use TokenKind as T;
    match kind {
        Kind::Token(kind) => matches!(kind, T::SingleQuoted | T::DoubleQuoted | T::StringStart | T::Regexp),
        Kind::LineComment => false,
        Kind::BlockComment | Kind::Verbatim => true,
    }
}

struct State {
    depth: i64,
    /// The line of the title that has its attributes below it.
    colon: Option<u32>,
    /// The steps of the next line alone.
    once: i64,
}

impl State {
    /// Takes back the steps of the brackets that a line closes; gives its last item, whether brackets are opened on it, and
    /// how deep it is.
    fn begin_line(&mut self, items: &Items<'_>, first: usize) -> (usize, bool, i64) {
        let mut openings: SmallVec<[u32; 8]> = SmallVec::new();
        let (mut last, mut has_openings) = (first, false);
        for (index, item) in items.all.iter().enumerate().skip(first) {
            if item.breaks > 0 && index > first {
                break;
            }
            last = index;
            has_openings |= item.opens();
            if !item.closes() || !is_bracket(item.kind) {
                continue;
            }
            let opening = items.at(item.partner).line;
            if opening < item.line && !openings.contains(&opening) {
                self.depth -= 1;
                openings.push(opening);
            }
            if item.is(TokenKind::RightBrace) && self.colon.is_some_and(|colon| opening < colon) {
                self.depth -= 1;
                self.colon = None;
            }
        }
        let is_semicolon = first == last && items.at(first).is(TokenKind::Semicolon);
        (last, has_openings, self.depth - i64::from(is_semicolon && self.colon.is_some()))
    }

    /// Adds the steps of what a line leaves open.
    fn end_line(&mut self, items: &Items<'_>, first: usize, last: usize, has_openings: bool) {
        let mut closings: SmallVec<[u32; 8]> = SmallVec::new();
        let opened_on = if has_openings { first..last + 1 } else { 0..0 };
        for item in items.all.get(opened_on).unwrap_or_default().iter().rev() {
            if !item.opens() || !is_bracket(item.kind) {
                continue;
            }
            let closing = items.at(item.partner).line;
            if closing > item.line && !closings.contains(&closing) {
                closings.push(closing);
            }
        }
        let left_open = closings.len() as i64;
        self.depth += left_open;
        let code = (first..=last).rev().find(|&index| items.at(index).kind != Kind::LineComment).unwrap_or(NONE);
        match items.at(code).kind {
            Kind::Token(TokenKind::Colon) if left_open == 0 && self.colon.is_none() => {
                self.colon = Some(items.at(code).line);
                self.depth += 1;
            }
            Kind::Token(TokenKind::Semicolon) if self.colon.take().is_some() => self.depth -= 1,
            Kind::Token(TokenKind::Assign | TokenKind::FatArrow) => self.once = 1,
            _ => {}
        }
    }
}

/// Whether it is one of the brackets that count.
fn is_bracket(kind: Kind) -> bool {
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
