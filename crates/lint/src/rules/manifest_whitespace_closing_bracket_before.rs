//! Nothing or one line break stands before a closing bracket.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_closing_bracket_before",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Nothing or one line break stands before a closing bracket.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for bracket in cx.tokens.of(Kind::RBrack) {
        let (Some(prev), Some(visible)) = (bracket.prev(), bracket.prev_visible()) else { continue };
        let distance = bracket.index - visible.index;
        let is_fine =
            !prev.kind.is_space() || prev.is(Kind::Indent) && distance == 3 || prev.is(Kind::Newline) && distance == 2;
        let Some(next) = visible.next().filter(|_| !is_fine) else { continue };
        cx.report_fix(next, "there should be no whitespace or a single newline before a closing bracket", || {
            let last_break = bracket.before().take_while(|it| it.kind.is_space()).find(|it| it.is(Kind::Newline));
            layout(Edit::new(visible.end, last_break.map_or(bracket.start, |it| it.start), ""))
        });
    }
    Ok(())
}
