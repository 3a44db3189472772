//! White space has no tabs.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "hard_tabs",
    kind: ProblemKind::Error,
    is_on: true,
    description: "White space has no tabs.",
    help: Some("style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| matches!(token.kind, Kind::Indent | Kind::Whitespace)) {
        if token.value().contains('\t') {
            cx.report_fix(token, "tab character found", || layout(token.replace(token.value().replace('\t', "  "))));
        }
    }
    Ok(())
}
