//! One space or line break stands before a closing brace, and nothing in `{}`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "manifest_whitespace_closing_brace_before",
    kind: ProblemKind::Error,
    is_on: true,
    description: "One space or line break stands before a closing brace, and nothing in `{}`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for brace in cx.tokens.of(Kind::RBrace) {
        let (Some(prev), Some(visible)) = (brace.prev(), brace.prev_visible()) else { continue };
        let distance = brace.index - visible.index;
        let is_fine = prev.is(Kind::LBrace)
            || !visible.is(Kind::LBrace) && prev.is_single_space() && distance == 2
            || prev.is(Kind::Indent) && distance == 3
            || prev.is(Kind::Newline) && distance == 2;
        let Some(next) = visible.next().filter(|_| !is_fine) else { continue };
        cx.report_fix(next, "there should be a single space or newline before a closing brace", || {
            let last_break = brace.before().take_while(|it| it.kind.is_space()).find(|it| it.is(Kind::Newline));
            let edit = match last_break {
                Some(last_break) => Edit::new(visible.end, last_break.start, ""),
                None if visible.is(Kind::LBrace) => Edit::new(visible.end, brace.start, ""),
                None => Edit::new(visible.end, brace.start, " "),
            };
            layout(edit)
        });
    }
    Ok(())
}
