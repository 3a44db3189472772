//! A class inherits only from classes of its own module.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "inherits_across_namespaces",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A class inherits only from classes of its own module.",
    help: Some("style_guide.html#class-inheritance"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let module = |name: &'t str| name.split("::").find(|part| !part.is_empty());
    for class in cx.index.classes() {
        let (Some(name), Some(parent)) = (cx.name_of(class), class.inherited.and_then(|parent| cx.tokens.get(parent)))
        else {
            continue;
        };
        if module(name.value()) != module(parent.value()) {
            cx.report(parent, "class inherits across module namespaces");
        }
    }
    Ok(())
}
