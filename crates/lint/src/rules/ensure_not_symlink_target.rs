//! A link has `ensure => link` and a `target`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "ensure_not_symlink_target",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "A link has `ensure => link` and a `target`.",
    help: Some("style_guide.html#symbolic-links"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        if cx.type_of(resource).is_none_or(|it| it.value() != "file") {
            continue;
        }
        for value in resource.values(cx.tokens, "ensure").filter(|value| value.value().starts_with('/')) {
            cx.report_fix(value, "symlink target specified in ensure attr", || {
                let name = value.prev_code()?.prev_code()?;
                let between = match name.prev() {
                    Some(indent) if indent.is(Kind::Indent) => format!("\n{}", indent.value()),
                    _ => " ".to_owned(),
                };
                code(value.insert_before(format!("symlink,{between}target => ")))
            });
        }
    }
    Ok(())
}
