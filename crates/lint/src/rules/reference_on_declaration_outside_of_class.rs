//! References lead to resources of the same file.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "reference_on_declaration_outside_of_class",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "References lead to resources of the same file.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    // The resources that are declared here: their type and their title, as they are written.
    let mut declared: FxHashSet<(String, &str)> = FxHashSet::default();
    for resource in cx.resources()? {
        let (Some(kind), Some(colon)) = (cx.type_of(resource), cx.tokens.get(resource.colon)) else { continue };
        for title in colon.before().take_while(|it| !matches!(it.kind, Kind::LBrace | Kind::Semicolon)) {
            declared.insert((kind.value().to_lowercase(), title.value()));
        }
    }
    for reference in cx.tokens.of(Kind::ClassRef) {
        let Some(title) = reference.next().filter(|it| it.is(Kind::LBrack)).and_then(Cursor::next_code) else {
            continue;
        };
        if !declared.contains(&(reference.value().to_lowercase(), title.value())) {
            cx.report(reference, "reference on a resource type declaration not included in the same class");
        }
    }
    Ok(())
}
