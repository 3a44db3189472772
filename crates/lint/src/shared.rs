//! What several checks share.

use crate::context::Context;
use crate::index::Definition;
use crate::problem::{Effect, Fix, Problem};
use crate::token::{Cursor, Kind, MaybeToken, Tokens};

/// A variable's name without its access brackets.
pub(crate) fn without_access(name: &str) -> String {
    let mut rest = name;
    let mut bare = String::new();
    while let Some((before, after)) = rest.split_once('[') {
        bare.push_str(before);
        match after.char_indices().nth(1).and_then(|(second, _)| Some(second + after.get(second..)?.find(']')?)) {
            Some(close) => rest = after.get(close + 1..).unwrap_or_default(),
            None => {
                bare.push('[');
                rest = after;
            }
        }
    }
    bare + rest
}

/// Lines that are too long. Those with a URL or a template are left alone.
pub(crate) fn long_lines(cx: &mut Context<'_>, most: u32) {
    let mut start = 0;
    for (number, line) in (1..).zip(cx.tokens.text().split('\n')) {
        let at = start;
        start += line.len() as u32 + 1;
        let is_long = line.len() > most as usize && line.chars().count() > most as usize;
        if is_long && !line.contains("://") && !line.contains("template(") {
            let message = format!("line has more than {most} characters").into();
            let range = (at, at + line.len() as u32);
            let (kind, check) = (cx.rule.kind, cx.rule.name);
            cx.problems.push(Problem {
                kind,
                check,
                message,
                line: number,
                column: most,
                range,
                reason: None,
                details: Vec::new(),
                fix: None,
            });
        }
    }
}

/// The variables of parameters, as the plugins find them.
pub(crate) fn parameters<'t>(definition: &Definition, tokens: &'t Tokens<'t>, braces: bool) -> Vec<Cursor<'t>> {
    let mut found = Vec::new();
    let mut all = definition.parameter_tokens(tokens).into_iter().flatten();
    while let Some(token) = all.next() {
        if !token.is(Kind::Variable) {
            continue;
        }
        found.push(token);
        let mut nesting = 0_i64;
        for token in all.by_ref() {
            match token.kind {
                Kind::LParen | Kind::LBrack => nesting += 1,
                Kind::RParen | Kind::RBrack => nesting -= 1,
                Kind::LBrace if braces => nesting += 1,
                Kind::RBrace if braces => nesting -= 1,
                Kind::Comma if nesting <= 0 => break,
                _ => {}
            }
        }
    }
    found
}

/// The tokens of a parameter's default; none if it has none.
pub(crate) fn default_value<'t>(variable: Cursor<'t>, tokens: &'t Tokens<'t>) -> Vec<Cursor<'t>> {
    let (mut nesting, mut first) = (0_i64, None);
    let start = variable.next_code();
    for token in start.into_iter().chain(start.into_iter().flat_map(Cursor::after)) {
        match token.kind {
            Kind::LParen | Kind::LBrack => nesting += 1,
            Kind::RBrack => nesting -= 1,
            Kind::RParen => nesting -= 1,
            Kind::Equals => first = token.next_code(),
            _ => {}
        }
        if nesting < 0 && token.is(Kind::RParen) || nesting <= 0 && token.is(Kind::Comma) {
            let (Some(first), Some(last)) = (first, token.prev_code()) else { break };
            return tokens.between(first.index, last.index).collect();
        }
    }
    Vec::new()
}

/// The tokens of a parameter's data type; none if it has none.
pub(crate) fn data_type<'t>(variable: Cursor<'t>, tokens: &'t Tokens<'t>) -> Vec<Cursor<'t>> {
    let mut nesting = 0_i64;
    let mut before = variable.prev_code();
    while let Some(token) = before {
        match token.kind {
            Kind::LBrack | Kind::LParen => nesting += 1,
            Kind::RBrack | Kind::RParen => nesting -= 1,
            _ => {}
        }
        if token.is(Kind::LParen) && nesting > 0 || token.is(Kind::Comma) && nesting == 0 {
            let (Some(first), Some(last)) = (token.next_code(), variable.prev_code()) else { break };
            if first.index > last.index {
                break;
            }
            return tokens.between(first.index, last.index).collect();
        }
        before = token.prev_code();
    }
    Vec::new()
}

