//! Whether two texts are the same program: the same tokens in the same order.
//!
//! The parser sees nothing but tokens, so equal tokens make equal trees. Three things may differ, none of which changes the
//! tree: commas before a closing bracket, the quotes of plain strings, and the white space before a bracket that follows no
//! operand, or the name of a definition.

use bunraku_syntax::{Grammar, Parsed, Source, Token, TokenKind as T, tokens};

use crate::style::{ends_operand, in_single_quotes};

/// Whether a source has the tokens of another one, which has been parsed.
pub(crate) fn is_same(source: &Source, parsed: &Parsed, other: &Source, grammar: Grammar) -> bool {
    let written = tokens(other, grammar);
    let mut written = written.iter().copied().peekable();
    let (mut before, mut is_name) = (T::EndOfInput, false);
    for &token in &parsed.tokens {
        let closes = matches!(token.kind, T::RightBrace | T::RightBracket | T::RightParenthesis);
        if closes && written.peek().is_some_and(|next| next.kind == T::Comma) {
            written.next();
        }
        let Some(next) = written.next() else { return false };
        let is_bracket = is_same_bracket(token.kind, next.kind) && (is_name || !ends_operand(before));
        let (old, new) = (text(source, token), text(other, next));
        let is_equal = (token.kind == next.kind || is_bracket) && old == new;
        if !is_equal && !is_requoted(token.kind, next.kind, old, new) {
            return false;
        }
        is_name = matches!(before, T::Class | T::Define | T::Plan);
        before = token.kind;
    }
    written.next().is_none()
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
