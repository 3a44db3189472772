//! A part of a source: the statements that have something on the lines that are asked for.

use std::ops::Range;

use bunraku_syntax::ast::{Expr, ExprKind, Program};
use bunraku_syntax::deep;

use crate::items::Items;
use crate::print::Printed;

/// Lines of a source, counted from 1, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// The first.
    pub first: u32,
    /// The last.
    pub last: u32,
}

/// The source with only the statements on these lines as they are printed.
pub(crate) fn only(lines: Lines, items: &Items<'_>, program: &Program, printed: &Printed) -> String {
    let source = items.source;
    let wanted = source.line_start(lines.first)..source.line_start(lines.last.saturating_add(1)).max(1);
    let Some(place) = smallest(&program.body, &wanted) else { return source.text.clone() };
    let first = items.all.partition_point(|item| item.start < place.start);
    let last = items.all.partition_point(|item| item.start < place.end).saturating_sub(1);
    let (old_start, old_end) = (start_in_source(items, first), end_in_source(items, last));
    let new_start = printed.starts.get(first).map_or(0, |&start| start - items.at(first).blanks as usize);
    let new_end = match printed.starts.get(last + 1) {
        // What follows keeps its place: only what belongs to the statements is taken.
        Some(&next) => {
            let before = printed.text.get(..next).unwrap_or_default();
            before.trim_end_matches([' ', '\r', '\n']).len()
        }
        None => printed.text.trim_end_matches(['\r', '\n']).len(),
    };
    let part = |text: &str, range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
    let text = source.text.as_str();
    part(text, 0..old_start) + &part(&printed.text, new_start..new_end) + &part(text, old_end..text.len())
}

/// Where the line of an item begins, if it is the first on it.
fn start_in_source(items: &Items<'_>, index: usize) -> usize {
    let item = items.at(index);
    let is_first = index == 0 || item.old_breaks > 0;
    (item.start - if is_first { item.old_blanks } else { 0 }) as usize
}

/// Where an item ends, with the lines of the heredocs before it that follow its line.
fn end_in_source(items: &Items<'_>, index: usize) -> usize {
    let heredocs = items.heredocs.iter().filter(|heredoc| heredoc.piece <= index).map(|heredoc| heredoc.lines.end);
    let end = heredocs.max().unwrap_or(0).max(items.at(index).end) as usize;
    items.source.text.get(..end).map_or(end, |before| before.trim_end_matches([' ', '\r', '\n']).len())
}

/// The statements that reach into a range, in the innermost block that holds all of it.
fn smallest(body: &Expr, wanted: &Range<u32>) -> Option<Range<u32>> {
    let overlaps = |expr: &Expr| expr.span.start < wanted.end && expr.span.end > wanted.start;
    let mut found: Option<Range<u32>> = None;
    let mut block: &Expr = body;
    loop {
        let statements: &[Expr] = match &block.kind {
            ExprKind::Block(statements) => statements,
            _ => std::slice::from_ref(block),
        };
        let hit: Vec<&Expr> = statements.iter().filter(|statement| overlaps(statement)).collect();
        let (Some(first), Some(last)) = (hit.first(), hit.last()) else { return found };
        found = Some(first.span.start..last.span.end);
        let [only] = hit.as_slice() else { return found };
        let is_inside = wanted.start > only.span.start && wanted.end <= only.span.end;
        match inner_block(only, wanted).filter(|_| is_inside) {
            Some(inner) => block = inner,
            None => return found,
        }
    }
}

/// The block of statements directly in an expression that holds all of a range.
fn inner_block<'e>(expr: &'e Expr, wanted: &Range<u32>) -> Option<&'e Expr> {
    let mut found = None;
    deep(|| {
        expr.each_child(&mut |child| {
            let holds = child.span.start <= wanted.start && child.span.end >= wanted.end;
            if holds && found.is_none() {
                found = match child.kind {
                    ExprKind::Block(_) => Some(child),
                    _ => inner_block(child, wanted),
                };
            }
        });
    });
    found
}
