//! A manifest does not begin with an empty line.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_newline_beginning_of_file",
    kind: ProblemKind::Error,
    is_on: true,
    description: "A manifest does not begin with an empty line.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().take_while(|token| token.is(Kind::Newline)) {
        cx.report_fix(token, "there should not be a newline at the beginning of a manifest", || layout(token.remove()));
    }
    Ok(())
}
