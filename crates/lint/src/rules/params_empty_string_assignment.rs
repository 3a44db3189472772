//! A parameter that is a `String` does not default to the empty string.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "params_empty_string_assignment",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A parameter that is a `String` does not default to the empty string.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        for parameter in parameters(definition, cx.tokens, false) {
            let is_string = data_type(parameter, cx.tokens)
                .first()
                .is_some_and(|it| it.is(Kind::Type) && matches!(it.value(), "String" | "Variant"));
            let is_empty = default_value(parameter, cx.tokens)
                .first()
                .is_some_and(|it| it.is(Kind::SString) && it.value().is_empty());
            if is_string && is_empty {
                cx.report(parameter, "class parameter with String type defaults to empty string");
            }
        }
    }
    Ok(())
}
