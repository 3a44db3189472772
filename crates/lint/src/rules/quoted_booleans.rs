//! Booleans are not quoted.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "quoted_booleans",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "Booleans are not quoted.",
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
