//! Titles in references are quoted.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "resource_reference_with_unquoted_title",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Titles in references are quoted.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for title in reference_titles(cx)?.into_iter().filter(|title| title.is(Kind::Name)) {
        cx.report_fix(title, "unquoted title in resource reference", || code(title.quoted()));
    }
    Ok(())
}
