//! What stands in one column.
//!
//! - Arrows of one brace level, up to `;`, stand one blank after the longest key if they are on several lines. In resources
//!   and everything in them that is so always; elsewhere not if every arrow of the level had exactly one blank before it.
//! - The names and the `=` of neighbouring parameters, and the `=` of assignments on consecutive lines, stand in one column
//!   where they did, with the smallest gap that they had. Elsewhere there is one blank.

use bunraku_syntax::TokenKind;

use crate::ignored::Kept;
use crate::items::{Items, NONE, Role};
use crate::roles::Neighbours;

/// The arrows of one level.
struct Level {
    /// The bracket around it.
    opening: usize,
    /// Where its arrows begin in the list of all that are not yet in their column.
    first: usize,
    /// Whether it is in a resource.
    in_resource: bool,
}

/// Puts arrows in their columns.
pub(super) fn arrows(items: &mut Items<'_>) {
    let mut levels = vec![Level { opening: NONE, first: 0, in_resource: false }];
    let mut arrows: Vec<usize> = Vec::new();
    for sign in 0..items.signs.len() {
        let Some(&index) = items.signs.get(sign) else { return };
        let item = items.at(index);
        let Some(level) = levels.last_mut() else { return };
        if item.opens() {
            // Pairs in a call or an array stand in the column of the attributes around them.
            let is_shared = level.in_resource && !is_brace(item.role) && items.at(level.opening).role.is_list();
            if !is_shared {
                let in_resource = level.in_resource || matches!(item.role, Role::Resource | Role::Attributes);
                levels.push(Level { opening: index, first: arrows.len(), in_resource });
            }
        } else if item.closes() && item.partner == level.opening || item.is(TokenKind::Semicolon) {
            let closes = item.closes();
            align_arrows(items, arrows.get(level.first..).unwrap_or_default(), level.in_resource);
            arrows.truncate(level.first);
            if closes {
                levels.pop();
            }
        } else if item.is(TokenKind::FatArrow) || item.is(TokenKind::PlusArrow) {
            if item.kept.has(Kept::ARROWS) && item.old_breaks == 0 {
                items.change(index, |item| item.blanks = item.old_blanks);
            } else {
                arrows.push(index);
            }
        }
    }
}

/// Whether what holds such a thing is written in braces.
fn is_brace(role: Role) -> bool {
    matches!(role, Role::Body | Role::Hash | Role::Selector | Role::Resource | Role::Attributes)
}

fn align_arrows(items: &mut Items<'_>, arrows: &[usize], in_resource: bool) {
    let line = |index: usize| items.at(index).line;
    let (Some(&first), Some(&last)) = (arrows.first(), arrows.last()) else { return };
    if line(first) == line(last) {
        return;
    }
    let has_one_blank = |&index: &usize| items.at(index).old_breaks == 0 && items.at(index).old_blanks == 1;
    if !in_resource && arrows.iter().all(has_one_blank) {
        return;
    }
    let mut before = NONE;
    // One that begins a line, and one behind another on its line, have no column.
    let aligned = arrows.iter().copied().filter(|&index| {
        let is_first = before == NONE || line(before) != line(index);
        before = index;
        is_first && items.at(index).breaks == 0
    });
    let ends: Vec<(usize, u32)> = aligned.map(|index| (index, items.column_after(index - 1))).collect();
    let column = ends.iter().map(|(_, end)| end + 1).max().unwrap_or(0);
    for (index, end) in ends {
        items.change(index, |arrow| arrow.blanks = column.saturating_sub(end));
    }
}

/// Puts names and `=` in the columns that they shared.
pub(super) fn neighbours(items: &mut Items<'_>, all: &[Neighbours]) {
    for neighbours in all {
        let (Some(&first), Some(&last)) = (neighbours.first(), neighbours.last()) else { continue };
        // What is on one line has no column, however long the line is.
        if items.at(first).line == items.at(last).line {
            continue;
        }
        // A line break or a comment before it takes it out of the column.
        let in_line = |&index: &usize| {
            let item = items.at(index);
            item.old_breaks == 0
                && item.breaks == 0
                && index.checked_sub(1).is_some_and(|it| !items.at(it).is_comment())
        };
        let columns: Vec<(usize, u32)> =
            neighbours.iter().copied().filter(in_line).map(|index| (index, items.old_column(index))).collect();
        for shared in columns.chunk_by(|one, next| one.1 == next.1).filter(|shared| shared.len() > 1) {
            let gap = shared.iter().map(|(index, _)| items.at(*index).old_blanks).min().unwrap_or(1).max(1);
            let ends: Vec<(usize, u32)> =
                shared.iter().map(|&(index, _)| (index, items.column_after(index - 1))).collect();
            let column = ends.iter().map(|(_, end)| end + gap).max().unwrap_or(0);
            for (index, end) in ends {
                items.change(index, |item| item.blanks = column - end);
            }
        }
    }
}
