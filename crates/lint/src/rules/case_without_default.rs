//! A case statement has a default.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "case_without_default",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A case statement has a default.",
    help: Some("style_guide.html#defaults-for-case-statements-and-selectors"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let mut open: Vec<(Cursor<'t>, usize, bool)> = Vec::new();
    let mut found: Vec<(Cursor<'t>, bool)> = Vec::new();
    for token in cx.tokens.iter() {
        match token.kind {
            Kind::Case => open.push((token, 0, false)),
            Kind::LBrace => open.iter_mut().rev().take(1).for_each(|case| case.1 += 1),
            Kind::RBrace => {
                if let Some(case) = open.last_mut() {
                    case.1 = case.1.saturating_sub(1);
                    if case.1 == 0 {
                        found.extend(open.pop().map(|(case, _, has_default)| (case, has_default)));
                    }
                }
            }
            Kind::Default => open.iter_mut().rev().take(1).filter(|case| case.1 == 1).for_each(|case| case.2 = true),
            _ => {}
        }
    }
    found.sort_by_key(|(case, _)| case.index);
    for (case, _) in found.into_iter().filter(|(_, has_default)| !has_default) {
        cx.report(case, "case statement without a default case");
    }
    Ok(())
}
