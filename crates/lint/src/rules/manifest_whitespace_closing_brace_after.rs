//! White space after a closing brace, but not before punctuation.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_closing_brace_after",
    kind: ProblemKind::Error,
    is_on: true,
    description: "White space after a closing brace, but not before punctuation.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    after_closing(
        cx,
        Kind::RBrace,
        "there should be either a bracket, punctuation mark, closing quote or a newline after a closing brace, or whitespace and none of the aforementioned",
    );
    Ok(())
}
