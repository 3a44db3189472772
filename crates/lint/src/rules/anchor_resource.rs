//! Classes are contained, not anchored.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "anchor_resource",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Classes are contained, not anchored.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        if let Some(anchor) = cx.type_of(resource).filter(|it| it.value() == "anchor") {
            cx.report(anchor, "manifest includes anchor resource");
        }
    }
    Ok(())
}
