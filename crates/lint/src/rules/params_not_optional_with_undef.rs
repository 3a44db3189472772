//! A parameter that defaults to undef is `Optional`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "params_not_optional_with_undef",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A parameter that defaults to undef is `Optional`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        for parameter in parameters(definition, cx.tokens, false) {
            let (data_type, default) = (data_type(parameter, cx.tokens), default_value(parameter, cx.tokens));
            let is_strict = data_type.first().is_some_and(|it| it.is(Kind::Type) && it.value() != "Optional")
                && !accepts_undef(&data_type);
            if is_strict && is_plain(&default) && default.first().is_some_and(|it| it.is(Kind::Undef)) {
                cx.report(parameter, "Not optional parameter defaults to undef");
            }
        }
    }
    Ok(())
}

/// Whether a data type is `Variant[…, Undef, …]`.
fn accepts_undef(data_type: &[Cursor<'_>]) -> bool {
    let mut depth = 0_i64;
    data_type.first().is_some_and(|it| it.value() == "Variant")
        && data_type.iter().any(|token| {
            match token.kind {
                Kind::LBrack => depth += 1,
                Kind::RBrack => depth -= 1,
                _ => {}
            }
            token.is(Kind::Type) && depth == 1 && token.value() == "Undef"
        })
}
