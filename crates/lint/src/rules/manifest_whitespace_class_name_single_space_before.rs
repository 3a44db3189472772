//! One space stands after `class` and `define`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_class_name_single_space_before",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space stands after `class` and `define`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let Some(name) = cx.index.next_of(definition.start, &[Kind::Name, Kind::FunctionName]) else { continue };
        let next = cx.tokens.get(definition.start + 1);
        let Some(next) = next.filter(|next| name.index != definition.start + 2 || !next.is_single_space()) else {
            continue;
        };
        let message = "there should be a single space between the class or defined resource statement and the name";
        cx.report_fix(next, message, || next.is(Kind::Whitespace).then(|| layout(next.replace(" ")))?);
    }
    Ok(())
}
