//! Strings without variables and escape sequences are in single quotes.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "double_quoted_strings",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Strings without variables and escape sequences are in single quotes.",
    help: Some("style_guide.html#quoting"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::String) {
        let value = token.value();
        let deep = " ".repeat(token.column as usize);
        let has_escape = ["\\$", "\\\"", "\\'", "'", "\r", "\t", "\\t", "\\s", "\n", "\\n", "\\\\"]
            .iter()
            .any(|it| value.contains(it));
        if !has_escape && !value.contains(&deep) {
            // Another escape sequence means something else in single quotes.
            let is_same = !value.contains('\\');
            cx.report_fix(token, "double quoted string containing no variables", || {
                is_same.then(|| layout(token.quoted()))?
            });
        }
    }
    Ok(())
}
