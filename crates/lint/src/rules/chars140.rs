//! Lines have at most 140 characters.

use super::prelude::*;

/// Lines have at most 140 characters.
pub(super) const RULE: Rule = Rule {
    name: "140chars",
    kind: ProblemKind::Warning,
    is_on: true,
    description: Some(
        "Test the raw manifest string for lines containing more than 140 characters and record a warning for each instance found. The only exceptions to this rule are lines containing URLs and template() calls which would hurt readability if split.",
    ),
    help: Some("https://puppet.com/docs/puppet/latest/style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    long_lines(cx, 140);
    Ok(())
}
