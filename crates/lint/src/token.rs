//! The tokens that checks look at: everything in the source, white space, line breaks and comments included, cut where
//! puppet-lint cuts it.

use std::ops::Deref;

/// What a token is. The names are those of puppet-lint, on which the rules of the checks are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    // What is not code.
    Whitespace,
    Indent,
    Newline,
    Comment,
    SlashComment,
    StarComment,
    // Words.
    /// The name of a built-in data type, and the keyword `type`.
    Type,
    /// A capitalised name that is not the name of a built-in data type.
    ClassRef,
    Number,
    /// A name directly before `(`, be it a keyword.
    FunctionName,
    Name,
    Case,
    Class,
    Default,
    Define,
    Import,
    If,
    Elsif,
    Else,
    Inherits,
    Node,
    And,
    Or,
    Undef,
    False,
    True,
    In,
    Unless,
    Function,
    Attr,
    Private,
    // Brackets and operators.
    LBrack,
    RBrack,
    LBrace,
    RBrace,
    LParen,
    RParen,
    IsEqual,
    Match,
    FArrow,
    Equals,
    Appends,
    PArrow,
    Plus,
    GreaterEqual,
    RShift,
    GreaterThan,
    LessEqual,
    LLCollect,
    OutEdge,
    OutEdgeSub,
    LCollect,
    LShift,
    LessThan,
    NoMatch,
    NotEqual,
    Not,
    RRCollect,
    RCollect,
    InEdge,
    InEdgeSub,
    Minus,
    Comma,
    Dot,
    Colon,
    Semicolon,
    QuestionMark,
    Backslash,
    Times,
    Modulo,
    Pipe,
    Div,
    At,
    Regex,
    // Variables and strings.
    /// `$x`, with its access brackets up to the first `]` each; in `"${x}"` the `x`.
    Variable,
    /// `$x` in a string.
    UnenclosedVariable,
    /// A single-quoted string.
    SString,
    /// A double-quoted string without interpolation.
    String,
    /// A double-quoted string up to the first interpolation, between two, and after the last.
    DqPre,
    DqMid,
    DqPost,
    HeredocOpen,
    /// The text of a heredoc without interpolation; its value ends before the end tag, the token after it.
    Heredoc,
    HeredocPre,
    HeredocMid,
    HeredocPost,
}

impl Kind {
    /// Whether a token is white space or a comment.
    pub(crate) fn is_formatting(self) -> bool {
        self.is_space() || self.is_comment()
    }

    /// Whether a token is white space or a line break.
    pub(crate) fn is_space(self) -> bool {
        matches!(self, Kind::Whitespace | Kind::Indent | Kind::Newline)
    }

    /// Whether a token is a comment.
    pub(crate) fn is_comment(self) -> bool {
        matches!(self, Kind::Comment | Kind::SlashComment | Kind::StarComment)
    }

    /// Whether a token is a variable, in a string or outside.
    pub(crate) fn is_variable(self) -> bool {
        matches!(self, Kind::Variable | Kind::UnenclosedVariable)
    }

    /// The bracket that closes this one.
    pub(crate) fn closing(self) -> Option<Kind> {
        match self {
            Kind::LBrace => Some(Kind::RBrace),
            Kind::LBrack => Some(Kind::RBrack),
            Kind::LParen => Some(Kind::RParen),
            _ => None,
        }
    }
}

/// No token.
const NONE: u32 = u32::MAX;

/// A piece of the source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The bytes of the token, delimiters included.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The bytes of what it says: the name of a variable, the text of a string.
    pub(crate) value_start: u32,
    pub(crate) value_end: u32,
    /// Where it begins, both from 1; columns count characters.
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The code tokens around it.
    prev_code: u32,
    next_code: u32,
}

/// All tokens of a source. Their ranges add up to its text.
#[derive(Debug)]
pub(crate) struct Tokens<'s> {
    text: &'s str,
    list: Vec<Token>,
    /// The last code token so far.
    last_code: u32,
}

impl<'s> Tokens<'s> {
    pub(crate) fn new(text: &'s str) -> Self {
        Self { text, list: Vec::with_capacity(text.len() / 4), last_code: NONE }
    }

    /// Appends a token.
    pub(crate) fn push(&mut self, kind: Kind, range: (usize, usize), value: (usize, usize), place: (u32, u32)) {
        let index = self.list.len() as u32;
        let prev_code = self.last_code;
        if !kind.is_formatting() {
            // All tokens since the last code token learn what comes next.
            let since = if prev_code == NONE { 0 } else { prev_code as usize };
            for token in self.list.iter_mut().skip(since) {
                token.next_code = index;
            }
            self.last_code = index;
        }
        let (line, column) = place;
        self.list.push(Token {
            kind,
            start: range.0 as u32,
            end: range.1 as u32,
            value_start: value.0 as u32,
            value_end: value.1 as u32,
            line,
            column,
            prev_code,
            next_code: NONE,
        });
    }

