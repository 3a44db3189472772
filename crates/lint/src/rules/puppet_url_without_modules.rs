//! `puppet://` URLs name the mount point `modules`.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "puppet_url_without_modules",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "`puppet://` URLs name the mount point `modules`.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.iter().filter(|token| matches!(token.kind, Kind::SString | Kind::String | Kind::DqPre)) {
        let Some(rest) = token.value().strip_prefix("puppet://") else { continue };
        let server = rest.lines().next().and_then(|line| line.find('/'));
        let path = server.and_then(|slash| rest.get(slash + 1..)).unwrap_or_default();
        if !path.starts_with("modules/") {
            cx.report_fix(token, "puppet:// URL without modules/ found", || {
                let at = token.value_start + "puppet://".len() as u32 + server? as u32 + 1;
                code(Edit::new(at, at, "modules/"))
            });
        }
    }
    Ok(())
}
