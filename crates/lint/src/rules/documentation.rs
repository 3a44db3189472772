//! A class or defined type has a comment on the line above.

use super::prelude::*;

/// A class or defined type has a comment on the line above.
pub(super) const RULE: Rule = Rule {
    name: "documentation",
    kind: ProblemKind::Warning,
    is_on: true,
    description: Some(
        "Check the manifest tokens for any class or defined type that does not have a comment directly above it (hopefully, explaining the usage of it) and record a warning for each instance found.",
    ),
    help: Some("https://puppet.com/docs/puppet/latest/style_guide.html#public-and-private"),
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
