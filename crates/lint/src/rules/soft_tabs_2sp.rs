//! Indentation is an even number of characters.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "2sp_soft_tabs",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Indentation is an even number of characters.",
    help: Some("style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::Indent).filter(|token| token.width() % 2 == 1) {
        cx.report(token, "two-space soft tabs not used");
    }
    Ok(())
}
