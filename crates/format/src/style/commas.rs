//! A comma stands after the last element where the closing bracket begins a line: in hashes, arrays, selectors, attributes
//! that do not end with `;`, and parameters of classes, defined types and plans. Elsewhere it stays as written.

use bunraku_syntax::TokenKind;

use crate::ignored::Kept;
use crate::items::{Items, Kind};

/// Decides after which items a comma is added.
pub(super) fn decide(items: &mut Items<'_>) {
    for sign in 0..items.signs.len() {
        let Some(&close) = items.signs.get(sign) else { return };
        let item = items.at(close);
        if !item.closes() || !items.at(item.partner).role.is_list() {
            continue;
        }
        let last = items.code_before(close);
        let begins_line = (last.wrapping_add(1)..=close).any(|index| items.at(index).breaks > 0);
        let is_element = last != item.partner
            && match items.at(last).kind {
                Kind::Token(kind) => !matches!(kind, TokenKind::Comma | TokenKind::Semicolon | TokenKind::Colon),
                _ => false,
            };
        if begins_line && is_element && !items.at(last).kept.has(Kept::COMMAS) {
            items.change(last, |last| last.comma = true);
        }
    }
}
