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
    // The cases whose braces are open or still to come, by the number of braces around them, and whether they have a
    // default. An attribute may be called `case`, too: what it would end with closes nothing.
    let mut open: FxHashMap<i64, Vec<(Cursor<'t>, bool)>> = FxHashMap::default();
    let mut found: Vec<Cursor<'t>> = Vec::new();
    let mut depth = 0_i64;
    for token in cx.tokens.iter() {
        match token.kind {
            Kind::Case => open.entry(depth).or_default().push((token, false)),
            Kind::LBrace => depth += 1,
            Kind::RBrace => {
                depth -= 1;
                let closed = open.remove(&depth).into_iter().flatten();
                found.extend(closed.filter(|(_, has_default)| !has_default).map(|(case, _)| case));
            }
            Kind::Default => {
                if let Some((_, has_default)) = open.get_mut(&(depth - 1)).and_then(|cases| cases.last_mut()) {
                    *has_default = true;
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|case| case.index);
    for case in found {
        cx.report(case, "case statement without a default case");
    }
    Ok(())
}
