//! Variables in strings are in braces.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "variables_not_enclosed",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Variables in strings are in braces.",
    help: Some("style_guide.html#quoting"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let text = cx.tokens.text();
    for token in cx.tokens.of(Kind::UnenclosedVariable) {
        cx.report_fix(token, "variable not enclosed in {}", || {
            let name = token.value().split('-').next().unwrap_or_default();
            let end = token.value_start + name.len() as u32;
            // Access brackets belong to the variable.
            let rest = text.get(end as usize..)?;
            let access = if end == token.value_end && token.next().is_some_and(|next| next.value().starts_with('[')) {
                access(rest)
            } else {
                0
            };
            let inside = rest.get(..access)?;
            layout(Edit::new(token.value_start - 1, end + access as u32, format!("${{{name}{inside}}}")))
        });
    }
    Ok(())
}

/// The length of the brackets at the start of a text.
fn access(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'"' | b'\n' => return 0,
            _ => {}
        }
        if depth == 0 && text.as_bytes().get(at + 1) != Some(&b'[') {
            return at + 1;
        }
    }
    0
}
