//! Facts are taken from `$facts`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "top_scope_facts",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Facts are taken from `$facts`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let allowed = |name: &str| {
        ["trusted", "facts"].iter().any(|it| name.starts_with(it))
            || LEGACY_FACTS.iter().any(|(fact, _)| name.starts_with(fact))
            || cx.settings.top_scope_variables.iter().any(|it| name.starts_with(it.as_str()))
    };
    let found: Vec<_> = cx
        .tokens
        .iter()
        .filter(|token| token.kind.is_variable())
        .filter_map(|token| {
            let name = token.value().strip_prefix("::")?;
            (!allowed(name) && !is_qualified(name)).then_some((token, name))
        })
        .collect();
    for (token, name) in found {
        cx.report_fix(token, "top scope fact instead of facts hash", || {
            // What `legacy_facts` replaces is not replaced twice.
            if is_legacy(name) {
                return None;
            }
            let (fact, access) = name.split_at_checked(name.find('[').unwrap_or(name.len()))?;
            code(facts_edit(token, &format!("facts['{fact}']{access}")))
        });
    }
    Ok(())
}
