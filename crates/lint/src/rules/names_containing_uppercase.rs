//! Names of classes and defined types are in lowercase.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "names_containing_uppercase",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Names of classes and defined types are in lowercase.",
    help: Some("modules_fundamentals.html#allowed-module-names"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let Some(name) = cx.name_of(definition) else { continue };
        if name.value().contains(|letter: char| letter.is_ascii_uppercase()) {
            let message = format!("{} '{}' contains illegal uppercase", definition.label(), name.value());
            cx.report_fix(name, message, || code(name.replace_value(name.value().to_lowercase())));
        }
    }
    Ok(())
}
