//! The pieces of a source with what is decided about them: line breaks and blanks before them, and commas after them.

use bunraku_syntax::trivia::{HeredocLines, PieceKind, Trivia};
use bunraku_syntax::{Source, TokenKind};

use crate::ignored::Kept;

/// What an item is. Every pass asks each item for it: a byte of its own for that makes the answer a single comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Token(TokenKind),
    LineComment,
    BlockComment,
    /// Several pieces that stay as they are, from `# fmt: off` to `# fmt: on`.
    Verbatim,
}

impl Kind {
    pub(crate) fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }
}

/// What a bracket holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Role {
    /// This is no bracket.
    #[default]
    None,
    /// This is a bracket that closes.
    Closing,
    /// Statements, or the options of a `case`.
    Body,
    Hash,
    Selector,
    /// Resources: titles and attributes.
    Resource,
    /// The attributes of defaults, overrides and collectors.
    Attributes,
    Array,
    /// The keys of an access, or the parameters of a data type.
    Access,
    /// Arguments.
    Call,
    /// `( )` around an expression.
    Group,
    /// The parameters of a class, defined type or plan.
    Parameters,
    /// The parameters of a function.
    Signature,
    /// The parameters of a lambda.
    Bars,
    /// The condition of a collector.
    Query,
}

impl Role {
    /// Whether it holds elements with commas between them that are laid out, not only separated.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Self::Hash | Self::Selector | Self::Resource | Self::Attributes | Self::Array | Self::Parameters)
    }
}

/// No item.
pub(crate) const NONE: usize = usize::MAX;

/// A piece and its layout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    /// Where it is in the source.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The line breaks and blanks that the source has before it.
    pub(crate) old_breaks: u32,
    pub(crate) old_blanks: u32,
    pub(crate) follows_heredoc: bool,
    /// For a bracket that opens: what it holds.
    pub(crate) role: Role,
    /// For a bracket: the other one.
    pub(crate) partner: usize,
    /// The bracket around it; for brackets that around both.
    pub(crate) around: usize,
    /// Whether it is an operator before its operand.
    pub(crate) is_unary: bool,
    /// What control comments keep as it is.
    pub(crate) kept: Kept,
    /// For a bracket that opens, and for the colon of a title: whether its elements are on several lines.
    pub(crate) is_broken: bool,
    /// For the brace of resources: whether there are several.
    pub(crate) has_several: bool,
    /// For the brace of resources: whether the last title so far begins a line.
    pub(crate) has_title_below: bool,
    /// How many line breaks to write before it.
    pub(crate) breaks: u32,
    /// How many blanks to write before it, or how far to indent it.
    pub(crate) blanks: u32,
    /// Whether to write a comma after it.
    pub(crate) comma: bool,
    /// The line that it begins on.
    pub(crate) line: u32,
}

/// What stands where nothing is.
const NOTHING: Item = Item {
    kind: Kind::Token(TokenKind::EndOfInput),
    start: u32::MAX,
    end: u32::MAX,
    old_breaks: 0,
    old_blanks: 0,
    follows_heredoc: false,
    role: Role::None,
    partner: NONE,
    around: NONE,
    is_unary: false,
    kept: Kept::NOTHING,
    is_broken: false,
    has_several: false,
    has_title_below: false,
    breaks: 0,
    blanks: 0,
    comma: false,
    line: 0,
};

impl Item {
    pub(crate) fn is(&self, kind: TokenKind) -> bool {
        self.kind == Kind::Token(kind)
    }

    pub(crate) fn is_comment(&self) -> bool {
        self.kind.is_comment()
    }

    /// Whether something must follow on another line.
    pub(crate) fn ends_line(&self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::Verbatim)
    }

    /// Whether it is a bracket.
    pub(crate) fn is_bracket(&self) -> bool {
        self.role != Role::None
    }

    /// Whether it stands between elements.
    pub(crate) fn is_separator(&self) -> bool {
        matches!(self.kind, Kind::Token(TokenKind::Comma | TokenKind::Semicolon | TokenKind::Colon))
    }

    /// Whether it opens a bracket.
    pub(crate) fn opens(&self) -> bool {
        !matches!(self.role, Role::None | Role::Closing)
    }

    /// Whether it closes a bracket.
    pub(crate) fn closes(&self) -> bool {
        self.role == Role::Closing
    }

    /// Whether there may be line breaks in it.
    pub(crate) fn may_have_breaks(&self) -> bool {
        use TokenKind as T;
        match self.kind {
            Kind::Token(kind) => matches!(kind, T::SingleQuoted | T::DoubleQuoted | T::StringStart | T::Regexp),
            Kind::LineComment => false,
            Kind::BlockComment | Kind::Verbatim => true,
        }
    }

    /// The blanks of the source, but at most one.
    pub(crate) fn at_most_one(&self) -> u32 {
        if self.old_breaks == 0 { self.old_blanks.min(1) } else { 1 }
    }
}