    /// Gives a token another kind.
    pub(crate) fn rename(&mut self, index: usize, kind: Kind) {
        if let Some(token) = self.list.get_mut(index) {
            token.kind = kind;
        }
    }

    /// The text that the tokens are pieces of.
    pub(crate) fn text(&self) -> &'s str {
        self.text
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The token at an index.
    pub(crate) fn get(&self, index: usize) -> Option<Cursor<'_>> {
        Some(Cursor { tokens: self, token: self.list.get(index)?, index })
    }

    /// All tokens.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Cursor<'_>> + ExactSizeIterator {
        self.list.iter().enumerate().map(|(index, token)| Cursor { tokens: self, token, index })
    }

    /// The tokens of a kind.
    pub(crate) fn of(&self, kind: Kind) -> impl DoubleEndedIterator<Item = Cursor<'_>> {
        self.iter().filter(move |token| token.kind == kind)
    }

    /// The tokens from one index to another, both included.
    pub(crate) fn between(&self, start: usize, end: usize) -> impl DoubleEndedIterator<Item = Cursor<'_>> + Clone {
        let inside = self.list.get(start..self.list.len().min(end.saturating_add(1))).unwrap_or_default();
        inside.iter().enumerate().map(move |(offset, token)| Cursor { tokens: self, token, index: start + offset })
    }

    pub(crate) fn last(&self) -> Option<Cursor<'_>> {
        self.get(self.list.len().checked_sub(1)?)
    }
}

/// A token and its place among the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'t> {
    tokens: &'t Tokens<'t>,
    token: &'t Token,
    /// Its place in the list.
    pub(crate) index: usize,
}

impl Deref for Cursor<'_> {
    type Target = Token;

    fn deref(&self) -> &Token {
        self.token
    }
}

impl PartialEq for Cursor<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<'t> Cursor<'t> {
    /// What the token says.
    pub(crate) fn value(self) -> &'t str {
        self.slice(self.value_start, self.value_end)
    }

    /// The token as it stands in the source.
    pub(crate) fn source(self) -> &'t str {
        self.slice(self.start, self.end)
    }

    /// The source from this token to the end of another.
    pub(crate) fn between(self, end: Self) -> &'t str {
        self.slice(self.start, end.end)
    }

    fn slice(self, start: u32, end: u32) -> &'t str {
        self.tokens.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// How many characters the token has.
    pub(crate) fn width(self) -> usize {
        self.source().chars().count()
    }

    pub(crate) fn next(self) -> Option<Self> {
        self.tokens.get(self.index + 1)
    }

    pub(crate) fn prev(self) -> Option<Self> {
        self.tokens.get(self.index.checked_sub(1)?)
    }

    /// The next token that is neither white space nor a comment.
    pub(crate) fn next_code(self) -> Option<Self> {
        self.tokens.get(self.next_code as usize)
    }

    /// The last token that is neither white space nor a comment.
    pub(crate) fn prev_code(self) -> Option<Self> {
        self.tokens.get(self.prev_code as usize)
    }

    /// The next token that is not white space; comments count.
    pub(crate) fn next_visible(self) -> Option<Self> {
        self.after().find(|token| !token.kind.is_space())
    }

    /// The last token that is not white space; comments count.
    pub(crate) fn prev_visible(self) -> Option<Self> {
        self.before().find(|token| !token.kind.is_space())
    }

    /// The tokens after this one.
    pub(crate) fn after(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.next(), |token| token.next())
    }

    /// The tokens before this one, the nearest first.
    pub(crate) fn before(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.prev(), |token| token.prev())
    }

    pub(crate) fn is(self, kind: Kind) -> bool {
        self.kind == kind
    }

    /// Whether this is exactly one blank.
    pub(crate) fn is_single_space(self) -> bool {
        self.kind == Kind::Whitespace && self.value() == " "
    }
}

/// Questions about a token that may not be there.
pub(crate) trait MaybeToken {
    /// Whether there is a token, and it is of this kind.
    fn is(&self, kind: Kind) -> bool;
    /// Whether there is a token, and it is of one of these kinds.
    fn is_any(&self, kinds: &[Kind]) -> bool;
}

impl MaybeToken for Option<Cursor<'_>> {
    fn is(&self, kind: Kind) -> bool {
        self.is_some_and(|token| token.kind == kind)
    }

    fn is_any(&self, kinds: &[Kind]) -> bool {
        self.is_some_and(|token| kinds.contains(&token.kind))
    }
}
