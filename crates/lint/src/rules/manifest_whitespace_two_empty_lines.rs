//! No two empty lines follow each other.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_two_empty_lines",
    kind: ProblemKind::Error,
    is_on: true,
    description: "No two empty lines follow each other.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let mut breaks = 0_usize;
    for token in cx.tokens.iter() {
        match token.kind {
            Kind::Newline => {
                breaks += 1;
                if breaks > 2 {
                    cx.report_fix(token, "there should be no two consecutive empty lines", || {
                        let start = token.prev().filter(|it| it.is(Kind::Indent)).map_or(token.start, |it| it.start);
                        layout(Edit::new(start, token.end, ""))
                    });
                }
            }
            Kind::Whitespace | Kind::Indent => {}
            _ => breaks = 0,
        }
    }
    Ok(())
}
