//! Variables in strings are in braces.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "variables_not_enclosed",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Variables in strings are in braces.",
    help: Some("style_guide.html#quoting"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::UnenclosedVariable) {
        cx.report_fix(token, "variable not enclosed in {}", || {
            // The name ends before a dash, and brackets after it are part of the string: so Puppet reads it.
            let name = token.value().split('-').next().unwrap_or_default();
            let end = token.value_start + name.len() as u32;
            layout(Edit::new(token.value_start - 1, end, format!("${{{name}}}")))
        });
    }
    Ok(())
}
