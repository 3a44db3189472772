//! References to classes have no leading colons.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "relative_classname_reference",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "References to classes have no leading colons.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for token in cx.tokens.of(Kind::Type).filter(|token| token.value() == "Class" && token.next_code().is(Kind::LBrack))
    {
        for name in token.after().take_while(|it| !it.is(Kind::RBrack)) {
            if matches!(name.kind, Kind::Name | Kind::SString) && name.value().starts_with("::") {
                cx.report_fix(name, "absolute class name reference", || {
                    code(Edit::new(name.value_start, name.value_start + 2, ""))
                });
            }
        }
    }
    Ok(())
}
