//! Selectors stand before a resource, not in it.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "selector_inside_resource",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Selectors stand before a resource, not in it.",
    help: Some("style_guide.html#keep-resource-declarations-simple"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        for arrow in resource.tokens(cx.tokens).filter(|token| token.is(Kind::FArrow)) {
            let value = arrow.next_code().filter(|value| value.is(Kind::Variable));
            if value.and_then(|value| value.next_code()).is(Kind::QuestionMark) {
                cx.report(arrow, "selector inside resource block");
            }
        }
    }
    Ok(())
}
