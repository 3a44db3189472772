//! One space or line break stands after an opening brace.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_opening_brace_after",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space or line break stands after an opening brace.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for brace in cx.tokens.of(Kind::LBrace) {
        let Some(mut next) = brace.next().filter(|next| !next.is_single_space()) else { continue };
        if matches!(next.kind, Kind::RBrace | Kind::LBrack | Kind::LBrace) {
            continue;
        }
        if next.is(Kind::Newline) {
            match next.next().filter(|next| next.is(Kind::Newline)) {
                Some(second) => next = second,
                None => continue,
            }
        }
        cx.report_fix(next, "there should be a single space or single newline after an opening brace", || {
            match next.kind {
                Kind::Whitespace => layout(next.replace(" ")),
                Kind::Newline => {
                    let last =
                        std::iter::once(next).chain(next.after()).take_while(|it| it.is(Kind::Newline)).last()?;
                    layout(Edit::new(next.start, last.end, ""))
                }
                _ => layout(next.insert_before(" ")),
            }
        });
    }
    Ok(())
}
