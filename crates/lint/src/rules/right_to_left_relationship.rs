//! Relationships are written from left to right.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "right_to_left_relationship",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Relationships are written from left to right.",
    help: Some("style_guide.html#chaining-arrow-syntax"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::OutEdge) {
        cx.report(token, "right-to-left (<-) relationship");
    }
    Ok(())
}
