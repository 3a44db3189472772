//! Comments begin with `#`, not `//`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "slash_comments",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Comments begin with `#`, not `//`.",
    help: Some("style_guide.html#comments"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::SlashComment) {
        cx.report_fix(token, "// comment found", || code(token.replace(format!("#{}", token.value()))));
    }
    Ok(())
}
