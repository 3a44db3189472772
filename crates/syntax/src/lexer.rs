//! Text to tokens.
//!
//! The lexer runs ahead of the parser over the whole text. Where the reference would stop with an error it leaves a
//! [`TokenKind::Error`] token, which the parser reports if it gets that far, and goes on.

mod character;
mod epp;
pub(crate) mod escape;
mod heredoc;
mod lexed;
mod quoted;
mod word;

use crate::grammar::Grammar;
use crate::issues;
use crate::regexp;
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::{Diagnostic, Issue, Source, Span};

pub(crate) use character::{are_word, find, is_word, spaces_length, word_end};
pub(crate) use lexed::{HeredocHeader, Lexed};
pub(crate) use word::{is_numeric_variable, is_variable_name};

/// How deeply strings may be nested in the interpolations of strings.
const MAX_STRING_DEPTH: u32 = 100;

/// Splits a source into tokens.
pub(crate) fn lex(source: &Source, grammar: Grammar) -> Lexed<'_> {
    lex_with(source, grammar, false)
}

/// The same for a source that is broken: a quoted string with code in its second line has lost its quote.
pub(crate) fn lex_broken(source: &Source, grammar: Grammar) -> Lexed<'_> {
    lex_with(source, grammar, true)
}

fn lex_with(source: &Source, grammar: Grammar, repairs: bool) -> Lexed<'_> {
    // Real code has a token in about twenty bytes, and a comment in about eighty; few files have them twice as often, and
    // those are short.
    let mut lexed = Lexed {
        source,
        tasks: grammar.tasks,
        repairs,
        lost_quote: None,
        has_open_string: false,
        tokens: Vec::with_capacity(source.text.len() / 8 + 32),
        comments: Vec::with_capacity(source.text.len() / 32),
        errors: Vec::new(),
        warnings: Vec::new(),
        heredocs: Vec::new(),
        rendered: Vec::new(),
        unindented: Vec::new(),
        has_odd_variables: false,
        has_backslashes: false,
    };
    Lexer::new(&source.text, 0, 0, &mut lexed).run(grammar.template);
    lexed
}

/// The result of a step: what went wrong, and from where lexing can go on.
type Step<T> = Result<T, Box<Failure>>;

struct Failure {
    diagnostic: Diagnostic,
    resume: usize,
}

/// What one step of the lexer produced. As wide as the address of a failure, so that both are returned in registers.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Produced {
    /// A comment, a blank beyond ASCII or the end of a template's code.
    Trivia,
    /// One token, which decides how to go on.
    Token,
    /// A heredoc or a string with interpolation.
    Several,
}

/// Where a template is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EppMode {
    /// This is not a template.
    Off,
    Text,
    /// Within `<% %>`
    Code,
    /// Within `<%= %>`
    Expr,
}

/// Reads one text: the source, or the text of a heredoc.
struct Lexer<'t, 'o, 's> {
    text: &'t str,
    bytes: &'t [u8],
    /// What to add to an index into the text to get an offset.
    base: u32,
    position: usize,
    out: &'o mut Lexed<'s>,
    /// The token that decides whether `/` divides and whether `{` belongs to a selector.
    after: TokenKind,
    /// Where the current line begins, as far as tokens are concerned.
    line_start: usize,
    /// Where the text of the heredocs of the current line ends.
    newline_jump: Option<usize>,
    brace_count: u32,
    depth: u32,
    epp: EppMode,
    /// From here on there is no `/` that could end a regular expression.
    no_regexp_from: usize,
}

