//! An `exec` says when it need not run.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "exec_idempotency",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "An `exec` says when it need not run.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        let Some(colon) =
            cx.tokens.get(resource.colon).filter(|_| cx.type_of(resource).is_some_and(|it| it.value() == "exec"))
        else {
            continue;
        };
        let mut from = resource.colon;
        let mut is_idempotent = false;
        while let Some(name) =
            cx.index.next_of(from, &[Kind::Name, Kind::Unless]).filter(|name| name.index <= resource.end)
        {
            is_idempotent |= name.next_code().is(Kind::FArrow)
                && matches!(name.value(), "onlyif" | "unless" | "creates" | "refreshonly");
            from = name.index;
        }
        if !is_idempotent {
            cx.report(
                colon,
                "exec without idempotency. set at least one of the attributes: onlyif, unless, creates, refreshonly",
            );
        }
    }
    Ok(())
}
