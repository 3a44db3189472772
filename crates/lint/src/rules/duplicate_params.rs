//! No attribute is given twice.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "duplicate_params",
    kind: ProblemKind::Error,
    is_on: true,
    description: "No attribute is given twice.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        let mut seen: Vec<Vec<&str>> = vec![Vec::new()];
        for token in resource.tokens(cx.tokens) {
            match token.kind {
                Kind::LBrace => seen.push(Vec::new()),
                Kind::RBrace => {
                    seen.pop();
                }
                Kind::FArrow => {
                    let Some(name) = token.prev_code().filter(|name| name.is(Kind::Name)) else { continue };
                    let Some(level) = seen.last_mut() else { continue };
                    if level.contains(&name.value()) {
                        cx.report(name, "duplicate parameter found in resource");
                    } else {
                        level.push(name.value());
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}
