//! Lines have at most 80 characters.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "80chars",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "Lines have at most 80 characters.",
    help: Some("style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    long_lines(cx, 80);
    Ok(())
}
