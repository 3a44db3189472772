//! Lines have at most 140 characters.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "140chars",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Lines have at most 140 characters.",
    help: Some("style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    long_lines(cx, 140);
    Ok(())
}
