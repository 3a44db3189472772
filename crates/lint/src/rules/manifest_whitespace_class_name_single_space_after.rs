//! One space stands after the name of a class or defined type.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_class_name_single_space_after",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space stands after the name of a class or defined type.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let Some(name) = cx.index.next_of(definition.start, &[Kind::Name, Kind::FunctionName]) else { continue };
        let Some(item) = name.next_visible() else { continue };
        if item.index != name.index + 2 || !name.next().is_some_and(Cursor::is_single_space) {
            let message = "there should be a single space between the class or resource name and the next item";
            cx.report_fix(name, message, || layout(Edit::new(name.end, item.start, " ")));
        }
    }
    Ok(())
}
