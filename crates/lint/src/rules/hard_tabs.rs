//! White space has no tabs.

use super::prelude::*;

/// White space has no tabs.
pub(super) const RULE: Rule = Rule {
    name: "hard_tabs",
    kind: ProblemKind::Error,
    is_on: true,
    description: Some(
        "Check the raw manifest string for lines containing hard tab characters and record an error for each instance found.",
    ),
    help: Some("https://puppet.com/docs/puppet/latest/style_guide.html#spacing-indentation-and-whitespace"),
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
