//! A class need not inherit from `params`: data belongs in Hiera.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "class_inherits_from_params_class",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "A class need not inherit from `params`: data belongs in Hiera.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for class in cx.index.classes() {
        if let Some(parent) = class.inherited.and_then(|parent| cx.tokens.get(parent))
            && parent.value().ends_with("::params")
        {
            cx.report(parent, "class inheriting from params class");
        }
    }
    Ok(())
}
