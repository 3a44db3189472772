//! No line ends with white space.

use super::prelude::*;

/// No line ends with white space.
pub(super) const RULE: Rule = Rule {
    name: "trailing_whitespace",
    kind: ProblemKind::Error,
    is_on: true,
    description: Some(
        "Check the manifest tokens for lines ending with whitespace and record an error for each instance found.",
    ),
    help: Some("https://puppet.com/docs/puppet/latest/style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| matches!(token.kind, Kind::Indent | Kind::Whitespace)) {
        if token.next().is_none_or(|next| next.is(Kind::Newline)) {
            cx.report_fix(token, "trailing whitespace found", || layout(token.remove()));
        }
    }
    Ok(())
}
