//! Comments begin with `#`, not `//`.

use super::prelude::*;

/// Comments begin with `#`, not `//`.
pub(super) const RULE: Rule = Rule {
    name: "slash_comments",
    kind: ProblemKind::Warning,
    is_on: true,
    description: Some(
        "Check the manifest tokens for any comments started with slashes (//) and record a warning for each instance found.",
    ),
    help: Some("https://puppet.com/docs/puppet/latest/style_guide.html#comments"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::SlashComment) {
        cx.report_fix(token, "// comment found", || layout(token.replace(format!("#{}", token.value()))));
    }
    Ok(())
}
