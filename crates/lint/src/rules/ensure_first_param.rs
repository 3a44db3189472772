//! `ensure` is the first attribute.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "ensure_first_param",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "`ensure` is the first attribute.",
    help: Some("style_guide.html#attribute-ordering"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        if cx.type_of(resource).is(Kind::Class) {
            continue;
        }
        let names: Vec<_> = resource.attributes.iter().filter_map(|&name| cx.tokens.get(name)).collect();
        let place = names.iter().position(|name| name.value() == "ensure").filter(|place| *place > 0);
        if let (Some(place), Some(&first)) = (place, names.first())
            && let Some(&ensure) = names.get(place)
        {
            let index = cx.index;
            let tokens = cx.tokens;
            cx.report_fix(ensure, "ensure found on line but it's not the first attribute", || {
                // Each attribute up to its comma. The text of a heredoc is elsewhere, so such attributes stay.
                let ends = [Kind::Comma, Kind::Semicolon, Kind::RBrace];
                let span = |name: Cursor<'t>| index.next_of(name.index, &ends)?.prev_code().map(|last| (name, last));
                let text =
                    |(from, to): (Cursor<'t>, Cursor<'t>)| tokens.text().get(from.start as usize..to.end as usize);
                let (a, b) = (span(first)?, span(ensure)?);
                let inside = |(from, to): (Cursor<'t>, Cursor<'t>)| tokens.between(from.index, to.index);
                if inside(a).chain(inside(b)).any(|token| {
                    matches!(token.kind, Kind::HeredocOpen | Kind::Heredoc | Kind::HeredocPost | Kind::Comment)
                }) {
                    return None;
                }
                let edits = vec![Edit::new(a.0.start, a.1.end, text(b)?), Edit::new(b.0.start, b.1.end, text(a)?)];
                Some(Fix { edits, effect: Effect::Code })
            });
        }
    }
    Ok(())
}
