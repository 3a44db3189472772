//! The mode of a file has four octal digits, or is symbolic.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "file_mode",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "The mode of a file has four octal digits, or is symbolic.",
    help: Some("style_guide.html#file-modes"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        if cx.type_of(resource).is_none_or(|it| !matches!(it.value(), "file" | "concat")) {
            continue;
        }
        for value in resource.values(cx.tokens, "mode") {
            if matches!(value.kind, Kind::Variable | Kind::Undef | Kind::FunctionName) || is_mode(value.value()) {
                break;
            }
            cx.report_fix(value, "mode should be represented as a 4 digit octal value or symbolic mode", || {
                let is_octal =
                    value.value().len() == 3 && value.value().bytes().all(|byte| matches!(byte, b'0'..=b'7'));
                is_octal.then(|| code(value.replace(format!("'0{}'", value.value()))))?
            });
        }
    }
    Ok(())
}

/// Four octal digits, or `u=rw,go+r`.
fn is_mode(text: &str) -> bool {
    let is_octal = text.len() == 4 && text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let is_symbolic = |part: &str| {
        let rest = part.trim_start_matches(['u', 'g', 'o', 'a']);
        rest.starts_with(['-', '=', '+']) && rest.bytes().all(|byte| b"-=+rstwxXugo".contains(&byte))
    };
    is_octal || text.split(',').all(is_symbolic)
}
