//! Packages are not `latest`: every run may change the node.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "package_ensure",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Packages are not `latest`: every run may change the node.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        if cx.type_of(resource).is_none_or(|it| it.value() != "package") {
            continue;
        }
        let name = resource
            .tokens(cx.tokens)
            .find(|it| it.is(Kind::Name) && it.value() == "ensure" && it.next_code().is(Kind::FArrow));
        let Some(value) = name.and_then(|it| it.next_code()?.next_code()) else { continue };
        if value.value() == "latest" && matches!(value.kind, Kind::Name | Kind::SString | Kind::String) {
            cx.report_fix(value, "ensure set to latest on a package resource", || {
                meaning(value.replace_value("installed"))
            });
        }
    }
    Ok(())
}
