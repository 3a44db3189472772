//! Titles in references are not written like types.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "resource_reference_without_title_capital",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Titles in references are not written like types.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for title in reference_titles(cx)?.into_iter().filter(|title| title.is(Kind::ClassRef)) {
        cx.report(title, "resource reference with title with capital letter");
    }
    Ok(())
}