/// All items of a source.
pub(crate) struct Items<'s> {
    pub(crate) source: &'s Source,
    pub(crate) all: Vec<Item>,
    /// The indices of brackets, of the separators between elements, and of `=>` and `+>`, once they are found: what most of
    /// the style is about.
    pub(crate) signs: Vec<usize>,
    pub(crate) heredocs: Vec<HeredocLines>,
}

impl<'s> Items<'s> {
    /// Makes an item of each piece.
    pub(crate) fn new(source: &'s Source, trivia: Trivia) -> Self {
        let item = |piece: &bunraku_syntax::trivia::Piece| Item {
            kind: match piece.kind {
                PieceKind::Token(kind) => Kind::Token(kind),
                PieceKind::LineComment => Kind::LineComment,
                PieceKind::BlockComment => Kind::BlockComment,
            },
            start: piece.start,
            end: piece.end,
            old_breaks: piece.breaks,
            old_blanks: piece.blanks,
            follows_heredoc: piece.follows_heredoc,
            ..NOTHING
        };
        Self { source, all: trivia.pieces.iter().map(item).collect(), signs: Vec::new(), heredocs: trivia.heredocs }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The item of an index.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> &Item {
        self.all.get(index).unwrap_or(&NOTHING)
    }

    /// Changes the item of an index.
    #[inline]
    pub(crate) fn change(&mut self, index: usize, change: impl FnOnce(&mut Item)) {
        if let Some(item) = self.all.get_mut(index) {
            change(item);
        }
    }

    /// The items of the line that an item begins.
    pub(crate) fn line(&self, first: usize) -> &[Item] {
        let rest = self.all.get(first..).unwrap_or_default();
        let next = rest.iter().skip(1).position(|item| item.breaks > 0);
        rest.get(..next.map_or(rest.len(), |next| next + 1)).unwrap_or_default()
    }

    /// The text of an item.
    pub(crate) fn text(&self, index: usize) -> &'s str {
        let item = self.at(index);
        self.source.text.get(item.start as usize..item.end as usize).unwrap_or_default()
    }

    /// The item that begins at an offset.
    pub(crate) fn beginning_at(&self, offset: u32) -> Option<usize> {
        let index = self.all.partition_point(|item| item.start < offset);
        (self.at(index).start == offset).then_some(index)
    }

    /// The item that ends at an offset.
    pub(crate) fn ending_at(&self, offset: u32) -> Option<usize> {
        let index = self.all.partition_point(|item| item.start < offset).checked_sub(1)?;
        (self.at(index).end == offset).then_some(index)
    }

    /// The next item from an index on that is no comment.
    pub(crate) fn code_from(&self, index: usize) -> usize {
        (index..self.len()).find(|&index| !self.at(index).is_comment()).unwrap_or(NONE)
    }

    /// The last item before an index that is no comment.
    pub(crate) fn code_before(&self, index: usize) -> usize {
        (0..index).rev().find(|&index| !self.at(index).is_comment()).unwrap_or(NONE)
    }

    /// The column behind an item, in characters.
    pub(crate) fn column_after(&self, index: usize) -> u32 {
        let mut column = 0;
        for at in (0..=index).rev() {
            let (item, text) = (self.at(at), self.text(at));
            let line_break = if item.may_have_breaks() { memchr::memrchr(b'\n', text.as_bytes()) } else { None };
            let last_line = line_break.map_or(text, |end| text.get(end + 1..).unwrap_or_default());
            column += characters(last_line) + u32::from(item.comma);
            if last_line.len() < text.len() {
                break;
            }
            column += item.blanks;
            if item.breaks > 0 {
                break;
            }
        }
        column
    }

    /// The column of an item in the source, in characters.
    pub(crate) fn old_column(&self, index: usize) -> u32 {
        let before = self.source.text.get(..self.at(index).start as usize).unwrap_or_default();
        // As many comments are.
        if before.ends_with('\n') {
            return 0;
        }
        let line = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |end| end + 1);
        characters(before.get(line..).unwrap_or_default())
    }
}

fn characters(text: &str) -> u32 {
    // Every byte that does not continue a character begins one.
    text.bytes().filter(|byte| byte & 0xC0 != 0x80).count() as u32
}
