//! Lists: hashes, arrays, selectors, attributes, and the parameters of classes, defined types and plans.
//!
//! On one line they stay so. As soon as there is a line break between elements, the first element begins a line and the
//! closing bracket too; and every element does, but those of arrays. Of several resources in one pair of braces each begins
//! a line when one does, and its attributes are a list of their own. Calls and data types keep all their breaks.

use bunraku_syntax::TokenKind;

use crate::ignored::Kept;
use crate::items::{Items, NONE, Role};

/// Decides about line breaks between the elements of lists.
pub(super) fn decide(items: &mut Items<'_>) {
    let separators = separators(items);
    separators.iter().for_each(|separator| find_broken(items, *separator));
    separators.iter().for_each(|separator| break_up(items, *separator));
}

/// What stands between two elements, or between an element and the bracket around them.
#[derive(Clone, Copy)]
struct Separator {
    /// The bracket that opens the list.
    list: usize,
    /// In a resource: the colon after the title.
    colon: usize,
    /// The item before, which is no comment, and that after.
    before: usize,
    after: usize,
}

/// The separators of all lists.
fn separators(items: &Items<'_>) -> Vec<Separator> {
    let mut found = Vec::with_capacity(items.len() / 8);
    // The colon of the title in each of the brackets around.
    let mut colons: Vec<usize> = vec![NONE];
    for &sign in &items.signs {
        let item = items.at(sign);
        let colon = colons.last().copied().unwrap_or(NONE);
        let is_colon = item.is(TokenKind::Colon) && items.at(item.around).role == Role::Resource;
        if item.closes() {
            if items.at(item.partner).role.is_list() {
                found.push(Separator { list: item.partner, colon, before: items.code_before(sign), after: sign });
            }
            colons.pop();
            continue;
        } else if item.opens() {
            colons.push(NONE);
        } else if !item.is_separator() {
            continue;
        } else if (is_colon || item.is(TokenKind::Semicolon))
            && let Some(colon) = colons.last_mut()
        {
            *colon = if is_colon { sign } else { NONE };
        }
        let list = if item.opens() { sign } else { item.around };
        if !items.at(list).role.is_list() {
            continue;
        }
        let after = items.code_from(sign + 1);
        // What is missing before a semicolon, as after a comma, is no element.
        if !items.at(after).closes() && !items.at(after).is(TokenKind::Semicolon) {
            let colon = colons.last().copied().unwrap_or(NONE);
            found.push(Separator { list, colon, before: sign, after });
        }
    }
    found
}

fn has_break(items: &Items<'_>, separator: Separator) -> bool {
    (separator.before.wrapping_add(1)..=separator.after).any(|index| items.at(index).breaks > 0)
}

/// Whether nothing is in the list, or in the resource, for a line break to separate.
fn is_empty(items: &Items<'_>, separator: Separator) -> bool {
    let (before, after) = (items.at(separator.before), items.at(separator.after));
    after.closes() && (separator.before == separator.list || before.is(TokenKind::Colon))
}

/// Notes which lists have a line break between elements, and which braces have several resources in them.
fn find_broken(items: &mut Items<'_>, separator: Separator) {
    let (has_break, is_end) = (has_break(items, separator), items.at(separator.after).closes());
    let is_between_bodies = separator.before == separator.list || items.at(separator.before).is(TokenKind::Semicolon);
    if is_between_bodies && !is_end {
        let has_several = separator.before != separator.list;
        items.change(separator.list, |list| {
            (list.has_several, list.has_title_below) = (list.has_several || has_several, has_break);
        });
    }
    if !has_break || is_empty(items, separator) {
        return;
    }
    items.change(separator.list, |list| list.is_broken = true);
    // Below a title that begins a line, the closing brace says nothing about the attributes.
    let says_nothing = is_between_bodies || is_end && items.at(separator.list).has_title_below;
    if !says_nothing {
        items.change(separator.colon, |colon| colon.is_broken = true);
    }
}

/// Gives elements lines of their own.
fn break_up(items: &mut Items<'_>, separator: Separator) {
    let (list, before, after) = (*items.at(separator.list), items.at(separator.before), items.at(separator.after));
    if !list.is_broken || has_break(items, separator) || is_empty(items, separator) {
        return;
    }
    let is_first = separator.before == separator.list;
    let is_wanted = if after.closes() {
        true
    } else if list.role == Role::Resource {
        if is_first { list.has_several } else { before.is(TokenKind::Semicolon) || items.at(separator.colon).is_broken }
    } else {
        is_first || list.role != Role::Array
    };
    // A comment between stays with what is before it.
    let at = if after.closes() { separator.after } else { separator.before.wrapping_add(1) };
    let kept = items.at(at).kept;
    if is_wanted && !kept.has(Kept::LINE) && !kept.has(Kept::BRACKETS) {
        items.change(at, |item| item.breaks = 1);
    }
}
