//! Sequences of statements, and calls without parentheses.

use ecow::EcoString;

use super::{Parse, Parser};
use crate::ast::{Call, Expr, ExprKind};
use crate::issues;
use crate::span::Span;
use crate::token::TokenKind;

/// The functions that can be called without parentheses.
const STATEMENT_CALLS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail", "import",
    "break", "next", "return",
];

/// Statements that have been read.
#[derive(Default)]
struct Statements {
    list: Vec<Expr>,
    /// Comma lists after something that is not one of the functions above: its name, and the comma.
    misplaced: Vec<(Option<EcoString>, Span)>,
}

impl Parser<'_, '_> {
    /// Statements up to the end of the input, or to the brace that closes them.
    pub(super) fn statements_until(&mut self, end: TokenKind) -> Vec<Expr> {
        let mut statements = self.statements(None);
        let openers = self.openers.len();
        while self.kind() != end && self.kind() != TokenKind::EndOfInput {
            let _ = self.unexpected::<()>();
            self.recover(openers);
            if self.kind() == TokenKind::RightBrace && end != TokenKind::RightBrace {
                self.bump();
            }
            statements.extend(self.statements(None));
        }
        statements
    }

    /// Statements up to a token that none begins with; the first may have been read already.
    pub(super) fn statements(&mut self, first: Option<Expr>) -> Vec<Expr> {
        let mut statements = Statements::default();
        let (depth, openers, namespace) = (self.depth, self.openers.len(), self.namespace.len());
        let mut next = first;
        let mut is_separated = next.is_some();
        while is_separated || self.begins_statement() {
            let statement = match next.take() {
                Some(first) => Ok(first),
                None => self.assignment(),
            };
            if statement.and_then(|statement| self.add(statement, &mut statements)).is_err() {
                (self.depth, self.deepest) = (depth, depth);
                self.namespace.truncate(namespace);
                self.recover(openers);
            }
            is_separated = self.eat(TokenKind::Semicolon).is_some();
        }
        // The reference finds these at the end of the sequence, after all other errors in it.
        if !statements.misplaced.is_empty() {
            let _ = self.check_lookahead();
        }
        for (function, span) in statements.misplaced {
            self.record(issues::arguments_without_call(function.as_ref()).at(span));
        }
        statements.list
    }

    /// Adds a statement and what follows it after commas: as arguments, if the one before is a function's name.
    fn add(&mut self, mut statement: Expr, statements: &mut Statements) -> Parse<()> {
        let called = match statements.list.last().map(|last| &last.kind) {
            Some(ExprKind::Name(name)) if is_statement_call(name) => statements.list.pop(),
            _ => None,
        };
        if called.is_none() && self.kind() != TokenKind::Comma {
            if let ExprKind::Call(call) = &mut statement.kind {
                call.rvalue = false;
            }
            statements.list.push(statement);
            return Ok(());
        }
        let mut expressions = vec![statement];
        let comma = self.span(self.token);
        while self.eat(TokenKind::Comma).is_some() {
            expressions.push(self.assignment()?);
        }
        if let Some(functor) = called {
            statements.list.push(statement_call(functor, expressions));
            return Ok(());
        }
        let name = match statements.list.last().map(|last| &last.kind) {
            Some(ExprKind::Name(name)) => Some(name.clone()),
            _ => None,
        };
        statements.misplaced.push((name, comma));
        statements.list.extend(expressions);
        Ok(())
    }

    /// `{ statements }`; the span is that of the braces.
    pub(super) fn braced_statements(&mut self) -> Parse<(Vec<Expr>, Span)> {
        if self.kind() != TokenKind::LeftBrace {
            return self.unexpected();
        }
        let open = self.open();
        let statements = self.statements_until(TokenKind::RightBrace);
        let close = self.close(TokenKind::RightBrace)?;
        Ok((statements, self.span(open).to(self.span(close))))
    }

    /// The body of what begins at `start`: a block even if it has only one statement. Gives the braces too.
    pub(super) fn body(&mut self, start: Span) -> Parse<(Expr, Span)> {
        let (statements, braces) = self.braced_statements()?;
        let at_start = Span { end: start.start, ..start };
        Ok((block(statements, at_start), braces))
    }

    /// The branch of a conditional: a single statement stands for itself. Gives the braces too.
    pub(super) fn branch(&mut self) -> Parse<(Expr, Span)> {
        let (statements, braces) = self.braced_statements()?;
        Ok((block_or_single(statements, braces), braces))
    }

    fn begins_statement(&self) -> bool {
        matches!(self.kind(), TokenKind::At | TokenKind::AtAt) || self.begins_expression()
    }
}

/// A block at a place, or nothing.
pub(super) fn block(statements: Vec<Expr>, span: Span) -> Expr {
    let kind = if statements.is_empty() { ExprKind::Nop } else { ExprKind::Block(statements.into_boxed_slice()) };
    Expr { kind, span }
}

/// A block at a place, its only statement, or nothing.
pub(super) fn block_or_single(mut statements: Vec<Expr>, span: Span) -> Expr {
    if statements.len() == 1
        && let Some(single) = statements.pop()
    {
        return single;
    }
    block(statements, span)
}

/// `include apache`
pub(super) fn statement_call(functor: Expr, args: Vec<Expr>) -> Expr {
    let span = args.last().map_or(functor.span, |last| functor.span.to(last.span));
    Expr {
        kind: ExprKind::Call(Box::new(Call { functor, args: args.into_boxed_slice(), lambda: None, rvalue: false })),
        span,
    }
}

/// Whether a name can be called without parentheses.
pub(super) fn is_statement_call(name: &str) -> bool {
    STATEMENT_CALLS.contains(&name)
}
