//! Titles of resources are quoted.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "unquoted_resource_title",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Titles of resources are quoted.",
    help: Some("style_guide.html#resource-names"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let last_bracket = cx.tokens.of(Kind::LBrack).next_back().map(|bracket| bracket.index);
    for colon in cx.tokens.of(Kind::Colon) {
        let Some(title) = colon.prev() else { continue };
        let names: Vec<Cursor<'t>> = match last_bracket {
            // Compatibility: only the last array of a file is looked into.
            Some(start) if title.is(Kind::RBrack) && start < title.index => {
                cx.tokens.between(start + 1, title.index - 1).collect()
            }
            _ if title.is(Kind::RBrack) || colon.next_code().is_none_or(|next| next.is(Kind::LBrace)) => Vec::new(),
            _ => vec![title],
        };
        for name in names.into_iter().filter(|name| name.is(Kind::Name)) {
            cx.report_fix(name, "unquoted resource title", || code(name.quoted()));
        }
    }
    Ok(())
}
