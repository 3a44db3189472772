//! Versions are compared with `versioncmp`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "version_comparison",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Versions are compared with `versioncmp`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::Variable) {
        let value = token.value();
        let Some(operator) = token.next_code().filter(|_| value.ends_with("version") || value.ends_with("release"))
        else {
            continue;
        };
        let is_numeric = match operator.kind {
            Kind::GreaterEqual | Kind::GreaterThan | Kind::LessEqual | Kind::LessThan => true,
            Kind::IsEqual | Kind::NotEqual => operator.next_code().is(Kind::Number),
            _ => false,
        };
        if is_numeric {
            cx.report_fix(token, "version compared as number", || {
                let other = operator.next_code()?;
                let version = match other.kind {
                    Kind::Number => format!("'{}'", other.value()),
                    Kind::SString | Kind::Variable => other.source().to_owned(),
                    _ => return None,
                };
                let edits = vec![
                    token.insert_before("versioncmp("),
                    token.insert_after(format!(", {version})")),
                    other.replace("0"),
                ];
                Some(Fix { edits, effect: Effect::Meaning })
            });
        }
    }
    Ok(())
}
