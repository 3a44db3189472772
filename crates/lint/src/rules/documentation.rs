//! A class or defined type has a comment on the line above.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "documentation",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A class or defined type has a comment on the line above.",
    help: Some("style_guide.html#public-and-private"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let Some(keyword) = cx.tokens.get(definition.start) else { continue };
        let mut breaks = 0;
        let above = keyword.before().find(|token| {
            breaks += usize::from(token.is(Kind::Newline));
            breaks > 1 || !token.kind.is_space()
        });
        if !above.is_some_and(|above| above.kind.is_comment()) {
            cx.report(keyword, format!("{} not documented", definition.label()));
        }
    }
    Ok(())
}
