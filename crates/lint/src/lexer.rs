//! Text to tokens, as puppet-lint cuts it: the checks are rules about these tokens, so what counts as one is part of
//! their specification. Where puppet-lint misreads valid code (the end tag of a heredoc before blanks, a byte order
//! mark), this reads it right.

mod quoted;

use std::collections::VecDeque;

use crate::token::{Kind, Tokens};

/// The source cannot be cut into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LexError {
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Whether a string has no end.
    pub(crate) unterminated: bool,
}

/// How deep interpolations may be nested.
const MAX_DEPTH: u32 = 100;

/// Cuts a text into tokens.
pub(crate) fn lex(text: &str) -> Result<Tokens<'_>, LexError> {
    let mut lexer = Lexer { text, tokens: Tokens::new(text), line: 1, column: 1, heredocs: VecDeque::new(), depth: 0 };
    // A byte order mark says nothing, as in Puppet.
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    lexer.run(start, text.len())?;
    Ok(lexer.tokens)
}

struct Lexer<'s> {
    text: &'s str,
    tokens: Tokens<'s>,
    /// Where the next token begins.
    line: u32,
    column: u32,
    /// The tags of the heredocs whose text begins on the next line.
    heredocs: VecDeque<&'s str>,
    /// How many interpolations are around.
    depth: u32,
}

type Lexing<T> = Result<T, LexError>;

impl<'s> Lexer<'s> {
    /// Cuts a range of the text. Inside an interpolation, that is the range between the braces.
    fn run(&mut self, start: usize, end: usize) -> Lexing<()> {
        let mut at = start;
        // The last code token of this range, after which a slash may begin a regular expression.
        let mut last = None;
        let is_interpolation = self.depth > 0;
        while at < end {
            let first = self.tokens.len();
            at = self.token(at, end, last)?;
            if is_interpolation && last.is_none() && first == self.tokens.len().saturating_sub(1) && at > start {
                self.name_as_variable(first, start);
            }
            let code = self.tokens.between(first, usize::MAX).rev().find(|token| !token.kind.is_formatting());
            last = code.map(|token| token.kind).or(last);
        }
        Ok(())
    }

    /// The first word in `${…}` is the name of a variable, be it a keyword.
    fn name_as_variable(&mut self, index: usize, start: usize) {
        let Some(token) = self.tokens.get(index).filter(|token| token.start as usize == start) else { return };
        if token.kind == Kind::Name || keyword(token.value()).is_some_and(|kind| kind == token.kind) {
            self.tokens.rename(index, Kind::Variable);
        }
    }

    fn token(&mut self, at: usize, end: usize, last: Option<Kind>) -> Lexing<usize> {
        let rest = self.text.get(at..end).unwrap_or_default();
        if let Some((kind, length)) = simple(rest) {
            return Ok(self.plain(kind, at, at + length));
        }
        match rest.bytes().next() {
            Some(b'$') => {
                let name = rest.get(1..).map_or(0, variable);
                if name == 0 {
                    return Err(self.error(false));
                }
                Ok(self.push(Kind::Variable, (at, at + 1 + name), (at + 1, at + 1 + name)))
            }
            Some(b'\'') => match rest.get(1..).and_then(|rest| delimited(rest, b'\'')) {
                Some(length) => Ok(self.push(Kind::SString, (at, at + length + 2), (at + 1, at + 1 + length))),
                None => Err(self.error(false)),
            },
            Some(b'"') => self.double_quoted(at, end),
            Some(b'#') => {
                let length = line_length(rest);
                Ok(self.push(Kind::Comment, (at, at + length), (at + 1, at + length)))
            }
            Some(b'/') => Ok(self.slash(at, rest, last)),
            Some(b'\n' | b'\r') => self.line_break(at, end),
            Some(b'@') => match heredoc_tag(rest) {
                Some(tag) => {
                    self.heredocs.push_back(tag);
                    let length = tag.len() + 3;
                    Ok(self.push(Kind::HeredocOpen, (at, at + length), (at + 2, at + length - 1)))
                }
                None => Ok(self.plain(Kind::At, at, at + 1)),
            },
            _ => Err(self.error(false)),
        }
    }

