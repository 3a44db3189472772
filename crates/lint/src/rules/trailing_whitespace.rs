//! No line ends with white space.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "trailing_whitespace",
    kind: ProblemKind::Error,
    is_on: true,
    description: "No line ends with white space.",
    help: Some("style_guide.html#spacing-indentation-and-whitespace"),
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
