//! Classes are included by their name, without leading colons.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "relative_classname_inclusion",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Classes are included by their name, without leading colons.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let message = "class included by absolute name (::$class)";
    let fix = |token: Cursor<'t>| code(Edit::new(token.value_start, token.value_start + 2, ""));
    for token in cx.tokens.iter() {
        if matches!(token.kind, Kind::Name | Kind::FunctionName)
            && matches!(token.value(), "include" | "contain" | "require")
        {
            let Some(first) = token.next_code().filter(|next| !next.is(Kind::FArrow)) else { continue };
            let mut calls = 0_usize;
            for name in std::iter::once(first).chain(first.after()).take_while(|it| !it.is(Kind::Newline)) {
                if !matches!(name.kind, Kind::Name | Kind::FunctionName | Kind::SString) {
                    continue;
                }
                if name.next_code().is(Kind::LParen) {
                    calls += 1;
                } else if calls > 0 && name.next_code().is(Kind::RParen) {
                    calls -= 1;
                } else if calls == 0 && name.value().starts_with("::") {
                    cx.report_fix(name, message, || fix(name));
                }
            }
        } else if token.is(Kind::Class) && token.next_code().is(Kind::LBrace) {
            for name in token.after().take_while(|it| !it.is(Kind::Colon)) {
                if matches!(name.kind, Kind::Name | Kind::SString) && name.value().starts_with("::") {
                    cx.report_fix(name, message, || fix(name));
                }
            }
        } else if token.is(Kind::Inherits)
            && let Some(name) = token.next_code()
            && name.is(Kind::Name)
            && name.value().starts_with("::")
        {
            cx.report_fix(name, message, || fix(name));
        }
    }
    Ok(())
}
