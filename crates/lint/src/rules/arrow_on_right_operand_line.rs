//! The chaining arrows `->` and `~>` stand on the line of their right operand.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "arrow_on_right_operand_line",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "The chaining arrows `->` and `~>` stand on the line of their right operand.",
    help: Some("style_guide.html#chaining-arrow-syntax"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for arrow in cx.tokens.iter().filter(|token| matches!(token.kind, Kind::InEdge | Kind::InEdgeSub)) {
        let Some(right) = arrow.next_code().filter(|right| right.line != arrow.line) else { continue };
        cx.report_fix(arrow, "arrow should be on the right operand's line", || {
            // White space before the arrow goes with it, unless a comment follows at once.
            let is_before_space = arrow.next().is_any(&[Kind::Newline, Kind::Whitespace]);
            let blank = arrow.prev().filter(|blank| blank.is(Kind::Whitespace) && is_before_space);
            let start = blank.map_or(arrow.start, |blank| blank.start);
            let edits = vec![Edit::new(start, arrow.end, ""), right.insert_before(format!("{} ", arrow.source()))];
            Some(Fix { edits, effect: Effect::Layout })
        });
    }
    Ok(())
}
