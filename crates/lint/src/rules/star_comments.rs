//! Comments begin with `#`, not `/*`. A comment in the midst of a line of code stays.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "star_comments",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Comments begin with `#`, not `/*`.",
    help: Some("style_guide.html#comments"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::StarComment) {
        cx.report_fix(token, "/* */ comment found", || {
            let ends_line =
                token.after().find(|next| !next.is(Kind::Whitespace)).is_none_or(|next| next.is(Kind::Newline));
            let indent = token.prev().filter(|before| before.is(Kind::Indent)).map_or("", |indent| indent.value());
            let line = |line: &str| format!("# {}", line.trim().trim_start_matches('*').trim()).trim_end().to_owned();
            let lines: Vec<String> = token.value().trim().lines().map(line).collect();
            ends_line.then(|| layout(token.replace(lines.join(&format!("\n{indent}")))))?
        });
    }
    Ok(())
}
