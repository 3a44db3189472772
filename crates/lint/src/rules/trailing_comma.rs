//! The last element of a list over several lines has a comma.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "trailing_comma",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "The last element of a list over several lines has a comma.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        let end = cx.tokens.get(resource.end).filter(|end| !end.is(Kind::Semicolon));
        element(cx, end, Kind::Colon);
    }
    let mut close = None;
    let brackets: Vec<_> = cx
        .tokens
        .iter()
        .rev()
        .filter_map(|token| {
            if token.is(Kind::RBrack) {
                close = Some(token);
            }
            let is_array = token.is(Kind::LBrack) && !token.prev_code().is_any(&[Kind::ClassRef, Kind::Type]);
            is_array.then_some(close)
        })
        .collect();
    for end in brackets.into_iter().rev() {
        element(cx, end.or(cx.tokens.last()), Kind::LBrack);
    }
    for brace in cx.tokens.of(Kind::LBrace) {
        if brace.prev_code().is_any(&[Kind::Equals, Kind::IsEqual, Kind::FArrow, Kind::LParen]) {
            element(cx, cx.index.brace(brace.index).or(cx.tokens.last()), Kind::LBrace);
        }
    }
    for name in cx.tokens.of(Kind::ClassRef).filter(|name| name.next_code().is(Kind::LBrace)) {
        if name.prev_code().is_some_and(|it| !matches!(it.kind, Kind::RShift | Kind::Match | Kind::NoMatch)) {
            let end = name.after().find(|it| it.is(Kind::RBrace)).or(cx.tokens.last());
            element(cx, end, Kind::LBrace);
        }
    }
    Ok(())
}

/// Looks at the last element before the end of a list.
fn element<'t>(cx: &mut Context<'t>, end: Option<Cursor<'t>>, opening: Kind) {
    let mut last = end.and_then(|end| end.prev_code());
    if last.is_any(&[Kind::Heredoc, Kind::HeredocPost]) {
        while last.is_some() && !last.is(Kind::HeredocOpen) {
            last = last.and_then(|it| it.prev_code());
        }
    }
    let Some(last) = last.filter(|last| last.kind != opening && !last.is(Kind::Comma)) else { return };
    if let Some(next) = last.next().filter(|next| next.is(Kind::Newline)) {
        cx.report_fix(next, "missing trailing comma after last element", || layout(next.insert_before(",")));
    }
}
