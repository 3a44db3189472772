//! No class or defined type is defined in a class.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "nested_classes_or_defines",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "No class or defined type is defined in a class.",
    help: Some("style_guide.html#nested-classes-or-defined-types"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for class in cx.index.classes() {
        for token in cx.tokens.between(class.start + 1, class.end) {
            if matches!(token.kind, Kind::Class | Kind::Define) && !token.next_code().is(Kind::LBrace) {
                let label = if token.is(Kind::Class) { "class" } else { "defined type" };
                cx.report(token, format!("{label} defined inside a class"));
            }
        }
    }
    Ok(())
}
