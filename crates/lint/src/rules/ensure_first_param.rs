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
            let (index, tokens) = (cx.index, cx.tokens);
            cx.report_fix(ensure, "ensure found on line but it's not the first attribute", || {
                // Each attribute up to its comma.
                let ends = [Kind::Comma, Kind::Semicolon, Kind::RBrace];
                let end = |name: Cursor<'t>| index.next_of(name.index, &ends);
                let span = |name: Cursor<'t>| end(name)?.prev_code().map(|last| (name, last));
                let (a, b) = (span(first)?, span(ensure)?);
                let mut inside = tokens.between(a.0.index, a.1.index).chain(tokens.between(b.0.index, b.1.index));
                let edits = if inside.any(|it| stays(it.kind)) || comment_above(first) || comment_above(ensure) {
                    moved_lines(first, ensure, end(ensure)?, tokens)?
                } else {
                    vec![
                        Edit::new(a.0.start, a.1.end, b.0.between(b.1)),
                        Edit::new(b.0.start, b.1.end, a.0.between(a.1)),
                    ]
                };
                Some(Fix { edits, effect: Effect::Code })
            });
        }
    }
    Ok(())
}

/// Whether it is more than the text between its ends, or says something about the line: what is exchanged would leave it
/// behind.
fn stays(kind: Kind) -> bool {
    kind.is_comment() || matches!(kind, Kind::HeredocOpen | Kind::Heredoc | Kind::HeredocPost)
}

/// Whether a comment stands on the line above.
fn comment_above(name: Cursor<'_>) -> bool {
    let before = name.before().find(|it| !it.is(Kind::Indent));
    let above = before.filter(|it| it.is(Kind::Newline)).and_then(Cursor::prev);
    above.is_some_and(|it| it.kind.is_comment() && begins_line(it))
}

fn begins_line(token: Cursor<'_>) -> bool {
    token.prev().is_any(&[Kind::Newline, Kind::Indent])
}

/// The whole lines of `ensure`, with the comments above it, before those of the first attribute. Nothing if there is more on
/// them, or text that belongs to another line.
fn moved_lines<'t>(
    first: Cursor<'t>,
    ensure: Cursor<'t>,
    end: Cursor<'t>,
    tokens: &'t Tokens<'t>,
) -> Option<Vec<Edit>> {
    let start = |name: Cursor<'t>| {
        begins_line(name).then_some(())?;
        let above = name.before().take_while(|it| it.kind.is_space() || it.kind.is_comment() && begins_line(*it));
        let comments = above.filter(|it| it.kind.is_comment());
        // Comments that an empty line separates are about something else.
        let mut top = name;
        for comment in comments {
            let breaks = comment.after().take_while(|it| it.index < top.index).filter(|it| it.is(Kind::Newline));
            if breaks.count() > 1 {
                break;
            }
            top = comment;
        }
        Some(top.prev().filter(|it| it.is(Kind::Indent)).unwrap_or(top))
    };
    let (to, from) = (start(first)?, start(ensure)?);
    let is_heredoc = |it: Cursor<'t>| matches!(it.kind, Kind::HeredocOpen | Kind::Heredoc | Kind::HeredocPost);
    if tokens.between(from.index, end.index).any(is_heredoc) {
        return None;
    }
    let last = if end.is(Kind::Comma) { end } else { end.prev_code()? };
    let newline = last.after().find(|it| !it.is(Kind::Whitespace) && !it.kind.is_comment())?;
    newline.is(Kind::Newline).then_some(())?;
    let mut lines = from.between(last).to_owned();
    if !end.is(Kind::Comma) {
        lines.push(',');
    }
    lines += tokens.text().get(last.end as usize..newline.end as usize)?;
    Some(vec![Edit::new(to.start, to.start, lines), Edit::new(from.start, newline.end, "")])
}
