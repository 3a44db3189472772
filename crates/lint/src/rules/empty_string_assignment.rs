//! Variables are not assigned the empty string.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "empty_string_assignment",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "Variables are not assigned the empty string.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for equals in cx.tokens.of(Kind::Equals) {
        let Some(variable) = equals.prev_code().filter(|it| it.is(Kind::Variable)) else { continue };
        let value = equals.next_code().filter(|it| matches!(it.kind, Kind::SString | Kind::String));
        if value.is_some_and(|it| it.value().is_empty()) {
            cx.report(variable, "variable assigned to the empty string");
        }
    }
    Ok(())
}
