//! Names of variables are in lowercase.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "variable_contains_upcase",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Names of variables are in lowercase.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| token.kind.is_variable()) {
        if without_access(token.value()).contains(|letter: char| letter.is_ascii_uppercase()) {
            cx.report_fix(token, "variable contains a capital letter", || {
                meaning(token.replace_value(token.value().to_lowercase()))
            });
        }
    }
    Ok(())
}
