//! Options of a case statement are quoted.

use super::prelude::*;

/// Options of a case statement are quoted.
pub(super) const RULE: Rule = Rule {
    name: "unquoted_string_in_case",
    kind: ProblemKind::Warning,
    is_on: true,
    description: None,
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    unquoted(cx, Kind::Case, Kind::Colon, "unquoted string in case");
    Ok(())
}
