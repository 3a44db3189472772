//! One space stands before an opening brace.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_opening_brace_before",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space stands before an opening brace.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for brace in cx.tokens.of(Kind::LBrace) {
        let (Some(prev), Some(visible)) = (brace.prev(), brace.prev_visible()) else { continue };
        let distance = brace.index - visible.index;
        let is_single = distance == 2 && prev.is_single_space();
        let is_fine = match visible.kind {
            Kind::Comma if matches!(prev.kind, Kind::Indent | Kind::Newline) => true,
            Kind::Comment | Kind::Colon => true,
            Kind::LParen | Kind::LBrack => distance == 1 || break_between(visible, brace),
            Kind::LBrace => is_single || break_between(visible, brace),
            _ => is_single,
        };
        if !is_fine {
            let space = if matches!(visible.kind, Kind::LParen | Kind::LBrack) { "" } else { " " };
            cx.report_fix(brace, "there should be a single space before an opening brace", || {
                (!visible.kind.is_comment()).then(|| layout(Edit::new(visible.end, brace.start, space)))?
            });
        }
    }
    Ok(())
}
