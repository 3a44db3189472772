//! Sequences of statements, and calls without parentheses.

use ecow::EcoString;

use super::list::{begin, finish};
use super::{Failed, Parse, Parser};
use crate::ast::{Call, Expr, ExprKind};
use crate::issues;
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::Span;

/// The functions that can be called without parentheses.
const STATEMENT_CALLS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail", "import",
    "break", "next", "return",
];

/// So often are braces read again because statements are in them.
const MAX_RETURNS: u32 = 200;

/// Comma lists after something that is not one of the functions above: its name, and the comma.
type Misplaced = Vec<(Option<EcoString>, Span)>;

impl Parser<'_, '_> {
    /// Statements up to the end of the input, or to the brace that closes them; gives where they begin on their stack.
    pub(super) fn statements_until(&mut self, end: TokenKind) -> usize {
        let first = self.statements(None);
        let openers = self.openers.len();
        while self.kind() != end && self.kind() != TokenKind::EndOfInput {
            let _ = self.unexpected::<()>();
            self.recover(openers);
            if self.kind() == TokenKind::RightBrace && end != TokenKind::RightBrace {
                self.bump();
            }
            self.statements(None);
        }
        first
    }

    /// Statements up to a token that none begins with; the first may have been read already. Gives where they begin on
    /// their stack.
    pub(super) fn statements(&mut self, read: Option<Expr>) -> usize {
        let first = begin(&mut self.lists.expressions);
        let (depth, openers, namespace) = (self.depth, self.openers.len(), self.namespace.len());
        let mut misplaced = Misplaced::new();
        let mut next = read;
        let mut is_separated = next.is_some();
        while is_separated || self.begins_statement() {
            let statement = match next.take() {
                Some(read) => Ok(read),
                None => self.assignment(),
            };
            if statement.and_then(|statement| self.add(statement, first, &mut misplaced)).is_err() {
                (self.depth, self.deepest) = (depth, depth);
                self.namespace.truncate(namespace);
                self.recover(openers);
            }
            is_separated = self.eat(TokenKind::Semicolon).is_some();
        }
        // The reference finds these at the end of the sequence, after all other errors in it.
        if !misplaced.is_empty() {
            let _ = self.check_lookahead();
        }
        for (function, span) in misplaced {
            self.record(issues::arguments_without_call(function.as_ref()).at(span));
        }
        first
    }

    /// Adds a statement and what follows it after commas: as arguments, if the one before is a function's name.
    #[inline]
    fn add(&mut self, mut statement: Expr, first: usize, misplaced: &mut Misplaced) -> Parse<()> {
        let before = self.lists.expressions.get(first..).and_then(|statements| statements.last());
        let is_called = match before.map(|before| &before.kind) {
            Some(ExprKind::Name(name)) => is_statement_call(name),
            _ => false,
        };
        if is_called || self.kind() == TokenKind::Comma {
            return self.add_several(statement, first, is_called, misplaced);
        }
        if let ExprKind::Call(call) = &mut statement.kind {
            call.rvalue = false;
        }
        self.lists.expressions.push(statement);
        Ok(())
    }

    fn add_several(&mut self, statement: Expr, first: usize, is_called: bool, misplaced: &mut Misplaced) -> Parse<()> {
        let called = if is_called { self.lists.expressions.pop() } else { None };
        let mut expressions = vec![statement];
        let comma = self.span(self.token);
        while self.eat(TokenKind::Comma).is_some() {
            expressions.push(self.assignment()?);
        }
        if let Some(functor) = called {
            self.lists.expressions.push(statement_call(functor, expressions));
            return Ok(());
        }
        let name = match self.lists.expressions.get(first..).and_then(|statements| statements.last()) {
            Some(Expr { kind: ExprKind::Name(name), .. }) => Some(name.clone()),
            _ => None,
        };
        misplaced.push((name, comma));
        self.lists.expressions.extend(expressions);
        Ok(())
    }

