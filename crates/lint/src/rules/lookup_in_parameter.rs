//! Defaults of parameters come from automatic lookup.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "lookup_in_parameter",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Defaults of parameters come from automatic lookup.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let mut depth: Option<i64> = None;
    for token in cx.tokens.iter() {
        match token.kind {
            Kind::Class | Kind::Define => {
                let name = token.next_code().filter(|name| name.is(Kind::Name));
                if name.and_then(|name| name.next_code()).is(Kind::LParen) {
                    depth = Some(0);
                }
            }
            Kind::LParen => depth = depth.map(|depth| depth + 1),
            Kind::RParen => depth = depth.map(|depth| depth - 1).filter(|depth| *depth != 0),
            Kind::FunctionName if depth.is_some() && token.value() == "lookup" => {
                cx.report(token, "lookup used to set the default value of a parameter");
            }
            _ => {}
        }
    }
    Ok(())
}
