//! A variable alone needs no string around it.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "only_variable_string",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A variable alone needs no string around it.",
    help: Some("style_guide.html#quoting"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for start in cx.tokens.of(Kind::DqPre).filter(|start| start.value().is_empty()) {
        let Some(variable) = start.next().filter(|next| next.kind.is_variable()) else { continue };
        let mut end = variable.next();
        while end.is(Kind::LBrack) {
            end = end.and_then(|end| cx.tokens.get(end.index + 3));
        }
        let Some(end) = end.filter(|end| end.is(Kind::DqPost) && end.value().is_empty()) else { continue };
        if end.next_code().is(Kind::FArrow) {
            continue;
        }
        let text = cx.tokens.text();
        cx.report_fix(variable, "string containing only a variable", || {
            // A dash would become a subtraction. Numbers and other values are no strings any more.
            (!without_access(variable.value()).contains('-')).then_some(())?;
            let inside = text.get(variable.value_start as usize..end.start as usize)?;
            meaning(Edit::new(start.start, end.end, format!("${}", inside.trim_start_matches('$'))))
        });
    }
    Ok(())
}
