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
            let is_indent = |it: &Cursor<'t>| it.is(Kind::Indent) || it.is(Kind::Whitespace) && it.index == 0;
            let indent = token.prev().filter(is_indent).map_or("", |indent| indent.value());
            let line = |line: &str| format!("# {}", line.trim().trim_start_matches('*').trim()).trim_end().to_owned();
            // `/**` is no line of its own, nor are the stars before the end.
            let text = token.value().trim_matches(|letter: char| letter == '*' || letter.is_whitespace());
            let lines: Vec<String> = text.split('\n').map(line).collect();
            ends_line.then(|| layout(token.replace(lines.join(&format!("\n{indent}")))))?
        });
    }
    Ok(())
}
