//! A parameter that is `Optional` defaults to undef.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "optional_default",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A parameter that is `Optional` defaults to undef.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        for parameter in parameters(definition, cx.tokens, false) {
            let default = default_value(parameter, cx.tokens);
            if !data_type(parameter, cx.tokens).first().is_some_and(|it| it.is(Kind::Type) && it.value() == "Optional")
            {
                continue;
            }
            match default.first() {
                None if !definition.is_class => {
                    cx.report(parameter, "Optional defined type parameter doesn't have a default")
                }
                Some(first) if is_plain(&default) && !matches!(first.kind, Kind::Undef | Kind::Variable) => {
                    cx.report(parameter, "Optional parameter defaults to something other than undef");
                }
                _ => {}
            }
        }
    }
    Ok(())
}
