//! References lead to classes that the same file includes.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "reference_on_foreign_class",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "References lead to classes that the same file includes.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    // What is included here, by statement, or as a resource.
    let mut included: FxHashSet<&str> = FxHashSet::default();
    for token in cx.tokens.iter() {
        let is_statement = matches!(token.value(), "include" | "contain" | "require")
            && matches!(token.kind, Kind::Name | Kind::FunctionName);
        if is_statement {
            let names = token.after().take_while(|it| !it.is(Kind::Newline));
            included.extend(names.filter(|it| !it.kind.is_space()).map(Cursor::value));
        } else if token.is(Kind::Class) {
            let brace = token.next_code().filter(|it| it.is(Kind::LBrace));
            included.extend(brace.and_then(Cursor::next_code).map(Cursor::value));
        }
    }
    for class in cx.tokens.iter().filter(|token| token.is(Kind::Type) && token.value() == "Class") {
        let Some(title) = class.next().filter(|it| it.is(Kind::LBrack)).and_then(Cursor::next_code) else { continue };
        if !included.contains(title.value()) {
            cx.report(class, "reference on a foreign class");
        }
    }
    Ok(())
}