    /// A comment, a regular expression, or a division.
    fn slash(&mut self, at: usize, rest: &str, last: Option<Kind>) -> usize {
        if rest.starts_with("//") {
            let length = line_length(rest);
            return self.push(Kind::SlashComment, (at, at + length), (at + 2, at + length));
        }
        if let Some(inside) = rest.strip_prefix("/*")
            && let Some(length) = inside.find("*/")
        {
            return self.push(Kind::StarComment, (at, at + length + 4), (at + 2, at + length + 2));
        }
        if last.is_none_or(before_regex)
            && let Some(length) = rest.get(1..).and_then(|rest| delimited(rest, b'/'))
        {
            return self.push(Kind::Regex, (at, at + length + 2), (at + 1, at + length + 1));
        }
        self.plain(Kind::Div, at, at + 1)
    }

    /// A line break, then the text of a heredoc that was announced, or the indentation of the next line.
    fn line_break(&mut self, at: usize, end: usize) -> Lexing<usize> {
        let rest = self.text.get(at..end).unwrap_or_default();
        let at = self.plain(Kind::Newline, at, at + break_length(rest));
        if let Some(tag) = self.heredocs.pop_front() {
            return self.heredoc(at, end, tag);
        }
        let indent = spaces(self.text.get(at..end).unwrap_or_default());
        Ok(if indent > 0 { self.plain(Kind::Indent, at, at + indent) } else { at })
    }

    /// A token that is all it says.
    fn plain(&mut self, kind: Kind, start: usize, end: usize) -> usize {
        self.push(kind, (start, end), (start, end))
    }

    /// Appends a token and moves behind it.
    fn push(&mut self, kind: Kind, range: (usize, usize), value: (usize, usize)) -> usize {
        self.tokens.push(kind, range, value, (self.line, self.column));
        let text = self.text.get(range.0..range.1).unwrap_or_default().as_bytes();
        let mut previous = 0;
        for &byte in text {
            match byte {
                b'\n' if previous == b'\r' => {}
                b'\n' | b'\r' => {
                    self.line += 1;
                    self.column = 1;
                }
                // Every byte that does not continue a character begins one.
                byte if byte & 0xC0 != 0x80 => self.column += 1,
                _ => {}
            }
            previous = byte;
        }
        range.1
    }

    fn error(&self, unterminated: bool) -> LexError {
        LexError { line: self.line, column: self.column, unterminated }
    }
}

/// Tokens that their first characters decide: white space, words, numbers, operators. The kind and the length.
fn simple(rest: &str) -> Option<(Kind, usize)> {
    let bytes = rest.as_bytes();
    match *bytes.first()? {
        b' ' | b'\t' | 0x0B | 0x0C => Some((Kind::Whitespace, spaces(rest))),
        byte if byte >= 0x80 => match spaces(rest) {
            0 => None,
            length => Some((Kind::Whitespace, length)),
        },
        b'A'..=b'Z' => Some(capitalised(rest)),
        b'0'..=b'9' => Some(match number(rest) {
            Some(length) => (Kind::Number, length),
            None => word(rest),
        }),
        b'a'..=b'z' | b'_' => Some(word(rest)),
        b':' if rest.starts_with("::") => match bytes.get(2) {
            Some(b'A'..=b'Z') => Some((Kind::ClassRef, class_reference(rest))),
            Some(b'a'..=b'z' | b'_' | b'0'..=b'9') => Some(word(rest)),
            _ => Some((Kind::Colon, 1)),
        },
        _ => operator(bytes),
    }
}

