//! Relationship arrows stand on the line of their right operand.
//!
//! ```puppet
//! Package['a']
//! # why
//! -> File['b']
//! ```

use bunraku_syntax::TokenKind;

use crate::ignored::Kept;
use crate::items::{Items, Kind};

/// Moves arrows at the end of a line, and behind the comments after them, to the beginning of the next.
pub(super) fn move_arrows(items: &mut Items<'_>) {
    for arrow in 0..items.len() {
        if !is_edge(items.at(arrow).kind) || items.at(arrow).kept.has(Kept::CHAINS) {
            continue;
        }
        let item = *items.at(arrow);
        let right = items.code_from(arrow + 1);
        if items.at(right).kind == Kind::Verbatim || items.at(right).old_breaks == 0 {
            continue;
        }
        // What stood before the arrow now stands before the first comment behind it, if there is one.
        let gap = *items.at(right);
        if item.old_breaks > 0 && right > arrow + 1 {
            items.change(arrow + 1, |first| {
                (first.old_breaks, first.old_blanks) = (item.old_breaks, item.old_blanks);
                first.follows_heredoc |= item.follows_heredoc;
            });
        }
        let breaks = if right == arrow + 1 { gap.old_breaks.max(item.old_breaks) } else { gap.old_breaks };
        if let Some(moved) = items.all.get_mut(arrow..right) {
            moved.rotate_left(1);
        }
        items.change(right - 1, |arrow| {
            (arrow.old_breaks, arrow.old_blanks) = (breaks, gap.old_blanks);
            arrow.follows_heredoc |= gap.follows_heredoc;
        });
        items.change(right, |right| {
            (right.old_breaks, right.old_blanks, right.follows_heredoc) = (0, 1, false);
        });
    }
}

fn is_edge(kind: Kind) -> bool {
    use TokenKind as T;
    matches!(kind, Kind::Token(T::BeforeEdge | T::NotifyEdge | T::AfterEdge | T::SubscribeEdge))
}
