//! Variables of classes need no leading colons.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "topscope_variable",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Variables of classes need no leading colons.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    if cx.definitions().is_empty() {
        return Ok(());
    }
    for token in cx.tokens.of(Kind::Variable) {
        if let Some(name) = token.value().strip_prefix("::")
            && is_qualified(name)
        {
            let message = format!("use ${name} instead of ${}", token.value());
            cx.report_fix(token, message, || code(Edit::new(token.value_start, token.value_start + 2, "")));
        }
    }
    Ok(())
}
