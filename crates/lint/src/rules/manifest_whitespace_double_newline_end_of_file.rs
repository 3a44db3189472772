//! A manifest ends with a single line break.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_double_newline_end_of_file",
    kind: ProblemKind::Error,
    is_on: true,
    description: "A manifest ends with a single line break.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let mut last = cx.tokens.last().filter(|last| last.is(Kind::Newline));
    while let Some(token) = last {
        last = token.prev().filter(|prev| prev.is(Kind::Newline));
        if last.is_some() {
            cx.report_fix(token, "there should be a single newline at the end of a manifest", || {
                layout(token.remove())
            });
        }
    }
    Ok(())
}
