//! `# lint:ignore:CHECK` comments: the lines they cover keep what the check is about, and a line that ends with one is not
//! split, for the comment would cover only a part of it.

use crate::items::{Items, Kind};

/// What keeps the layout that the author gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept(u8);

impl Kept {
    pub(crate) const NOTHING: Self = Self(0);
    /// Indentation.
    pub(crate) const INDENTATION: Self = Self(1);
    /// The blanks before `=>` and `+>`.
    pub(crate) const ARROWS: Self = Self(2);
    /// Missing commas after the last element.
    pub(crate) const COMMAS: Self = Self(4);
    /// Relationship arrows at the end of their line.
    pub(crate) const CHAINS: Self = Self(8);
    /// Blank lines.
    pub(crate) const BLANK_LINES: Self = Self(16);
    /// The blanks and line breaks around braces and brackets.
    pub(crate) const BRACKETS: Self = Self(32);
    /// The line: it is not split.
    pub(crate) const LINE: Self = Self(64);

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What a check is about.
    fn of(check: &str) -> Self {
        match check {
            "strict_indent" | "2sp_soft_tabs" | "hard_tabs" => Self::INDENTATION,
            "arrow_alignment" | "space_before_arrow" => Self::ARROWS,
            "trailing_comma" => Self::COMMAS,
            "arrow_on_right_operand_line" => Self::CHAINS,
            "manifest_whitespace_two_empty_lines" => Self::BLANK_LINES,
            _ if check.starts_with("manifest_whitespace_opening_") => Self::BRACKETS,
            _ if check.starts_with("manifest_whitespace_closing_") => Self::BRACKETS,
            _ => Self::NOTHING,
        }
    }
}

/// Marks what control comments keep.
pub(crate) fn mark(items: &mut Items<'_>) {
    if memchr::memmem::find(items.source.text.as_bytes(), b"lint:ignore:").is_none() {
        return;
    }
    // What each comment that is open keeps, together with those around it.
    let mut open: Vec<Kept> = Vec::new();
    for index in 0..items.len() {
        let kept = open.last().copied().unwrap_or(Kept::NOTHING);
        items.change(index, |item| item.kept = item.kept.and(kept));
        let item = *items.at(index);
        if !item.is_comment() {
            continue;
        }
        let words = items.text(index).trim_start_matches(['#', '/', '*']).trim_start();
        let is_alone = index == 0 || item.old_breaks > 0;
        if words.starts_with("lint:endignore") {
            open.pop();
        } else if let Some(kept) = checks(words) {
            if is_alone {
                open.push(kept.and(open.last().copied().unwrap_or(Kept::NOTHING)));
            } else {
                cover_line(items, index, kept.and(Kept::LINE));
            }
        }
    }
}

/// What the checks are about that a comment names; nothing if it is no control comment.
fn checks(words: &str) -> Option<Kept> {
    let mut names = words.split_whitespace().map_while(|word| word.strip_prefix("lint:ignore:"));
    let first = Kept::of(names.next()?);
    Some(names.fold(first, |all, name| all.and(Kept::of(name))))
}

/// Marks all items on the line of a comment in the source.
fn cover_line(items: &mut Items<'_>, comment: usize, kept: Kept) {
    for index in (0..=comment).rev() {
        items.change(index, |item| item.kept = item.kept.and(kept));
        let item = items.at(index);
        if item.old_breaks > 0 || item.kind == Kind::Verbatim {
            break;
        }
    }
}