fn operator(bytes: &[u8]) -> Option<(Kind, usize)> {
    let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
    Some(match (at(0), at(1), at(2)) {
        (b'[', ..) => (Kind::LBrack, 1),
        (b']', ..) => (Kind::RBrack, 1),
        (b'{', ..) => (Kind::LBrace, 1),
        (b'}', ..) => (Kind::RBrace, 1),
        (b'(', ..) => (Kind::LParen, 1),
        (b')', ..) => (Kind::RParen, 1),
        (b'=', b'=', _) => (Kind::IsEqual, 2),
        (b'=', b'~', _) => (Kind::Match, 2),
        (b'=', b'>', _) => (Kind::FArrow, 2),
        (b'=', ..) => (Kind::Equals, 1),
        (b'+', b'=', _) => (Kind::Appends, 2),
        (b'+', b'>', _) => (Kind::PArrow, 2),
        (b'+', ..) => (Kind::Plus, 1),
        (b'>', b'=', _) => (Kind::GreaterEqual, 2),
        (b'>', b'>', _) => (Kind::RShift, 2),
        (b'>', ..) => (Kind::GreaterThan, 1),
        (b'<', b'=', _) => (Kind::LessEqual, 2),
        (b'<', b'<', b'|') => (Kind::LLCollect, 3),
        (b'<', b'-', _) => (Kind::OutEdge, 2),
        (b'<', b'~', _) => (Kind::OutEdgeSub, 2),
        (b'<', b'|', _) => (Kind::LCollect, 2),
        (b'<', b'<', _) => (Kind::LShift, 2),
        (b'<', ..) => (Kind::LessThan, 1),
        (b'!', b'~', _) => (Kind::NoMatch, 2),
        (b'!', b'=', _) => (Kind::NotEqual, 2),
        (b'!', ..) => (Kind::Not, 1),
        (b'|', b'>', b'>') => (Kind::RRCollect, 3),
        (b'|', b'>', _) => (Kind::RCollect, 2),
        (b'|', ..) => (Kind::Pipe, 1),
        (b'-', b'>', _) => (Kind::InEdge, 2),
        (b'~', b'>', _) => (Kind::InEdgeSub, 2),
        (b'-', ..) => (Kind::Minus, 1),
        (b',', ..) => (Kind::Comma, 1),
        (b'.', ..) => (Kind::Dot, 1),
        (b':', ..) => (Kind::Colon, 1),
        (b';', ..) => (Kind::Semicolon, 1),
        (b'?', ..) => (Kind::QuestionMark, 1),
        (b'\\', ..) => (Kind::Backslash, 1),
        (b'*', ..) => (Kind::Times, 1),
        (b'%', ..) => (Kind::Modulo, 1),
        _ => return None,
    })
}

/// A name of a data type, or another capitalised name.
fn capitalised(rest: &str) -> (Kind, usize) {
    let letters = rest.bytes().take_while(|&byte| is_word(byte)).count();
    match rest.get(..letters) {
        Some(name) if DATA_TYPES.binary_search(&name).is_ok() => (Kind::Type, letters),
        _ => (Kind::ClassRef, class_reference(rest)),
    }
}

/// The built-in data types that are not resource types.
const DATA_TYPES: [&str; 36] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Tuple",
    "Type",
    "Undef",
    "Variant",
];

/// `Foo::Bar`, `::Foo`: segments that begin with a capital.
fn class_reference(rest: &str) -> usize {
    let mut length = 0;
    loop {
        let segment = rest.get(length..).unwrap_or_default();
        let bare = segment.strip_prefix("::").unwrap_or(segment);
        if !bare.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return length;
        }
        length += segment.len() - bare.len() + dashed_word(bare);
    }
}

