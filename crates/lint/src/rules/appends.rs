//! Variables are not appended to with `+=`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "appends",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "Variables are not appended to with `+=`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::Appends) {
        cx.report(token, "The appends (+=) operator was used.");
    }
    Ok(())
}