/// Whether a default contains no call of a function.
pub(crate) fn is_plain(default: &[Cursor<'_>]) -> bool {
    !default.iter().any(|token| matches!(token.kind, Kind::Dot | Kind::LParen))
}

/// What may follow a closing bracket without white space.
pub(crate) const AFTER_BRACKET: &[Kind] = &[
    Kind::RBrack,
    Kind::RParen,
    Kind::Semicolon,
    Kind::Comma,
    Kind::Colon,
    Kind::Dot,
    Kind::Newline,
    Kind::DqMid,
    Kind::DqPost,
    Kind::LBrack,
    Kind::HeredocMid,
    Kind::HeredocPost,
];

/// What white space after a closing bracket is removed before.
const FOLLOWING: &[Kind] = &[
    Kind::RBrace,
    Kind::RBrack,
    Kind::RParen,
    Kind::Comma,
    Kind::Newline,
    Kind::DqMid,
    Kind::DqPost,
    Kind::HeredocMid,
    Kind::HeredocPost,
];

/// Whether tokens stand on different lines.
pub(crate) fn break_between(first: Cursor<'_>, last: Cursor<'_>) -> bool {
    first.after().take_while(|token| token.index < last.index).any(|token| token.is(Kind::Newline))
}

/// White space after a closing bracket that should not be there, or is missing.
pub(crate) fn after_closing<'t>(cx: &mut Context<'t>, kind: Kind, message: &'static str) {
    for bracket in cx.tokens.of(kind) {
        let Some(next) = bracket.next().filter(|next| !AFTER_BRACKET.contains(&next.kind)) else { continue };
        if next.is(Kind::Whitespace) && !bracket.next_visible().is_any(AFTER_BRACKET) {
            continue;
        }
        cx.report_fix(next, message, || {
            if next.is(Kind::RBrace) {
                // The fix of what stands before a closing brace does it.
                return Some(Fix { edits: Vec::new(), effect: Effect::Layout });
            }
            next.is(Kind::Whitespace).then_some(())?;
            next.next().is_any(FOLLOWING).then(|| crate::context::layout(next.remove()))?
        });
    }
}

/// The first token of the title in every reference that is the value of a relationship attribute.
pub(crate) fn reference_titles<'t>(cx: &Context<'t>) -> Result<Vec<Cursor<'t>>, Box<Problem>> {
    let mut titles = Vec::new();
    for resource in cx.resources()? {
        for (place, &attribute) in resource.attributes.iter().enumerate() {
            let end = resource.attributes.get(place + 1).map_or(resource.end, |next| next - 1);
            let Some(name) = cx.tokens.get(attribute) else { continue };
            if !matches!(name.value(), "require" | "subscribe" | "notify" | "before" | "consume" | "export") {
                continue;
            }
            let references = cx.tokens.between(attribute, end).filter(|token| token.is(Kind::ClassRef));
            let brackets = references.filter_map(|token| token.next().filter(|next| next.is(Kind::LBrack)));
            titles.extend(brackets.filter_map(Cursor::next));
        }
    }
    Ok(titles)
}

/// Words without quotes before the separators of a case statement or a selector, from right to left.
pub(crate) fn unquoted<'t>(cx: &mut Context<'t>, opening: Kind, separator: Kind, message: &'static str) {
    for start in cx.tokens.of(opening) {
        let mut depth = 0_usize;
        for token in start.after() {
            match token.kind {
                Kind::LBrace => depth += 1,
                Kind::RBrace => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                kind if kind == separator && depth <= 1 => {
                    let words = token.before().take_while(|it| !matches!(it.kind, Kind::Newline | Kind::LBrace));
                    for word in words {
                        let is_type = word.is(Kind::ClassRef) && !word.value().contains("::");
                        if word.is(Kind::Name) || is_type {
                            cx.report_fix(word, message, || crate::context::meaning(word.quoted()));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
