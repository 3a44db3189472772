//! Booleans are not quoted.

use super::prelude::*;

/// Booleans are not quoted.
pub(super) const RULE: Rule = Rule {
    name: "quoted_booleans",
    kind: ProblemKind::Warning,
    is_on: false,
    description: Some(
        "Check the manifest tokens for any double or single quoted strings containing only a boolean value and record a warning for each instance found.",
    ),
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| matches!(token.kind, Kind::SString | Kind::String)) {
        if matches!(token.value(), "true" | "false") {
            cx.report_fix(token, "quoted boolean value found", || meaning(token.replace(token.value())));
        }
    }
    Ok(())
}
