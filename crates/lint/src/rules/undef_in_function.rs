//! Functions are not called with undef.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "undef_in_function",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "Functions are not called with undef.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    // For every bracket that is open, whether it holds the arguments of a call.
    let mut open: Vec<bool> = Vec::new();
    let mut is_statement = false;
    for token in cx.tokens.iter() {
        match token.kind {
            kind if kind.closing().is_some() => open.push(token.prev_code().is(Kind::FunctionName)),
            Kind::RBrace | Kind::RBrack | Kind::RParen => {
                open.pop();
            }
            Kind::Newline => is_statement = false,
            // A name at the start of a line, with arguments but without parentheses.
            Kind::Name if token.prev().is_none_or(|it| it.kind.is_space()) => {
                let starts_line = token.before().find(|it| !it.is(Kind::Indent)).is_none_or(|it| it.is(Kind::Newline));
                let arguments = [Kind::SString, Kind::String, Kind::Variable, Kind::Undef, Kind::Number, Kind::DqPre];
                is_statement |= starts_line && token.next_code().is_any(&arguments);
            }
            Kind::Undef if is_statement || open.last() == Some(&true) => {
                cx.report(token, "undef passed to a function");
            }
            _ => {}
        }
    }
    Ok(())
}
