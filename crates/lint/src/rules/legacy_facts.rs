//! Legacy facts have structured successors.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "legacy_facts",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Legacy facts have structured successors.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| token.kind.is_variable()) {
        let value = token.value();
        let bare = value.strip_prefix("::").unwrap_or(value);
        let access = bare.strip_prefix("facts[").and_then(|it| it.strip_suffix(']'));
        let key = (value == "facts")
            .then(|| {
                let key = token.next_code().filter(|it| it.is(Kind::LBrack))?.next_code()?;
                matches!(key.kind, Kind::String | Kind::SString | Kind::Name).then_some(key)
            })
            .flatten();
        let name = match (access, key) {
            (Some(access), _) => access.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).unwrap_or(access),
            (None, Some(key)) => key.value(),
            _ => value.strip_prefix("::").unwrap_or_default(),
        };
        if !is_legacy(name) {
            continue;
        }
        cx.report_fix(token, format!("legacy fact '{name}'"), || {
            let mut edit = facts_edit(token, &successor(name)?);
            if let Some(key) = key {
                edit.end = key.after().find(|it| it.is(Kind::RBrack))?.end;
            }
            code(edit)
        });
        cx.details([("fact_name", Detail::String(name.to_owned()))]);
    }
    Ok(())
}
