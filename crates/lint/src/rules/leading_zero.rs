//! Numbers with a leading zero are quoted: they are octal.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "leading_zero",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Numbers with a leading zero are quoted: they are octal.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::Number) {
        if token.value().strip_prefix('0').is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit())) {
            cx.report_fix(token, "unquoted number with leading zero", || meaning(token.quoted()));
        }
    }
    Ok(())
}
