//! Options of a selector are quoted.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "unquoted_string_in_selector",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Options of a selector are quoted.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    unquoted(cx, Kind::QuestionMark, Kind::FArrow, "unquoted string in selector");
    Ok(())
}
