//! Names of classes and defined types have no dash.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "names_containing_dash",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Names of classes and defined types have no dash.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        if let Some(name) = cx.name_of(definition)
            && name.value().contains('-')
        {
            cx.report(name, format!("{} name containing a dash", definition.label()));
        }
    }
    Ok(())
}
