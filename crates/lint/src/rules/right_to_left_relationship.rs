//! Relationships are written from left to right.

use super::prelude::*;

/// Relationships are written from left to right.
pub(super) const RULE: Rule = Rule {
    name: "right_to_left_relationship",
    kind: ProblemKind::Warning,
    is_on: true,
    description: Some(
        "Test the manifest tokens for any right-to-left (<-) chaining operators and record a warning for each instance found.",
    ),
    help: Some("https://puppet.com/docs/puppet/latest/style_guide.html#chaining-arrow-syntax"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::OutEdge) {
        cx.report(token, "right-to-left (<-) relationship");
    }
    Ok(())
}
