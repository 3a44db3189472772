//! One space stands before an opening bracket that begins an array.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_opening_bracket_before",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space stands before an opening bracket that begins an array.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for bracket in cx.tokens.of(Kind::LBrack) {
        let (Some(prev), Some(visible)) = (bracket.prev(), bracket.prev_visible()) else { continue };
        let is_new_line = matches!(prev.kind, Kind::Indent | Kind::Newline);
        let is_single = bracket.index - visible.index == 2 && prev.is_single_space();
        if matches!(prev.kind, Kind::ClassRef | Kind::Variable | Kind::Name)
            || is_new_line
                && matches!(
                    visible.kind,
                    Kind::Semicolon | Kind::Comma | Kind::Colon | Kind::Name | Kind::RBrack | Kind::RBrace
                )
            || visible.is(Kind::Comment)
        {
            continue;
        }
        let is_fine = match visible.kind {
            Kind::RBrack | Kind::RBrace | Kind::RParen | Kind::LParen | Kind::LBrack | Kind::LBrace | Kind::Type => {
                visible == prev || is_new_line
            }
            Kind::ClassRef | Kind::Variable => false,
            _ => is_single,
        };
        let opens_block = visible.is(Kind::LBrace)
            && match visible.prev_visible() {
                None => true,
                Some(before) => matches!(before.kind, Kind::Name | Kind::Pipe) && is_single,
            };
        if !is_fine && !opens_block {
            let space = if matches!(visible.kind, Kind::LParen | Kind::LBrack | Kind::LBrace) { "" } else { " " };
            cx.report_fix(bracket, "there should be a single space before an opening bracket", || {
                (!visible.kind.is_comment()).then(|| layout(Edit::new(visible.end, bracket.start, space)))?
            });
        }
    }
    Ok(())
}
