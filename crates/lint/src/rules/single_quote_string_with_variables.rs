//! Single-quoted strings do not look as if they had variables in them.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "single_quote_string_with_variables",
    kind: ProblemKind::Error,
    is_on: true,
    description: "Single-quoted strings do not look as if they had variables in them.",
    help: Some("style_guide.html#quoting"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::SString).filter(|token| token.value().contains("${")) {
        let function = token.prev().and_then(|before| before.prev()).map_or("", |function| function.value());
        if !function.contains("inline_epp") && !function.contains("inline_template") {
            cx.report(token, "single quoted string containing a variable found");
        }
    }
    Ok(())
}
