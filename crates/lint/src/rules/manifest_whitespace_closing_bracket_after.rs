//! White space after a closing bracket, but not before punctuation.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_closing_bracket_after",
    kind: ProblemKind::Error,
    is_on: true,
    description: "White space after a closing bracket, but not before punctuation.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    after_closing(
        cx,
        Kind::RBrack,
        "there should be either a bracket, punctuation mark, closing quote or a newline after a closing bracket, or whitespace and none of the aforementioned",
    );
    Ok(())
}
