//! Options of a case statement are quoted.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "unquoted_string_in_case",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Options of a case statement are quoted.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    unquoted(cx, Kind::Case, Kind::Colon, "unquoted string in case");
    Ok(())
}
