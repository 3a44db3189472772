//! The words and signs of the language, as the lexer hands them to the parser.

/// What a token is.
///
/// Some signs have two kinds, for the reference tells them apart by what stands before them: `[` after white space
/// can only begin an array, `(` at the start of a line can only group, `{` after `?` holds the choices of a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum TokenKind {
    // Signs.
    LeftBracket,
    ListStart,
    RightBracket,
    LeftBrace,
    SelectorBrace,
    RightBrace,
    LeftParenthesis,
    LineStartParenthesis,
    RightParenthesis,
    Assign,
    Append,
    Delete,
    Equal,
    NotEqual,
    Match,
    NoMatch,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
    Less,
    FatArrow,
    PlusArrow,
    LeftShift,
    RightShift,
    ExportedCollectStart,
    ExportedCollectEnd,
    CollectStart,
    CollectEnd,
    Plus,
    Minus,
    Divide,
    Times,
    Modulo,
    Not,
    Dot,
    Pipe,
    At,
    AtAt,
    Colon,
    Comma,
    Semicolon,
    QuestionMark,
    Tilde,
    BeforeEdge,
    NotifyEdge,
    AfterEdge,
    SubscribeEdge,
    // Keywords.
    And,
    Attr,
    Case,
    Class,
    Default,
    Define,
    Else,
    Elsif,
    False,
    Function,
    If,
    In,
    Inherits,
    Node,
    Or,
    Private,
    True,
    Type,
    Undef,
    Unless,
    // Words.
    /// `apache::vhost`
    Name,
    /// A bare word that is not a name: `x-y`, `_x`
    Word,
    /// `Apache::Vhost`
    ClassReference,
    /// `$x`; within `${ }` a name or number without its `$`
    Variable,
    Number,
    Regexp,
    // Text.
    SingleQuoted,
    /// A double-quoted string without interpolation.
    DoubleQuoted,
    /// From the opening quote up to the first interpolation.
    StringStart,
    /// Between two interpolations.
    StringMiddle,
    /// From the last interpolation through the closing quote.
    StringEnd,
    /// `@(END)`; its text follows at once.
    Heredoc,
    /// The text of a heredoc without interpolation.
    HeredocText,
    // Templates.
    EppStart,
    RenderString,
    RenderExpr,
    EppEnd,
    EppEndTrim,
    /// A character that no token begins with.
    Other,
    /// Text that cannot be read; a diagnostic says why.
    Error,
    EndOfInput,
}

/// A token and its range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl TokenKind {
    /// The keyword spelled like this, if it is one.
    pub fn keyword(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"and" => Self::And,
            b"attr" => Self::Attr,
            b"case" => Self::Case,
            b"class" => Self::Class,
            b"default" => Self::Default,
            b"define" => Self::Define,
            b"else" => Self::Else,
            b"elsif" => Self::Elsif,
            b"false" => Self::False,
            b"function" => Self::Function,
            b"if" => Self::If,
            b"in" => Self::In,
            b"inherits" => Self::Inherits,
            b"node" => Self::Node,
            b"or" => Self::Or,
            b"private" => Self::Private,
            b"true" => Self::True,
            b"type" => Self::Type,
            b"undef" => Self::Undef,
            b"unless" => Self::Unless,
            _ => return None,
        })
    }

    /// Whether it is a keyword other than `true` and `false`; all of these can name an attribute.
    pub fn is_keyword(self) -> bool {
        matches!(
            self,
            Self::And
                | Self::Attr
                | Self::Case
                | Self::Class
                | Self::Default
                | Self::Define
                | Self::Else
                | Self::Elsif
                | Self::Function
                | Self::If
                | Self::In
                | Self::Inherits
                | Self::Node
                | Self::Or
                | Self::Private
                | Self::Type
                | Self::Undef
                | Self::Unless
        )
    }

    /// Whether it is an operand without the help of other tokens.
    pub(crate) fn is_operand(self) -> bool {
        matches!(
            self,
            Self::Name
                | Self::Word
                | Self::ClassReference
                | Self::Variable
                | Self::Number
                | Self::Regexp
                | Self::SingleQuoted
                | Self::DoubleQuoted
                | Self::True
                | Self::False
                | Self::Undef
                | Self::Default
        )
    }

    /// Whether an operand before this token is complete: nothing that begins like this goes on with it.
    pub(crate) fn ends_expression(self) -> bool {
        matches!(
            self,
            Self::Comma
                | Self::Semicolon
                | Self::Colon
                | Self::FatArrow
                | Self::RightBracket
                | Self::RightBrace
                | Self::RightParenthesis
                | Self::StringMiddle
                | Self::StringEnd
        )
    }

    /// Whether the reference reads it by a pattern rather than by its first characters.
    pub(crate) fn is_matched(self) -> bool {
        let is_word = matches!(self, Self::Name | Self::Word | Self::ClassReference | Self::Variable | Self::Number);
        is_word || self.is_keyword() || matches!(self, Self::True | Self::False)
    }

    /// Whether a `/` after this token divides; elsewhere it begins a regular expression.
    pub(crate) fn is_before_division(self) -> bool {
        matches!(
            self,
            Self::RightParenthesis
                | Self::RightBracket
                | Self::ExportedCollectEnd
                | Self::CollectEnd
                | Self::Name
                | Self::ClassReference
                | Self::Number
                | Self::SingleQuoted
                | Self::DoubleQuoted
                | Self::HeredocText
                | Self::True
                | Self::False
                | Self::StringStart
                | Self::StringMiddle
                | Self::StringEnd
                | Self::Heredoc
                | Self::Regexp
                | Self::Variable
                | Self::Word
        )
    }
}
