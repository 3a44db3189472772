//! No white space stands between the type of a reference and its title.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "resource_reference_chain_without_whitespace",
    kind: ProblemKind::Error,
    is_on: true,
    description: "No white space stands between the type of a reference and its title.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::Type) {
        if token.next().is(Kind::Whitespace) && token.next_code().is(Kind::LBrack) {
            cx.report(token, "whitespce between reference type and title");
        }
    }
    Ok(())
}
