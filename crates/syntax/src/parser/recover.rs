//! What the reference shows of a token that cannot stand where it does, and where to go on after it.

use ecow::{EcoString, eco_format};

use super::{Failed, Parse, Parser};
use crate::ast::{Expr, ExprKind};
use crate::lexer::escape::{self, Escapes};
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::Span;

/// So many tokens are looked at to find out what is in braces.
const MAX_LOOK: usize = 5000;

impl Parser<'_, '_> {
    /// Compatibility: the tag of a rendered expression is located where the text before it begins.
    pub(super) fn reported_span(&self, token: Token) -> Span {
        if token.kind != TokenKind::RenderExpr {
            return self.span(token);
        }
        let previous = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        let text = previous.filter(|previous| previous.kind == TokenKind::RenderString);
        self.span(*text.unwrap_or(&token)).at_start()
    }

    /// What the reference shows of a token in an error.
    pub(super) fn describe(&self, token: Token) -> EcoString {
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
                _ if moved && self.is_before_statement() => return,
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
                TokenKind::LeftBrace if moved && self.opens_statements() => return,
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

    /// Skips to the bracket that closes the last one, or to what tells that nothing does.
    #[cold]
    pub(super) fn close_late(&mut self, kind: TokenKind, openers: usize) -> Token {
        let _ = self.unexpected::<()>();
        if self.kind() == TokenKind::LeftBrace && self.is_condition() {
            return self.nothing_here();
        }
        loop {
            self.skip_element(openers + 1);
            match self.kind() {
                found if found == kind => return self.bump(),
                TokenKind::Comma | TokenKind::Semicolon | TokenKind::Colon => {}
                _ => return self.nothing_here(),
            }
            self.bump();
            if self.is_before_statement() {
                return self.nothing_here();
            }
        }
    }

    /// An empty token behind the one before.
    pub(super) fn nothing_here(&self) -> Token {
        let end = self.position.checked_sub(1).and_then(|index| self.tokens.get(index)).map_or(0, |token| token.end);
        Token { kind: TokenKind::Error, start: end, end }
    }

    /// A hole behind the token before.
    pub(super) fn missing(&self) -> Expr {
        self.expr(ExprKind::Missing, self.nothing_here())
    }

    /// What was read, or a hole in its place; then the rest of the element of a list is skipped.
    #[inline]
    pub(super) fn or_missing(&mut self, read: impl FnOnce(&mut Self) -> Parse<Expr>) -> Expr {
        self.or_missing_until(read, is_separator)
    }

    /// What was read, or a hole in its place that reaches to where a token of some kind follows.
    #[inline]
    pub(super) fn or_missing_until(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parse<Expr>,
        is_end: fn(TokenKind) -> bool,
    ) -> Expr {
        let (depth, openers, namespace) = (self.depth, self.openers.len(), self.namespace.len());
        let start = self.token;
        read(self).unwrap_or_else(|Failed| {
            (self.depth, self.deepest) = (depth, depth);
            self.namespace.truncate(namespace);
            let from = self.position;
            self.skip_until(openers, is_end);
            let hole = self.missing();
            if self.position == from { hole } else { Expr { span: self.span(start).to(hole.span), ..hole } }
        })
    }

    /// Skips to the comma, semicolon or bracket after which a list with so many open brackets goes on.
    pub(super) fn skip_element(&mut self, openers: usize) {
        self.skip_until(openers, is_separator);
    }

    /// Skips to a token of some kind, or to a bracket, outside of the brackets that are opened on the way, but not beyond
    /// what looks like a statement.
    #[cold]
    pub(super) fn skip_until(&mut self, openers: usize, is_end: fn(TokenKind) -> bool) {
        let mut open: Vec<TokenKind> = self.openers.drain(openers..).map(|opener| opener.kind).collect();
        loop {
            match self.kind() {
                TokenKind::EndOfInput => return,
                kind if open.is_empty() && is_end(kind) => return,
                kind if is_closer(kind) => match open.iter().rposition(|&opener| !is_other_closer(opener, kind)) {
                    Some(opener) => open.truncate(opener),
                    None if self.closes_something() => return,
                    None => {}
                },
                TokenKind::LeftBrace if self.opens_statements() => return,
                kind if is_opener(kind) => open.push(kind),
                TokenKind::StringMiddle | TokenKind::StringEnd if open.is_empty() => return,
                _ if self.is_before_statement() => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether the current token closes one of the open brackets.
    fn closes_something(&self) -> bool {
        self.openers.iter().any(|opener| !is_other_closer(opener.kind, self.kind()))
    }

    /// Whether a resource begins with the name before the current brace.
    pub(super) fn opens_resource(&self) -> bool {
        let before = self.position.checked_sub(1);
        self.kind() == TokenKind::LeftBrace && before.is_some_and(|before| self.is_statement(before))
    }

    /// Whether a title and its colon follow the current brace.
    pub(super) fn opens_titled(&self) -> bool {
        let is_title = |token: &&Token| {
            token.kind.is_operand()
                || matches!(
                    token.kind,
                    TokenKind::StringStart
                        | TokenKind::StringMiddle
                        | TokenKind::StringEnd
                        | TokenKind::ListStart
                        | TokenKind::LeftBracket
                        | TokenKind::RightBracket
                        | TokenKind::Comma
                )
        };
        let mut inside = self.tokens.iter().skip(self.position + 1).take(MAX_LOOK);
        inside.find(|token| !is_title(token)).is_some_and(|token| token.kind == TokenKind::Colon)
    }

    /// Goes back to the name before the current brace if a resource begins with them.
    pub(super) fn return_to_resource(&mut self) -> bool {
        let before = self.position.saturating_sub(1);
        match self.tokens.get(before) {
            Some(&name) if self.opens_resource() => {
                (self.position, self.token) = (before, name);
                self.last_error = Some(before);
                true
            }
            _ => false,
        }
    }

    /// Whether what is being read decides between branches, so that a brace may be that of the first branch.
    pub(super) fn is_condition(&self) -> bool {
        let inside = self.condition.and_then(|condition| self.openers.get(condition..));
        inside.is_some_and(|openers| openers.iter().all(|opener| !is_brace(opener.kind)))
    }

    /// Whether the current token is the first of its line and begins what can only be a statement.
    pub(super) fn is_before_statement(&self) -> bool {
        self.is_statement(self.position) && self.may_follow_statement()
    }

    /// Whether a statement may begin at the current token, by what stands before it.
    fn may_follow_statement(&self) -> bool {
        let previous = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        let is_separated = previous.is_none_or(|previous| {
            matches!(
                previous.kind,
                TokenKind::LeftBrace
                    | TokenKind::RightBrace
                    | TokenKind::Semicolon
                    | TokenKind::BeforeEdge
                    | TokenKind::NotifyEdge
                    | TokenKind::AfterEdge
                    | TokenKind::SubscribeEdge
                    | TokenKind::Assign
            )
        });
        is_separated || self.is_first_of_line()
    }

    /// Whether there are statements directly in the braces that open at an index.
    pub(super) fn holds_statements(&self, open: usize) -> bool {
        let mut depth = 0_u32;
        for (index, token) in self.tokens.iter().enumerate().skip(open).take(MAX_LOOK) {
            if depth == 1 && self.is_statement(index) {
                return true;
            }
            match token.kind {
                kind if is_opener(kind) => depth += 1,
                kind if is_closer(kind) && depth <= 1 => return false,
                kind if is_closer(kind) => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Whether the current token is a brace with statements in it.
    pub(super) fn opens_statements(&self) -> bool {
        self.kind() == TokenKind::LeftBrace && self.is_statement(self.position + 1)
    }

    /// Whether the tokens from an index on are the start of a statement, and of nothing else.
    fn is_statement(&self, index: usize) -> bool {
        let kind_at = |index: usize| self.tokens.get(index).map_or(TokenKind::EndOfInput, |token| token.kind);
        let is_arrow = |index: usize| matches!(kind_at(index), TokenKind::FatArrow | TokenKind::PlusArrow);
        if is_arrow(index + 1) {
            return false;
        }
        match kind_at(index) {
            TokenKind::Name if kind_at(index + 1) == TokenKind::LeftBrace => !is_arrow(index + 3),
            TokenKind::Name => kind_at(index + 1) == TokenKind::Name,
            // Among parameters, this is the next of them.
            TokenKind::Variable => kind_at(index + 1) == TokenKind::Assign && !self.is_in_parameters,
            TokenKind::ClassReference => {
                matches!(kind_at(index + 1), TokenKind::LeftBrace | TokenKind::CollectStart)
            }
            kind => matches!(
                kind,
                TokenKind::Class
                    | TokenKind::Define
                    | TokenKind::Node
                    | TokenKind::If
                    | TokenKind::Unless
                    | TokenKind::Case
                    | TokenKind::At
                    | TokenKind::AtAt
            ),
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
    pub(super) fn may_begin_statement(&self) -> bool {
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
        is_statement && self.is_first_of_line()
    }

    pub(super) fn is_first_of_line(&self) -> bool {
        let previous = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        let between = previous
            .map_or("\n", |previous| self.text(Token { start: previous.end, end: self.token.start, ..self.token }));
        between.contains('\n')
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

/// Whether a token stands between the elements of lists.
fn is_separator(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Comma | TokenKind::Semicolon)
}

pub(super) fn is_opener(kind: TokenKind) -> bool {
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

pub(super) fn is_brace(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LeftBrace | TokenKind::SelectorBrace)
}

pub(super) fn is_closer(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RightBrace | TokenKind::RightBracket | TokenKind::RightParenthesis)
}

/// Whether a token closes a bracket, but not one that is opened like this.
pub(super) fn is_other_closer(opener: TokenKind, closer: TokenKind) -> bool {
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
