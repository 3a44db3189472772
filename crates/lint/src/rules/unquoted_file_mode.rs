//! The mode of a file is a string.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "unquoted_file_mode",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "The mode of a file is a string.",
    help: Some("style_guide.html#file-modes"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        if cx.type_of(resource).is_none_or(|it| !matches!(it.value(), "file" | "concat")) {
            continue;
        }
        for value in resource.values(cx.tokens, "mode").filter(|value| matches!(value.kind, Kind::Name | Kind::Number))
        {
            cx.report_fix(value, "unquoted file mode", || code(value.quoted()));
        }
    }
    Ok(())
}