/// A name, a keyword, or the name of a function that is called.
fn word(rest: &str) -> (Kind, usize) {
    let first = if rest.starts_with("::") { 2 } else { 0 };
    let mut length = first + dashed_word(rest.get(first..).unwrap_or_default());
    while let Some(segment) = rest.get(length..).and_then(|rest| rest.strip_prefix("::"))
        && segment.starts_with(|letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    {
        length += 2 + dashed_word(segment);
    }
    let (name, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
    let kind = if after.starts_with('(') { Kind::FunctionName } else { keyword(name).unwrap_or(Kind::Name) };
    (kind, length)
}

fn keyword(name: &str) -> Option<Kind> {
    Some(match name {
        "case" => Kind::Case,
        "class" => Kind::Class,
        "default" => Kind::Default,
        "define" => Kind::Define,
        "import" => Kind::Import,
        "if" => Kind::If,
        "elsif" => Kind::Elsif,
        "else" => Kind::Else,
        "inherits" => Kind::Inherits,
        "node" => Kind::Node,
        "and" => Kind::And,
        "or" => Kind::Or,
        "undef" => Kind::Undef,
        "false" => Kind::False,
        "true" => Kind::True,
        "in" => Kind::In,
        "unless" => Kind::Unless,
        "function" => Kind::Function,
        "type" => Kind::Type,
        "attr" => Kind::Attr,
        "private" => Kind::Private,
        _ => return None,
    })
}

/// The length of a number that is a word of its own.
fn number(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let ends = |length: usize| (!bytes.get(length).is_some_and(|&byte| is_word(byte))).then_some(length);
    if bytes.first() == Some(&b'0') && matches!(bytes.get(1), Some(b'x' | b'X')) {
        let hex = bytes.iter().skip(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
        return if hex > 0 { ends(2 + hex) } else { None };
    }
    let whole = digits(0);
    let fraction = if bytes.get(whole) == Some(&b'.') { digits(whole + 1) } else { 0 };
    let mantissa = if fraction > 0 { whole + 1 + fraction } else { whole };
    // The longest reading that ends with the word.
    [mantissa, whole].iter().find_map(|&length| {
        if !matches!(bytes.get(length), Some(b'e' | b'E')) {
            return ends(length);
        }
        let sign = usize::from(bytes.get(length + 1) == Some(&b'-'));
        let power = digits(length + 1 + sign);
        if power > 0 { ends(length + 1 + sign + power) } else { None }
    })
}

/// The length of a variable's name after its `$`, access brackets included; nothing if there is none.
fn variable(rest: &str) -> usize {
    let mut length = variable_name(rest);
    while length > 0
        && let Some(inside) = rest.get(length..).and_then(|rest| rest.strip_prefix('['))
        && let Some(close) = inside.get(..line_length(inside)).and_then(access_end)
    {
        length += 1 + close + 1;
    }
    length
}

/// Where the bracket after at least one character is.
fn access_end(inside: &str) -> Option<usize> {
    let first = inside.chars().next()?.len_utf8();
    Some(first + inside.get(first..)?.find(']')?)
}

/// The length of `::a::b-c`, the name of a variable; nothing if there is none.
fn variable_name(rest: &str) -> usize {
    let mut length = if rest.starts_with("::") { 2 } else { 0 };
    let mut name = 0;
    loop {
        let segment = dash_separated(rest.get(length..).unwrap_or_default());
        if segment == 0 {
            return name;
        }
        name = length + segment;
        if !rest.get(name..).is_some_and(|rest| rest.starts_with("::")) {
            return name;
        }
        length = name + 2;
    }
}

/// Words with single dashes between them.
fn dash_separated(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let word_at = |from: usize| bytes.iter().skip(from).take_while(|&&byte| is_word(byte)).count();
    let mut length = word_at(0);
    while length > 0 && bytes.get(length) == Some(&b'-') {
        let more = word_at(length + 1);
        if more == 0 {
            break;
        }
        length += 1 + more;
    }
    length
}

/// Letters, digits, underscores and dashes.
fn dashed_word(rest: &str) -> usize {
    rest.bytes().take_while(|&byte| is_word(byte) || byte == b'-').count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the white space at the start, line breaks not included.
fn spaces(rest: &str) -> usize {
    let is_space = |letter: char| matches!(letter, '\t' | '\u{b}' | '\u{c}' | ' ') || is_space_separator(letter);
    rest.find(|letter| !is_space(letter)).unwrap_or(rest.len())
}

/// Unicode's category of spaces.
fn is_space_separator(letter: char) -> bool {
    matches!(letter, '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// The length of the line break at the start.
fn break_length(rest: &str) -> usize {
    if rest.starts_with("\r\n") { 2 } else { 1 }
}

/// The length of what comes before the next line break.
fn line_length(rest: &str) -> usize {
    memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len())
}

/// The length of what comes before a delimiter that no odd number of backslashes precedes.
fn delimited(rest: &str, delimiter: u8) -> Option<usize> {
    let mut escaped = false;
    rest.bytes().position(|byte| {
        let ends = byte == delimiter && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

/// What stands between the parentheses of `@(…)`.
fn heredoc_tag(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix("@(")?;
    let line = inside.get(..memchr::memchr(b'\n', inside.as_bytes()).unwrap_or(inside.len()))?;
    let first = line.chars().next()?.len_utf8();
    let close = first + line.get(first..)?.find(')')?;
    line.get(..close)
}

/// Whether a slash after this begins a regular expression.
fn before_regex(last: Kind) -> bool {
    matches!(
        last,
        Kind::Node
            | Kind::LBrace
            | Kind::RBrace
            | Kind::Match
            | Kind::NoMatch
            | Kind::Comma
            | Kind::LBrack
            | Kind::If
            | Kind::Elsif
            | Kind::LParen
            | Kind::Equals
    )
}
