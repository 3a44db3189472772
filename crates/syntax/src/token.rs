//! The words and signs of the language, as the lexer hands them to the parser.

/// What a token is.
///
/// Some signs have two kinds, for the reference tells them apart by what stands before them: `[` after white space
/// can only begin an array, `(` at the start of a line can only group, `{` after `?` holds the choices of a selector.
///
/// Kinds that the parser asks for together stand together: whether a token is one of them takes a single comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum TokenKind {
    // Signs that begin an operand, or a statement.
    ListStart,
    LeftBrace,
    LineStartParenthesis,
    Not,
    At,
    AtAt,
    // Signs that attach something to an operand.
    LeftBracket,
    LeftParenthesis,
    Dot,
    CollectStart,
    ExportedCollectStart,
    // Signs between statements and within definitions.
    SelectorBrace,
    Pipe,
    Tilde,
    CollectEnd,
    ExportedCollectEnd,
    PlusArrow,
    Assign,
    Append,
    Delete,
    BeforeEdge,
    NotifyEdge,
    AfterEdge,
    SubscribeEdge,
    // Operators between operands; the last of them are keywords.
    QuestionMark,
    Plus,
    Minus,
    Divide,
    Times,
    Modulo,
    LeftShift,
    RightShift,
    Equal,
    NotEqual,
    Match,
    NoMatch,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
    Less,
    In,
    And,
    Or,
    // Other keywords; the last of them are operands.
    /// `apply`, a keyword in the language of plans only.
    Apply,
    Attr,
    Case,
    Class,
    Define,
    Else,
    Elsif,
    Function,
    If,
    Inherits,
    Node,
    /// `plan`, a keyword in the language of plans only.
    Plan,
    Private,
    Type,
    Unless,
    Default,
    Undef,
    // Other operands.
    False,
    True,
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
    SingleQuoted,
    /// A double-quoted string without interpolation.
    DoubleQuoted,
    // What makes an operand together with what follows it.
    /// From the opening quote up to the first interpolation.
    StringStart,
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
    // What an expression ends before.
    Comma,
    Semicolon,
    Colon,
    FatArrow,
    RightBracket,
    RightBrace,
    RightParenthesis,
    /// Between two interpolations.
    StringMiddle,
    /// From the last interpolation through the closing quote.
    StringEnd,
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
    #[inline]
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

    /// The keyword spelled like this that only the language of plans has, if it is one.
    pub(crate) fn task_keyword(word: &[u8]) -> Option<Self> {
        match word {
            b"apply" => Some(Self::Apply),
            b"plan" => Some(Self::Plan),
            _ => None,
        }
    }

    /// Whether it is a keyword other than `true` and `false`; all of these can name an attribute.
    pub fn is_keyword(self) -> bool {
        matches!(
            self,
            Self::And
                | Self::Apply
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
                | Self::Plan
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

    /// Whether it is an operator between two operands.
    pub(crate) fn is_infix(self) -> bool {
        matches!(
            self,
            Self::QuestionMark
                | Self::Plus
                | Self::Minus
                | Self::Divide
                | Self::Times
                | Self::Modulo
                | Self::LeftShift
                | Self::RightShift
                | Self::Equal
                | Self::NotEqual
                | Self::Match
                | Self::NoMatch
                | Self::GreaterOrEqual
                | Self::Greater
                | Self::LessOrEqual
                | Self::Less
                | Self::In
                | Self::And
                | Self::Or
        )
    }

    /// Whether it attaches something to the operand before it.
    pub(crate) fn is_attached(self) -> bool {
        matches!(
            self,
            Self::LeftBracket | Self::LeftParenthesis | Self::Dot | Self::CollectStart | Self::ExportedCollectStart
        )
    }

    /// Whether it joins what stands before it with what follows to a statement.
    pub(crate) fn joins_statement(self) -> bool {
        matches!(
            self,
            Self::Assign
                | Self::Append
                | Self::Delete
                | Self::BeforeEdge
                | Self::NotifyEdge
                | Self::AfterEdge
                | Self::SubscribeEdge
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
