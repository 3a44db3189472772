//! A manifest ends with a line break.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_missing_newline_end_of_file",
    kind: ProblemKind::Error,
    is_on: true,
    description: "A manifest ends with a line break.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    if let Some(last) = cx.tokens.last().filter(|last| !last.is(Kind::Newline)) {
        cx.report_fix(last, "there should be a single newline at the end of a manifest", || {
            layout(last.insert_after("\n"))
        });
    }
    Ok(())
}
