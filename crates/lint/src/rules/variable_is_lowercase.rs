//! Names of variables are in lowercase.

use super::prelude::*;

/// Names of variables are in lowercase.
pub(super) const RULE: Rule = Rule {
    name: "variable_is_lowercase",
    kind: ProblemKind::Warning,
    is_on: true,
    description: Some(
        "Test the manifest tokens for variables that contain an uppercase letter and record a warning for each instance found.",
    ),
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| token.kind.is_variable()) {
        if without_access(token.value()).contains(|letter: char| letter.is_ascii_uppercase()) {
            cx.report(token, "variable contains an uppercase letter");
        }
    }
    Ok(())
}
