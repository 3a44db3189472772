//! A file has `ensure => file`, not `present`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "file_ensure",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A file has `ensure => file`, not `present`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        if cx.type_of(resource).is_none_or(|it| it.value() != "file") {
            continue;
        }
        let attribute = |wanted: &'static str| {
            resource
                .tokens(cx.tokens)
                .find(|it| it.is(Kind::Name) && it.value() == wanted && it.next_code().is(Kind::FArrow))
        };
        let Some(value) = attribute("ensure").and_then(|it| it.next_code()?.next_code()) else { continue };
        if value.value() == "present" && matches!(value.kind, Kind::Name | Kind::String | Kind::SString) {
            let wanted = if attribute("target").is_some() { "link" } else { "file" };
            cx.report_fix(value, "ensure set to present on file resource", || meaning(value.replace_value(wanted)));
        }
    }
    Ok(())
}
