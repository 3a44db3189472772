//! What to say about a token that cannot stand where it does, and where to go on after it.

use ecow::{EcoString, eco_format};

use super::Parser;
use crate::issues;
use crate::lexer::escape::{self, Escapes};
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::Diagnostic;
use bunraku_diagnostic::Span;

impl Parser<'_, '_> {
    /// The error about the current token, with a note about the bracket that is still open.
    pub(super) fn unexpected_token(&self) -> Diagnostic {
        if self.kind() == TokenKind::Error
            && let Ok(found) = self.lexed.errors.binary_search_by_key(&self.position, |error| error.0)
            && let Some((_, diagnostic)) = self.lexed.errors.get(found)
        {
            return diagnostic.clone();
        }
        let is_end = self.kind() == TokenKind::EndOfInput;
        let diagnostic = if is_end {
            issues::unexpected_end().in_file(self.file)
        } else {
            issues::syntax_error(&self.describe(self.token)).at(self.reported_span(self.token))
        };
        match self.openers.last() {
            Some(&opener) if is_end || is_other_closer(opener.kind, self.kind()) => {
                let note = eco_format!("this '{}' is not closed", self.text(opener));
                diagnostic.with_note(note, self.span(opener))
            }
            _ => diagnostic,
        }
    }

    /// Compatibility: the tag of a rendered expression is located where the text before it begins.
    fn reported_span(&self, token: Token) -> Span {
        if token.kind != TokenKind::RenderExpr {
            return self.span(token);
        }
        let previous = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        let text = previous.filter(|previous| previous.kind == TokenKind::RenderString);
        self.span(*text.unwrap_or(&token)).at_start()
    }

    /// What the reference shows of a token in an error.
    fn describe(&self, token: Token) -> EcoString {
        let text = self.text(token);
        match token.kind {
            TokenKind::SingleQuoted => escape::decode_single_quoted(unquote(text)),
            TokenKind::DoubleQuoted | TokenKind::StringMiddle | TokenKind::StringStart | TokenKind::StringEnd => {
                let begins = matches!(token.kind, TokenKind::DoubleQuoted | TokenKind::StringStart);
                let ends = matches!(token.kind, TokenKind::DoubleQuoted | TokenKind::StringEnd);
                let text = text.strip_prefix('"').filter(|_| begins).unwrap_or(text);
                let text = text.strip_suffix('"').filter(|_| ends).unwrap_or(text);
                Escapes::DOUBLE_QUOTED.decode(text).text
            }
            TokenKind::Variable => text.trim_start_matches('$').into(),
            TokenKind::Regexp => eco_format!("(?-mix:{})", unquote(text)),
            TokenKind::Heredoc => {
                self.heredoc_header(self.position).map_or_else(EcoString::new, |header| header.syntax.clone())
            }
            TokenKind::RenderString => self.rendered(self.position),
            TokenKind::Other | TokenKind::RenderExpr | TokenKind::EppStart => EcoString::new(),
            _ => text.into(),
        }
    }

    /// Skips to where a statement may begin, after an error in a statement that began with so many open brackets.
    pub(super) fn recover(&mut self, openers: usize) {
        let is_enclosed = openers > 0;
        let mut open: Vec<TokenKind> = self.openers.drain(openers..).map(|opener| opener.kind).collect();
        let mut moved = false;
        loop {
            match self.kind() {
                TokenKind::EndOfInput => return,
                TokenKind::RightBrace => {
                    // A closing brace also ends what was not closed within its braces.
                    match open.iter().rposition(|&kind| is_brace(kind)) {
                        Some(brace) => open.truncate(brace),
                        None if is_enclosed => return,
                        None => {}
                    }
                    if !open.iter().any(|&kind| is_brace(kind)) {
                        open.clear();
                    }
                }
                _ if open.is_empty() && moved && self.may_begin_statement() => return,
                kind if is_opener(kind) => open.push(kind),
                kind if is_closer(kind) => {
                    open.pop_if(|opener| !is_brace(*opener));
                }
                _ => {}
            }
            self.bump();
            moved = true;
        }
    }

    /// Skips broken parameters: to the parenthesis after which a definition goes on. Tells whether there is one.
    pub(super) fn recover_parameters(&mut self, openers: usize) -> bool {
        self.openers.truncate(openers);
        let limit = self.tokens.len();
        for index in self.position..limit {
            let kind_at = |index: usize| self.tokens.get(index).map(|token| token.kind);
            let goes_on =
                matches!(kind_at(index + 1), Some(TokenKind::LeftBrace | TokenKind::Inherits | TokenKind::RightShift));
            match kind_at(index) {
                Some(TokenKind::RightParenthesis) if goes_on => {
                    while self.position <= index {
                        self.bump();
                    }
                    return true;
                }
                Some(TokenKind::LeftBrace) if kind_at(index.wrapping_sub(1)) != Some(TokenKind::Assign) => {
                    return false;
                }
                Some(TokenKind::Class | TokenKind::Define | TokenKind::Node | TokenKind::EndOfInput) | None => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether the current token is the first of its line and looks like the start of a statement.
    fn may_begin_statement(&self) -> bool {
        let previous = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        let between = previous
            .map_or("\n", |previous| self.text(Token { start: previous.end, end: self.token.start, ..self.token }));
        let is_statement = match self.kind() {
            TokenKind::Name => {
                matches!(self.next_kind(), TokenKind::LeftBrace | TokenKind::LeftParenthesis | TokenKind::Name)
            }
            TokenKind::Variable => self.next_kind() == TokenKind::Assign,
            TokenKind::ClassReference => {
                matches!(self.next_kind(), TokenKind::LeftBrace | TokenKind::LeftBracket | TokenKind::CollectStart)
            }
            kind => matches!(
                kind,
                TokenKind::Class
                    | TokenKind::Define
                    | TokenKind::Node
                    | TokenKind::Function
                    | TokenKind::Type
                    | TokenKind::If
                    | TokenKind::Unless
                    | TokenKind::Case
                    | TokenKind::At
                    | TokenKind::AtAt
            ),
        };
        is_statement && between.contains('\n')
    }

    /// Stops reading: nothing that follows could be trusted.
    pub(super) fn give_up(&mut self) {
        self.position = self.tokens.len().saturating_sub(1);
        if let Some(&last) = self.tokens.last() {
            self.token = last;
        }
        self.last_error = Some(self.position);
    }
}

fn is_opener(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::LeftBrace
            | TokenKind::SelectorBrace
            | TokenKind::LeftBracket
            | TokenKind::ListStart
            | TokenKind::LeftParenthesis
            | TokenKind::LineStartParenthesis
    )
}

fn is_brace(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LeftBrace | TokenKind::SelectorBrace)
}

fn is_closer(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RightBrace | TokenKind::RightBracket | TokenKind::RightParenthesis)
}

/// Whether a token closes a bracket, but not one that is opened like this.
fn is_other_closer(opener: TokenKind, closer: TokenKind) -> bool {
    let own = match opener {
        kind if is_brace(kind) => TokenKind::RightBrace,
        TokenKind::LeftBracket | TokenKind::ListStart => TokenKind::RightBracket,
        _ => TokenKind::RightParenthesis,
    };
    is_closer(closer) && closer != own
}

/// A text without its first and last character.
fn unquote(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
}
