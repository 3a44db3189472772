//! Every line is indented by its brackets.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "strict_indent",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Every line is indented by its brackets.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let partners = partners(cx.tokens);
    let partner = |token: Cursor<'t>| partners.get(token.index).copied().flatten();
    let (mut indent, mut colon): (i64, Option<u32>) = (0, None);
    let mut line_start = 0;
    for token in cx.tokens.of(Kind::Newline) {
        let before = cx.tokens.between(line_start, token.index).filter(|it| *it != token);
        line_start = token.index + 1;
        let Some(next) = token.next() else { break };
        let mut once = 0_i64;
        let (mut groups, mut closing_lines) = (0_i64, Vec::new());
        for it in before.rev() {
            once += i64::from(it.is(Kind::HeredocOpen));
            if it.kind.closing().is_some() {
                match partner(it) {
                    None => groups += 1,
                    Some(line) if line > it.line && !closing_lines.contains(&line) => {
                        groups += 1;
                        closing_lines.push(line);
                    }
                    Some(_) => {}
                }
            }
        }
        indent += groups;
        let last = token.before().find(|it| !matches!(it.kind, Kind::Whitespace | Kind::Comment));
        match last.map(|last| last.kind) {
            Some(Kind::Colon) if groups == 0 && colon.is_none() => {
                colon = last.map(|last| last.line);
                indent += 1;
            }
            Some(Kind::Semicolon) if colon.take().is_some() => indent -= 1,
            Some(Kind::Equals | Kind::FArrow) => once += 1,
            _ => {}
        }
        let mut opening_lines = Vec::new();
        for it in token.after().take_while(|it| !it.is(Kind::Newline)) {
            if matches!(it.kind, Kind::RBrace | Kind::RBrack | Kind::RParen) {
                let Some(line) = partner(it) else { continue };
                if line < it.line && !opening_lines.contains(&line) {
                    indent -= 1;
                    opening_lines.push(line);
                }
                if it.is(Kind::RBrace) && colon.is_some_and(|colon| line < colon) {
                    indent -= 1;
                    colon = None;
                }
            } else if it.is(Kind::Semicolon)
                && colon.is_some()
                && it.prev().is_any(&[Kind::Indent, Kind::Newline])
                && it.next().is_none_or(|after| after.is(Kind::Newline))
            {
                once -= 1;
            }
        }
        if indent < 0 {
            cx.report(next, "Error calculating indent. Please file an issue at https://github.com/relud/puppet-lint-indent-check/issues");
            cx.as_error();
            break;
        }
        let actual = actual(next);
        let expected = usize::try_from(indent + once).unwrap_or_default() * cx.settings.chars_per_indent;
        if actual == expected || matches!(next.kind, Kind::Comment | Kind::Newline) {
            continue;
        }
        cx.report_fix(next, format!("indent should be {expected} chars and is {actual}"), || match next.kind {
            Kind::Indent => layout(next.replace(" ".repeat(expected))),
            Kind::Heredoc | Kind::HeredocPre => shifted(next, expected, actual),
            _ => layout(next.insert_before(" ".repeat(expected))),
        });
        cx.details([("indent", Detail::Number(expected)), ("actual", Detail::Number(actual))]);
    }
    Ok(())
}

/// For every bracket the line of its partner; each sort of bracket is matched on its own.
fn partners(tokens: &Tokens<'_>) -> Vec<Option<u32>> {
    let mut lines = vec![None; tokens.len()];
    let mut open: [Vec<Cursor<'_>>; 3] = Default::default();
    for token in tokens.iter() {
        let sort = match token.kind {
            Kind::LBrace | Kind::RBrace => 0,
            Kind::LBrack | Kind::RBrack => 1,
            Kind::LParen | Kind::RParen => 2,
            _ => continue,
        };
        let Some(open) = open.get_mut(sort) else { continue };
        if token.kind.closing().is_some() {
            open.push(token);
        } else if let Some(start) = open.pop() {
            for (of, line) in [(start, token.line), (token, start.line)] {
                if let Some(entry) = lines.get_mut(of.index) {
                    *entry = Some(line);
                }
            }
        }
    }
    lines
}

/// How far a line is indented; a heredoc by its last line.
fn actual(next: Cursor<'_>) -> usize {
    let last_line = |text: &str| text.rsplit('\n').next().map_or(0, |line| line.chars().count());
    match next.kind {
        Kind::Indent => next.width(),
        Kind::Heredoc => last_line(next.value()),
        Kind::HeredocPre => {
            let end = next.after().find(|it| matches!(it.kind, Kind::Newline | Kind::HeredocPost));
            end.filter(|end| end.is(Kind::HeredocPost)).map_or(0, |end| last_line(end.value()))
        }
        _ => 0,
    }
}

/// The lines of a heredoc, moved to the right or to the left.
fn shifted(start: Cursor<'_>, expected: usize, actual: usize) -> Option<Fix> {
    let end = match start.kind {
        Kind::Heredoc => start,
        _ => start.after().find(|it| it.is(Kind::HeredocPost))?,
    };
    let mut edits = Vec::new();
    let mut at = start.start;
    for line in start.between(end).split('\n') {
        if !line.is_empty() {
            match expected.checked_sub(actual) {
                Some(more) => edits.push(Edit::new(at, at, " ".repeat(more))),
                None => {
                    let less = (actual - expected).min(line.len() - line.trim_start_matches(' ').len());
                    edits.push(Edit::new(at, at + less as u32, ""));
                }
            }
        }
        at += line.len() as u32 + 1;
    }
    Some(Fix { edits, effect: Effect::Layout })
}