    /// `{ statements }`: where they begin on their stack, and the span of the braces.
    fn braced_statements(&mut self) -> Parse<(usize, Span)> {
        let open = match self.kind() {
            TokenKind::LeftBrace => self.open(),
            _ => self.missing_brace()?,
        };
        let first = self.statements_until(TokenKind::RightBrace);
        let close = self.close(TokenKind::RightBrace);
        Ok((first, self.span(open).to(self.span(close))))
    }

    /// Statements that follow without the brace before them, if the next line is one.
    fn missing_brace(&mut self) -> Parse<Token> {
        let result = self.unexpected();
        let is_closed = self.kind() == TokenKind::RightBrace && self.is_first_of_line();
        if is_closed || self.is_before_statement() || self.may_begin_statement() {
            let open = Token { kind: TokenKind::LeftBrace, ..self.nothing_here() };
            self.openers.push(open);
            return Ok(open);
        }
        result
    }

    /// What is in braces, with the opening one as the current token. If it cannot be read, and statements are in them,
    /// what stands before the braces is broken: then the statements are given, too.
    pub(super) fn or_statements(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parse<Expr>,
    ) -> (Parse<Expr>, Option<Parse<Expr>>) {
        let (position, token, errors) = (self.position, self.token, self.diagnostics.len());
        let (depth, openers, namespace) = (self.depth, self.openers.len(), self.namespace.len());
        let definitions = self.definitions.len();
        let result = read(self);
        if self.diagnostics.len() == errors || self.returns >= MAX_RETURNS || !self.holds_statements(position) {
            return (result, None);
        }
        self.returns += 1;
        (self.position, self.token) = (position, token);
        (self.depth, self.deepest) = (depth, depth);
        self.openers.truncate(openers);
        self.namespace.truncate(namespace);
        self.definitions.truncate(definitions);
        self.diagnostics.truncate(errors + 1);
        if self.is_condition() {
            return (result, Some(Err(Failed)));
        }
        let statements = self.body().map(|(body, _)| body);
        (result, Some(statements))
    }

    /// A body: a block even if it has only one statement. Gives the braces too.
    pub(super) fn body(&mut self) -> Parse<(Expr, Span)> {
        let (first, braces) = self.braced_statements()?;
        Ok((self.block(first, braces), braces))
    }

    /// The branch of a conditional: a single statement stands for itself. Gives the braces too.
    pub(super) fn branch(&mut self) -> Parse<(Expr, Span)> {
        let (first, braces) = self.braced_statements()?;
        Ok((self.block_or_single(first, braces), braces))
    }

    /// The statements from so far on as a block at a place, or nothing.
    pub(super) fn block(&mut self, first: usize, span: Span) -> Expr {
        let statements = finish(&mut self.lists.expressions, first);
        Expr { kind: if statements.is_empty() { ExprKind::Nop } else { ExprKind::Block(statements) }, span }
    }

    /// The statements from so far on as a block at a place, the only one of them, or nothing.
    pub(super) fn block_or_single(&mut self, first: usize, span: Span) -> Expr {
        if self.lists.expressions.len() == first + 1
            && let Some(single) = self.lists.expressions.pop()
        {
            return single;
        }
        self.block(first, span)
    }

    fn begins_statement(&self) -> bool {
        matches!(self.kind(), TokenKind::At | TokenKind::AtAt) || self.begins_expression()
    }
}

/// `include apache`
pub(super) fn statement_call(functor: Expr, args: Vec<Expr>) -> Expr {
    let span = args.last().map_or(functor.span, |last| functor.span.to(last.span));
    Expr {
        kind: ExprKind::Call(Box::new(Call {
            functor,
            args: args.into_boxed_slice(),
            parentheses: None,
            lambda: None,
            rvalue: false,
        })),
        span,
    }
}

/// Whether a name can be called without parentheses.
pub(super) fn is_statement_call(name: &str) -> bool {
    STATEMENT_CALLS.contains(&name)
}
