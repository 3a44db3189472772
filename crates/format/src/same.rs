//! Whether two texts are the same program: the same tokens in the same order.
//!
//! The parser sees nothing but tokens, so equal tokens make equal trees. Three things may differ, none of which changes the
//! tree: commas before a closing bracket, the quotes of plain strings, and the white space before a bracket that follows no
//! operand, or the name of a definition.

use bunraku_syntax::{Grammar, Parsed, Source, Token, TokenKind as T, tokens};

use crate::style::{ends_operand, in_single_quotes};

/// Whether a source has the tokens of another one, which has been parsed.
pub(crate) fn is_same(source: &Source, parsed: &Parsed, other: &Source, grammar: Grammar) -> bool {
    let mut written = tokens(other, grammar).into_iter();
    for (index, &token) in parsed.tokens.iter().enumerate() {
        let Some(mut next) = written.next() else { return false };
        if is_equal(source, token, other, next) {
            continue;
        }
        let closes = matches!(token.kind, T::RightBrace | T::RightBracket | T::RightParenthesis);
        if closes && next.kind == T::Comma {
            let Some(behind) = written.next() else { return false };
            next = behind;
        }
        let before = |back| index.checked_sub(back).and_then(|it| parsed.tokens.get(it)).map(|token| token.kind);
        let is_free = matches!(before(2), Some(T::Class | T::Define | T::Plan)) || !before(1).is_some_and(ends_operand);
        let is_same = is_equal(source, token, other, next)
            || is_free && is_same_bracket(token.kind, next.kind)
            || is_requoted(token.kind, next.kind, text(source, token), text(other, next));
        if !is_same {
            return false;
        }
    }
    written.next().is_none()
}

fn is_equal(source: &Source, token: Token, other: &Source, next: Token) -> bool {
    token.kind == next.kind && text(source, token) == text(other, next)
}

fn text(source: &Source, token: Token) -> &[u8] {
    source.text.as_bytes().get(token.start as usize..token.end as usize).unwrap_or_default()
}

fn is_same_bracket(one: T, other: T) -> bool {
    let is_in = |kinds: [T; 2]| kinds.contains(&one) && kinds.contains(&other);
    is_in([T::LeftBracket, T::ListStart]) || is_in([T::LeftParenthesis, T::LineStartParenthesis])
}

fn is_requoted(old_kind: T, new_kind: T, old: &[u8], new: &[u8]) -> bool {
    let inner = new.strip_prefix(b"'").and_then(|new| new.strip_suffix(b"'"));
    let old = std::str::from_utf8(old).ok().and_then(in_single_quotes);
    old_kind == T::DoubleQuoted && new_kind == T::SingleQuoted && inner.is_some() && old.map(str::as_bytes) == inner
}