impl<'t, 'o, 's> Lexer<'t, 'o, 's> {
    fn new(text: &'t str, base: u32, depth: u32, out: &'o mut Lexed<'s>) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            base,
            position: 0,
            out,
            after: TokenKind::EndOfInput,
            line_start: 0,
            newline_jump: None,
            brace_count: 0,
            depth,
            epp: EppMode::Off,
            no_regexp_from: usize::MAX,
        }
    }

    fn run(mut self, epp: bool) {
        if let Some(diagnostic) = self.check_start() {
            self.position = self.bytes.len();
            self.push_error(0, diagnostic);
        } else if epp {
            self.push(TokenKind::EppStart, 0, 0);
            self.attempt(Self::epp_text);
        }
        loop {
            self.skip_trivia();
            let Some(&first) = self.bytes.get(self.position) else { break };
            self.attempt(|lexer| lexer.step(first));
        }
        self.check_epp_closed();
        let end = self.bytes.len();
        self.push(TokenKind::EndOfInput, end, end);
    }

    /// Runs a step at the top level; if it fails, what it produced gives way to an error token.
    fn attempt(&mut self, step: impl Fn(&mut Self) -> Step<Produced>) {
        let tokens = self.out.tokens.len();
        let start = self.position;
        match step(self) {
            Ok(Produced::Trivia | Produced::Token) => {}
            Ok(Produced::Several) => {
                if let Some(last) = self.out.tokens.last() {
                    self.after = last.kind;
                }
            }
            Err(failure) => {
                self.out.tokens.truncate(tokens);
                self.out.heredocs.retain(|&(index, _)| index < tokens);
                self.out.rendered.retain(|&(index, _)| index < tokens);
                self.newline_jump = None;
                self.depth = 0;
                self.position = failure.resume.max(start + 1).min(self.bytes.len());
                while !self.text.is_char_boundary(self.position) {
                    self.position += 1;
                }
                self.push_error(start, failure.diagnostic);
                self.after = TokenKind::Error;
            }
        }
    }

    /// A source must not begin with a byte order mark, and its offsets must fit their type.
    fn check_start(&self) -> Option<Diagnostic> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Some(issues::source_too_large().in_file(self.out.source.id));
        }
        self.bytes
            .starts_with(b"\xEF\xBB\xBF")
            .then(|| bunraku_diagnostic::illegal_byte_order_mark("UTF-8", "[EF BB BF]").nowhere())
    }

    /// Reads one token behind what [`Self::skip_trivia`] skips; its first byte is given.
    #[inline(always)]
    fn step(&mut self, first: u8) -> Step<Produced> {
        use TokenKind as T;
        let (kind, length) = match first {
            b'a'..=b'z' | b'_' => return Ok(self.bare_word()),
            b'A'..=b'Z' => return self.class_reference(),
            b'0'..=b'9' => return self.number(),
            b'$' => return Ok(self.variable()),
            b'\'' => return self.quoted(Self::single_quoted),
            b'"' => return self.quoted(Self::double_quoted),
            b',' => (T::Comma, 1),
            b'=' => match self.byte(1) {
                b'>' => (T::FatArrow, 2),
                b'=' => (T::Equal, 2),
                b'~' => (T::Match, 2),
                _ => (T::Assign, 1),
            },
            b'.' => (T::Dot, 1),
            b';' => (T::Semicolon, 1),
            b'?' => (T::QuestionMark, 1),
            b'*' => (T::Times, 1),
            b'[' if self.follows_white_space() => (T::ListStart, 1),
            b'[' => (T::LeftBracket, 1),
            b']' => (T::RightBracket, 1),
            b'(' if self.is_first_on_line() => (T::LineStartParenthesis, 1),
            b'(' => (T::LeftParenthesis, 1),
            b')' => (T::RightParenthesis, 1),
            b'{' => {
                self.brace_count += 1;
                let selector = self.after == T::QuestionMark;
                (if selector { T::SelectorBrace } else { T::LeftBrace }, 1)
            }
            b'}' => {
                self.brace_count = self.brace_count.saturating_sub(1);
                (T::RightBrace, 1)
            }
            b':' if self.byte(1) == b':' => return self.qualified(),
            b':' => (T::Colon, 1),
            b'@' if self.byte(1) == b'(' => return self.heredoc(),
            b'/' if self.byte(1) == b'*' => return self.block_comment(),
            b'/' => return self.regexp_or_divide(),
            b'%' if self.epp != EppMode::Off && self.byte(1) == b'>' => return self.epp_end(T::EppEnd, 2),
            b'-' if self.epp != EppMode::Off && self.byte(1) == b'%' && self.byte(2) == b'>' => {
                return self.epp_end(T::EppEndTrim, 3);
            }
            _ => match operator(first, self.byte(1), self.byte(2)) {
                Some(found) => found,
                None => return Ok(self.other()),
            },
        };
        Ok(self.token(kind, self.position + length))
    }

    /// Skips blanks, line breaks and line comments; tells whether there were any.
    #[inline]
    fn skip_trivia(&mut self) -> bool {
        let mut at = self.position;
        // Between most tokens there is nothing, or a single space.
        if self.bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        while let Some(&byte) = self.bytes.get(at)
            && byte <= b'#'
        {
            match byte {
                b'\n' => {
                    at += 1;
                    if self.newline_jump.is_some() {
                        at = self.heredocs_end(at);
                    }
                    self.line_start = at;
                }
                b' ' => at += character::spaces_length(self.bytes.get(at..).unwrap_or_default()),
                b'#' => at = self.line_comment(at),
                _ if is_rare_blank(byte) => at += 1,
                _ => break,
            }
        }
        std::mem::replace(&mut self.position, at) < at
    }

    /// Where the text of the heredocs ends that begins at an index.
    #[cold]
    fn heredocs_end(&mut self, start: usize) -> usize {
        self.newline_jump.take().unwrap_or(start)
    }

    /// Keeps the comment that begins at an index; gives where it ends.
    #[inline(never)]
    fn line_comment(&mut self, start: usize) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.push_comment(start, end);
        end
    }

    fn block_comment(&mut self) -> Step<Produced> {
        let start = self.position;
        let rest = self.bytes.get(start + 2..).unwrap_or_default();
        let Some(length) = memchr::memmem::find(rest, b"*/") else {
            let span = self.span(start, start + 2);
            let diagnostic = issues::unclosed_comment().at(span).with_primary("never closed", span);
            return Err(fail(diagnostic, self.bytes.len()));
        };
        self.position = start + length + 4;
        self.push_comment(start, self.position);
        Ok(Produced::Trivia)
    }

    fn regexp_or_divide(&mut self) -> Step<Produced> {
        let start = self.position;
        if !self.after.is_before_division()
            && start < self.no_regexp_from
            && let Some(end) = self.regexp_end(start + 1)
        {
            let pattern = escape::decode_regexp(self.text.get(start + 1..end - 1).unwrap_or_default());
            if !regexp::is_plain(&pattern)
                && let Err(reason) = regexp::parse(&pattern)
            {
                // The reference names no place for it; the label does.
                let diagnostic = issues::bad_regexp(&reason, &pattern).in_file(self.out.source.id);
                let diagnostic = diagnostic
                    .with_headline(format!("this regular expression cannot be read: {reason}"))
                    .with_primary("", self.span(start, end));
                return Err(fail(diagnostic, end));
            }
            return Ok(self.token(TokenKind::Regexp, end));
        }
        Ok(self.token(TokenKind::Divide, start + 1))
    }

    /// The index after the `/` that ends the regular expression which begins at `from`.
    fn regexp_end(&mut self, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        for slash in memchr::memchr_iter(b'/', rest) {
            let before = rest.get(..slash)?;
            let backslashes = before.iter().rev().take_while(|&&byte| byte == b'\\').count();
            if backslashes.is_multiple_of(2) {
                return Some(from + slash + 1);
            }
        }
        self.no_regexp_from = from;
        None
    }

    /// A character that begins no token: a blank beyond ASCII is skipped, all else is for the parser to refuse.
    fn other(&mut self) -> Produced {
        let start = self.position;
        let Some(character) = self.text.get(start..).and_then(|rest| rest.chars().next()) else {
            self.position += 1;
            return Produced::Trivia;
        };
        let end = start + character.len_utf8();
        if is_blank(character) {
            self.position = end;
            return Produced::Trivia;
        }
        self.token(TokenKind::Other, end)
    }

    fn follows_white_space(&self) -> bool {
        match self.position.checked_sub(1).and_then(|before| self.bytes.get(before)) {
            None => true,
            Some(byte) if byte.is_ascii() => matches!(byte, b' ' | b'\t' | b'\r' | b'\n'),
            Some(_) => self.slice(0, self.position).chars().next_back().is_some_and(is_blank),
        }
    }

    fn is_first_on_line(&self) -> bool {
        let before = self.text.get(self.line_start..self.position).unwrap_or_default();
        match before.as_bytes().last() {
            None => true,
            Some(byte) if byte.is_ascii() && !matches!(byte, b' ' | b'\t' | b'\r') => false,
            Some(_) => before.chars().all(|character| character == '\r' || is_blank(character)),
        }
    }

    /// The byte so far ahead; zero beyond the end.
    #[inline]
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// The text between two indices.
    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Leaves behind the token that begins at the current position and ends at an index.
    #[inline]
    fn token(&mut self, kind: TokenKind, end: usize) -> Produced {
        self.push(kind, self.position, end);
        self.position = end;
        self.after = kind;
        Produced::Token
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.out.tokens.push(Token { kind, start: self.base + start as u32, end: self.base + end as u32 });
    }

    fn push_comment(&mut self, start: usize, end: usize) {
        let span = Span::new(self.out.source.id, self.base + start as u32, self.base + end as u32);
        self.out.comments.push(span);
    }

    fn push_error(&mut self, start: usize, diagnostic: Diagnostic) {
        self.out.errors.push((self.out.tokens.len(), diagnostic));
        self.push(TokenKind::Error, start, self.position);
    }

    /// The place in the source of a range of the text.
    fn span(&self, start: usize, end: usize) -> Span {
        self.out.span(Token { kind: TokenKind::Error, start: self.base + start as u32, end: self.base + end as u32 })
    }

    /// An error at a point of the text.
    fn error_at(&self, issue: Issue, at: usize) -> Diagnostic {
        issue.at(self.span(at, at))
    }
}

