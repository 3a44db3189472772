//! Required parameters come before optional ones.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "parameter_order",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Required parameters come before optional ones.",
    help: Some("style_guide.html#params-display-order"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let Some(parameters) = definition.parameter_tokens(cx.tokens) else { continue };
        let (mut parentheses, mut brackets, mut has_default) = (0_usize, 0_usize, false);
        for token in parameters {
            match token.kind {
                Kind::LParen => parentheses += 1,
                Kind::RParen => parentheses = parentheses.saturating_sub(1),
                Kind::LBrace | Kind::LBrack => brackets += 1,
                Kind::RBrace | Kind::RBrack => brackets = brackets.saturating_sub(1),
                Kind::Equals => has_default = true,
                _ => {}
            }
            let before = [Kind::LParen, Kind::Comma, Kind::Type, Kind::RBrack, Kind::ClassRef];
            let is_required = || token.next_code().is_none_or(|next| matches!(next.kind, Kind::Comma | Kind::RParen));
            if parentheses + brackets == 0
                && has_default
                && token.is(Kind::Variable)
                && token.prev_code().is_any(&before)
                && is_required()
            {
                cx.report(token, "optional parameter listed before required parameter");
            }
        }
    }
    Ok(())
}
