//! One space stands before the arrows of a resource on one line.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "space_before_arrow",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "One space stands before the arrows of a resource on one line.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        let arrows: Vec<_> = resource.tokens(cx.tokens).filter(|token| token.is(Kind::FArrow)).collect();
        if arrows.first().map(|it| it.line) != arrows.last().map(|it| it.line) {
            continue;
        }
        for arrow in arrows {
            let Some(before) = arrow.prev().filter(|before| before.value() != " ") else { continue };
            let message =
                format!("there should be a single space before '=>' on line {}, column {}", before.line, before.column);
            cx.report_fix(before, message, || {
                match before.kind {
                    Kind::Whitespace => layout(before.replace(" ")),
                    // An arrow that begins its line has its indentation before it.
                    Kind::Newline | Kind::Indent => None,
                    _ => layout(arrow.insert_before(" ")),
                }
            });
        }
    }
    Ok(())
}
