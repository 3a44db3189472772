//! Templates.

use super::{Parse, Parser};
use crate::ast::{Epp, Expr, ExprKind, Lambda};
use crate::token::TokenKind;
use bunraku_diagnostic::Span;

impl Parser<'_, '_> {
    /// A whole template.
    pub(super) fn template(&mut self) -> Expr {
        self.eat(TokenKind::EppStart);
        let mut parameters = Box::default();
        let parameters_specified = self.kind() == TokenKind::Pipe;
        if parameters_specified {
            match self.piped_parameters() {
                Ok(found) => parameters = found,
                Err(_) => self.recover(0),
            }
        }
        let first = self.statements_until(TokenKind::EndOfInput);
        let span = Span::new(self.file, 0, self.source.len() as u32);
        let epp = Epp { parameters_specified, body: self.block(first, span) };
        let body = Expr { kind: ExprKind::Epp(Box::new(epp)), span };
        let lambda = Lambda { parameters, return_type: None, body, span };
        Expr { kind: ExprKind::Lambda(Box::new(lambda)), span }
    }

    /// `<%= … %>`: an expression, or statements in braces.
    pub(super) fn render_expression(&mut self) -> Parse<Expr> {
        let start = self.bump();
        let expr = match self.kind() {
            TokenKind::LeftBrace => self.hash_or_block()?,
            _ => self.expression()?,
        };
        let end = match self.kind() {
            TokenKind::EppEnd | TokenKind::EppEndTrim => self.bump(),
            _ => return self.unexpected(),
        };
        Ok(Expr { kind: ExprKind::RenderExpr(Box::new(expr)), span: self.span(start).to(self.span(end)) })
    }

    /// Braces hold a hash if an arrow follows the first expression, and statements otherwise.
    fn hash_or_block(&mut self) -> Parse<Expr> {
        let open = self.open();
        let first = match self.kind() {
            TokenKind::RightBrace => None,
            _ => Some(self.hash_entry()?),
        };
        if first.is_none() || self.kind() == TokenKind::FatArrow {
            let hash = self.hash_after(open, first)?;
            return self.operators_after(hash);
        }
        let first = self.statements(first);
        let close = self.close(TokenKind::RightBrace);
        Ok(self.block_or_single(first, self.span(open).to(self.span(close))))
    }
}
