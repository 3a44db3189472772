//! What is left alone: everything from `# fmt: off` to `# fmt: on`, both on lines of their own at the same bracket level, and
//! statements with `# fmt: skip` at their end.

use bunraku_syntax::TokenKind;
use bunraku_syntax::ast::{Expr, ExprKind, Program};
use bunraku_syntax::deep;

use crate::items::{Item, Items, Kind};

/// Joins the items of what is left alone.
pub(crate) fn join(items: &mut Items<'_>, program: &Program) {
    if memchr::memmem::find(items.source.text.as_bytes(), b"fmt:").is_none() {
        return;
    }
    let mut regions = switched_off(items);
    regions.extend(skipped(items, program));
    regions.sort_unstable();
    let mut joined: Vec<Item> = Vec::with_capacity(items.len());
    // Where each item is afterwards, for the heredocs.
    let mut places = Vec::with_capacity(items.len());
    let mut regions = regions.into_iter().peekable();
    let mut until = None;
    for (index, item) in items.all.iter().enumerate() {
        while until.is_none_or(|last| index > last)
            && let Some((first, last)) = regions.next_if(|(first, _)| *first <= index)
        {
            if index == first {
                until = Some(last);
                joined.push(Item { kind: Kind::Verbatim, ..*item });
            }
        }
        match joined.last_mut() {
            Some(region) if until.is_some_and(|last| index <= last) => region.end = region.end.max(item.end),
            _ => joined.push(*item),
        }
        places.push(joined.len() - 1);
    }
    items.all = joined;
    let ends: Vec<u32> = items.all.iter().map(|item| item.end).collect();
    items.heredocs.retain_mut(|heredoc| {
        heredoc.piece = places.get(heredoc.piece).copied().unwrap_or_default();
        // Lines within a region are written with it.
        ends.get(heredoc.piece).is_none_or(|end| heredoc.lines.start >= *end)
    });
}

/// What a comment switches.
fn switch<'s>(items: &Items<'s>, index: usize) -> Option<&'s str> {
    if items.at(index).kind != Kind::LineComment {
        return None;
    }
    items.text(index).trim_start_matches('#').trim().strip_prefix("fmt:").map(str::trim)
}

/// The first and the last items of the regions that are switched off. One that is not switched on again ends with the
/// bracket around it.
fn switched_off(items: &Items<'_>) -> Vec<(usize, usize)> {
    let mut regions = Vec::new();
    // The level of the region that is open, and its first item.
    let mut open: Option<(usize, usize)> = None;
    let mut level = 0_usize;
    for (index, item) in items.all.iter().enumerate() {
        if let Kind::Token(kind) = item.kind {
            if is_opening(kind) {
                level += 1;
            } else if is_closing(kind) {
                if let Some((_, first)) = open.take_if(|(of, _)| *of == level) {
                    regions.push((first, index - 1));
                }
                level = level.saturating_sub(1);
            }
        } else if index == 0 || item.old_breaks > 0 {
            match (switch(items, index), open) {
                (Some("off"), None) => open = Some((level, index)),
                (Some("on"), Some((of, first))) if of == level => {
                    open = None;
                    regions.push((first, index));
                }
                _ => {}
            }
        }
    }
    if let Some((_, first)) = open {
        regions.push((first, items.len() - 1));
    }
    regions
}

fn is_opening(kind: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        T::LeftBrace | T::SelectorBrace | T::LeftBracket | T::ListStart | T::LeftParenthesis | T::LineStartParenthesis
    )
}

fn is_closing(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RightBrace | TokenKind::RightBracket | TokenKind::RightParenthesis)
}

/// The first and the last items of the statements that are skipped, together with the comment.
fn skipped(items: &Items<'_>, program: &Program) -> Vec<(usize, usize)> {
    let mut comments: Vec<(u32, usize)> = Vec::new();
    for index in 1..items.len() {
        if items.at(index).old_breaks == 0 && switch(items, index) == Some("skip") {
            comments.push((items.at(index - 1).end, index));
        }
    }
    let mut regions = Vec::new();
    if !comments.is_empty() {
        statement(&program.body, &mut |statement| {
            let place = comments.binary_search_by_key(&statement.span.end, |(end, _)| *end);
            let Some(&(_, comment)) = place.ok().and_then(|place| comments.get(place)) else { return false };
            if let Some(first) = items.beginning_at(statement.span.start) {
                regions.push((first, comment));
            }
            true
        });
    }
    regions
}

/// Hands on every statement, the outer before the inner, which are passed over when the outer is taken.
fn statement(expr: &Expr, take: &mut dyn FnMut(&Expr) -> bool) {
    deep(|| {
        let is_taken = !matches!(expr.kind, ExprKind::Block(_)) && take(expr);
        if !is_taken {
            expr.each_child(&mut |child| statement(child, take));
        }
    });
}
