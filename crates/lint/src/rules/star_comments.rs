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
            let indent = token.prev().filter(|it| it.kind.is_space() && !it.is(Kind::Newline));
            let indent = indent.map_or("", |indent| indent.value());
            let lines: Vec<String> = lines(token.value()).iter().map(|line| format!("# {line}")).collect();
            ends_line.then(|| layout(token.replace(lines.join(&format!("\n{indent}")))))?
        });
    }
    Ok(())
}

/// What the lines of a comment say, without the stars that they begin with, and without empty lines around them.
fn lines(text: &str) -> Vec<&str> {
    let text = text.strip_prefix(' ').unwrap_or(text);
    let text = text.strip_suffix(' ').unwrap_or(text);
    let mut lines: Vec<&str> = text
        .split('\n')
        .map(|line| line.trim_start_matches(' ').strip_prefix('*').unwrap_or(line))
        .map(|line| line.trim_matches(|it: char| it.is_ascii_whitespace()))
        .skip_while(|line| line.is_empty())
        .collect();
    while lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    if lines.is_empty() { vec![""] } else { lines }
}
