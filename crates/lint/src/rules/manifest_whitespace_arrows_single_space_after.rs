//! One space stands after an arrow.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_arrows_single_space_after",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space stands after an arrow.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for arrow in cx.tokens.of(Kind::FArrow) {
        let Some(next) = arrow.next().filter(|next| !next.is_single_space()) else { continue };
        cx.report_fix(next, "there should be a single space after an arrow", || match next.kind {
            Kind::Whitespace => layout(next.replace(" ")),
            Kind::Newline => None,
            _ => layout(next.insert_before(" ")),
        });
    }
    Ok(())
}
