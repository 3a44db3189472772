//! A class or defined type is in the file where the autoloader looks for it.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "autoloader_layout",
    kind: ProblemKind::Error,
    is_on: true,
    description: "A class or defined type is in the file where the autoloader looks for it.",
    help: Some("style_guide.html#separate-files"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let Some(name) = cx.name_of(definition) else { continue };
        let (module, rest) = name.value().split_once("::").unwrap_or((name.value(), "init"));
        let rest = rest.replace("::", "/");
        let path = if cx.path.starts_with('/') {
            cx.path.to_owned()
        } else {
            format!("{}/{}", cx.settings.current_dir, cx.path)
        };
        let expected = if cx.settings.relative {
            format!("manifests/{rest}.pp")
        } else {
            format!("/{module}/manifests/{rest}.pp")
        };
        if !path.ends_with(&expected) {
            cx.report(name, format!("{} not in autoload module layout", name.value()));
        }
    }
    Ok(())
}
