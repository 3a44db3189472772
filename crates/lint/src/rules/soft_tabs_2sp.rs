//! Indentation is an even number of characters.

use super::prelude::*;

/// Indentation is an even number of characters.
pub(super) const RULE: Rule = Rule {
    name: "2sp_soft_tabs",
    kind: ProblemKind::Error,
    is_on: true,
    description: Some(
        "Check the manifest tokens for any indentation not using 2 space soft tabs and record an error for each instance found.",
    ),
    help: Some("https://puppet.com/docs/puppet/latest/style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::Indent).filter(|token| token.width() % 2 == 1) {
        cx.report(token, "two-space soft tabs not used");
    }
    Ok(())
}
