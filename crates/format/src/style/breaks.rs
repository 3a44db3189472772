//! Line breaks are the author's, except:
//!
//! - There is at most one blank line in a row, and none after an opening bracket, before a closing one and at the start.
//! - The brace of a body, a resource and a selector stands on the line of what it belongs to, and so do `else`, `elsif`, the
//!   parameters of a class and the name after `inherits`, unless a comment or a heredoc is between.
//! - A comma or a colon stands on the line of what is before it.

use bunraku_syntax::TokenKind;

use crate::ignored::Kept;
use crate::items::{Item, Items, Kind, Role};

/// Decides about line breaks everywhere but in lists.
pub(super) fn decide(items: &mut Items<'_>) {
    // A line break that a comma or a colon had before it comes after it.
    let mut moved = 0;
    let mut before: Option<&Item> = None;
    let mut rest = items.all.as_mut_slice();
    while let Some((item, after)) = std::mem::take(&mut rest).split_first_mut() {
        // Most have none, and get none.
        if item.old_breaks == 0 && moved == 0 && before.is_none_or(|before| !before.ends_line()) {
            (before, rest) = (Some(&*item), after);
            continue;
        }
        let mut breaks = limited(item, before, item.old_breaks.max(moved));
        moved = 0;
        if let Some(before) = before {
            if before.ends_line() {
                breaks = breaks.max(1);
            } else if !before.is_comment() && !item.follows_heredoc && !item.kept.has(Kept::BRACKETS) {
                if is_joined(item, before) {
                    breaks = 0;
                } else if item.is(TokenKind::Comma) || item.is(TokenKind::Colon) {
                    moved = breaks;
                    breaks = 0;
                }
            }
        }
        item.breaks = breaks;
        (before, rest) = (Some(&*item), after);
    }
}

/// Without the blank lines that there are not.
fn limited(item: &Item, before: Option<&Item>, breaks: u32) -> u32 {
    let Some(before) = before else { return 0 };
    if breaks == 0 {
        return 0;
    }
    if item.kept.has(Kept::BLANK_LINES) {
        return breaks;
    }
    let is_at_end = (before.opens() && before.role != Role::Bars) || (item.closes() && !item.is(TokenKind::Pipe));
    breaks.min(if is_at_end { 1 } else { 2 })
}

/// Whether it stands on the line of what is before it.
fn is_joined(item: &Item, before: &Item) -> bool {
    match item.role {
        Role::Body | Role::Resource | Role::Attributes | Role::Selector | Role::Parameters => true,
        _ => match item.kind {
            Kind::Token(TokenKind::Else | TokenKind::Elsif) => before.is(TokenKind::RightBrace),
            Kind::Token(_) => before.is(TokenKind::Inherits),
            _ => false,
        },
    }
}
