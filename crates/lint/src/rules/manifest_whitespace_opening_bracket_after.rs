//! Nothing or one line break stands after an opening bracket.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_opening_bracket_after",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Nothing or one line break stands after an opening bracket.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for bracket in cx.tokens.of(Kind::LBrack) {
        let Some(mut next) = bracket.next().filter(|next| next.kind.is_space()) else { continue };
        if next.is(Kind::Newline) {
            match next.next().filter(|next| next.is(Kind::Newline)) {
                Some(second) => next = second,
                None => continue,
            }
        }
        cx.report_fix(next, "there should be no whitespace or a single newline after an opening bracket", || {
            if !next.is(Kind::Newline) {
                return layout(next.remove());
            }
            let last = std::iter::once(next).chain(next.after()).take_while(|it| it.is(Kind::Newline)).last()?;
            layout(Edit::new(next.start, last.end, ""))
        });
    }
    Ok(())
}
