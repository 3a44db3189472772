//! One space stands after `inherits`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_inherits_name_single_space_before",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space stands after `inherits`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for inherits in cx.tokens.of(Kind::Inherits) {
        let Some(name) = cx.index.next_of(inherits.index, &[Kind::Name, Kind::FunctionName]) else { continue };
        let Some(next) = inherits.next().filter(|next| name.index != inherits.index + 2 || !next.is_single_space())
        else {
            continue;
        };
        cx.report_fix(next, "there should be a single space between the inherits statement and the name", || {
            next.is(Kind::Whitespace).then(|| layout(next.replace(" ")))?
        });
    }
    Ok(())
}
