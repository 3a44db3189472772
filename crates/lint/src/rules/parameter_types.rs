//! Every parameter has a data type.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "parameter_types",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Every parameter has a data type.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let (Some(name), Some(all)) = (cx.name_of(definition), definition.parameter_tokens(cx.tokens)) else {
            continue;
        };
        let (mut state, mut depth) = (State::Begin, 0_usize);
        for token in all.filter(|token| !token.kind.is_formatting()) {
            match (state, token.kind) {
                // A variable in uppercase is taken for a data type; `variable_is_lowercase` reports it.
                (State::Begin, kind)
                    if kind == Kind::Type || token.value().starts_with(|it: char| it.is_ascii_uppercase()) =>
                {
                    state = State::Type;
                }
                (State::Begin, Kind::Variable) => {
                    cx.report(token, format!("missing datatype for parameter {}::{}", name.value(), token.value()));
                    (state, depth) = (State::Default, 0);
                }
                (State::Type, Kind::Variable) => (state, depth) = (State::Default, 0),
                (State::Default, Kind::LParen | Kind::LBrace | Kind::LBrack) => depth += 1,
                (State::Default, Kind::RParen | Kind::RBrace | Kind::RBrack) => depth = depth.saturating_sub(1),
                (State::Default, Kind::Comma) if depth == 0 => state = State::Begin,
                _ => {}
            }
        }
    }
    Ok(())
}

/// Which part of a parameter is read.
#[derive(Clone, Copy)]
enum State {
    Begin,
    Type,
    Default,
}
