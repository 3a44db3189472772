//! Names of variables have no dash.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "variable_contains_dash",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Names of variables have no dash.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| token.kind.is_variable()) {
        if without_access(token.value()).contains('-') {
            cx.report(token, "variable contains a dash");
        }
    }
    Ok(())
}
