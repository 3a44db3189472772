//! White space inside a line: one blank, except where this says otherwise. What the author may choose is marked as such.

use bunraku_syntax::TokenKind as T;

use crate::ignored::Kept;
use crate::items::{Item, Items, Kind, Role};

/// Decides how many blanks are before each item that does not begin a line.
pub(super) fn decide(items: &mut Items<'_>) {
    for index in 1..items.len() {
        if items.at(index).breaks == 0 {
            let blanks = between(items, index);
            items.change(index, |item| item.blanks = blanks);
        }
    }
}

fn between(items: &Items<'_>, index: usize) -> u32 {
    let (before, item) = (items.at(index - 1), items.at(index));
    let (left, right) = match (before.kind, item.kind) {
        // A comment at the end of a line.
        (_, Kind::LineComment) => return 1,
        (Kind::Token(left), Kind::Token(right)) => (left, right),
        // Block comments: the author's choice between one and none, but braces have blanks within them.
        _ if before.is(T::LeftBrace) || item.is(T::RightBrace) => return 1,
        _ => return item.at_most_one(),
    };
    let is_kept = item.kept.has(Kept::BRACKETS) && item.old_breaks == 0;
    if is_kept && (before.opens() || item.opens() || before.closes() || item.closes()) {
        return item.old_blanks;
    }
    match (left, right) {
        (_, T::Comma | T::Semicolon | T::Colon) => 0,
        // A number that ends with a dot is another number.
        (T::Number, T::Dot) => item.at_most_one(),
        (T::Dot, _) | (_, T::Dot) => 0,
        _ if before.opens() => after_opening(before, before.partner == index),
        _ if item.closes() => before_closing(right),
        (T::At | T::AtAt, _) => 0,
        // `!$x` or `! $x`: the author's choice.
        (T::Not, _) => item.at_most_one(),
        _ if before.is_unary => 0,
        // `Enum['a','b']` or `Enum['a', 'b']`: the author's choice.
        (T::Comma, _) if items.at(item.around).role == Role::Access => item.at_most_one(),
        (_, T::LeftParenthesis) if matches!(item.role, Role::Call | Role::Signature) => 0,
        // A blank before `[` decides between an access and a new list.
        (_, T::LeftBracket | T::ListStart) if ends_operand(left) => item.at_most_one(),
        // `File <| |>` or `File<| |>`: the author's choice.
        (_, T::CollectStart | T::ExportedCollectStart) => item.at_most_one(),
        _ => 1,
    }
}

/// Nothing within `( )` and `[ ]` and at the bars of a lambda, one blank within `{ }` and `<| |>`, nothing in `{}`.
fn after_opening(opening: &Item, is_empty: bool) -> u32 {
    match opening.kind {
        Kind::Token(T::LeftBrace | T::SelectorBrace) => u32::from(!is_empty),
        Kind::Token(T::CollectStart | T::ExportedCollectStart) => 1,
        _ => 0,
    }
}

fn before_closing(closing: T) -> u32 {
    u32::from(matches!(closing, T::RightBrace | T::CollectEnd | T::ExportedCollectEnd))
}

/// Whether a bracket that follows may belong to this.
pub(crate) fn ends_operand(kind: T) -> bool {
    matches!(
        kind,
        T::Name
            | T::Word
            | T::ClassReference
            | T::Variable
            | T::Number
            | T::Regexp
            | T::SingleQuoted
            | T::DoubleQuoted
            | T::StringStart
            | T::StringEnd
            | T::Heredoc
            | T::HeredocText
            | T::True
            | T::False
            | T::Undef
            | T::Default
            | T::Type
            | T::RightBracket
            | T::RightBrace
            | T::RightParenthesis
            | T::CollectEnd
            | T::ExportedCollectEnd
    )
}
