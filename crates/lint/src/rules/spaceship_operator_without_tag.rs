//! Collectors ask for a tag.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "spaceship_operator_without_tag",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "Collectors ask for a tag.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for collector in cx.tokens.iter().filter(|token| matches!(token.kind, Kind::LCollect | Kind::LLCollect)) {
        let mut inside = collector.after().take_while(|it| !matches!(it.kind, Kind::RCollect | Kind::RRCollect));
        if !inside.any(|it| it.is(Kind::Name) && it.value() == "tag") {
            cx.report(collector, "spaceship operator without tag");
        }
    }
    Ok(())
}