fn fail(diagnostic: Diagnostic, resume: usize) -> Box<Failure> {
    Box::new(Failure { diagnostic, resume })
}

/// The operator other than those with `=` first that the bytes begin with, and its length.
fn operator(first: u8, second: u8, third: u8) -> Option<(TokenKind, usize)> {
    use TokenKind as T;
    Some(match (first, second, third) {
        (b'+', b'=', _) => (T::Append, 2),
        (b'+', b'>', _) => (T::PlusArrow, 2),
        (b'+', ..) => (T::Plus, 1),
        (b'-', b'>', _) => (T::BeforeEdge, 2),
        (b'-', b'=', _) => (T::Delete, 2),
        (b'-', ..) => (T::Minus, 1),
        (b'!', b'=', _) => (T::NotEqual, 2),
        (b'!', b'~', _) => (T::NoMatch, 2),
        (b'!', ..) => (T::Not, 1),
        (b'~', b'>', _) => (T::NotifyEdge, 2),
        (b'~', ..) => (T::Tilde, 1),
        (b'<', b'<', b'|') => (T::ExportedCollectStart, 3),
        (b'<', b'<', _) => (T::LeftShift, 2),
        (b'<', b'=', _) => (T::LessOrEqual, 2),
        (b'<', b'|', _) => (T::CollectStart, 2),
        (b'<', b'-', _) => (T::AfterEdge, 2),
        (b'<', b'~', _) => (T::SubscribeEdge, 2),
        (b'<', ..) => (T::Less, 1),
        (b'>', b'>', _) => (T::RightShift, 2),
        (b'>', b'=', _) => (T::GreaterOrEqual, 2),
        (b'>', ..) => (T::Greater, 1),
        (b'|', b'>', b'>') => (T::ExportedCollectEnd, 3),
        (b'|', b'>', _) => (T::CollectEnd, 2),
        (b'|', ..) => (T::Pipe, 1),
        (b'@', b'@', _) => (T::AtAt, 2),
        (b'@', ..) => (T::At, 1),
        (b'%', ..) => (T::Modulo, 1),
        _ => return None,
    })
}

/// A tab or a carriage return. Kept apart, for three cases take comparisons, more of them a jump that is hard to predict.
#[inline(never)]
fn is_rare_blank(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\r')
}

/// A tab or a space of any width, but not a line break.
fn is_blank(character: char) -> bool {
    matches!(
        character,
        '\t' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}
