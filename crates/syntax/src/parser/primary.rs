//! Operands: literals, words, brackets, conditionals, definitions.

use super::literal::without_dollar;
use super::{Parse, Parser};
use crate::ast::{Case, CaseOption, Conditional, Expr, ExprKind};
use crate::lexer::escape::{self, Escapes};
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::Span;

impl Parser<'_, '_> {
    /// Whether the current token can begin an expression.
    pub(super) fn begins_expression(&self) -> bool {
        use TokenKind as T;
        matches!(
            self.kind(),
            T::Name
                | T::Variable
                | T::SingleQuoted
                | T::DoubleQuoted
                | T::ClassReference
                | T::If
                | T::Number
                | T::StringStart
                | T::True
                | T::False
                | T::Undef
                | T::Default
                | T::Class
                | T::Case
                | T::Unless
                | T::Define
                | T::Node
                | T::Function
                | T::Plan
                | T::Apply
                | T::Type
                | T::Private
                | T::Attr
                | T::LeftBracket
                | T::ListStart
                | T::LeftBrace
                | T::LeftParenthesis
                | T::LineStartParenthesis
                | T::Regexp
                | T::Word
                | T::Heredoc
                | T::Minus
                | T::Times
                | T::Not
                | T::RenderString
                | T::RenderExpr
        )
    }

    /// An operand without anything attached to it.
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        use TokenKind as T;
        match self.kind() {
            kind if kind.is_operand() => Ok(self.leaf()),
            T::StringStart => self.interpolated(Escapes::DOUBLE_QUOTED),
            T::Heredoc => self.heredoc(),
            T::LeftBracket | T::ListStart => self.array(),
            T::LeftBrace => self.hash(),
            T::LeftParenthesis | T::LineStartParenthesis => self.parenthesized(),
            T::If => self.if_expression(),
            T::Unless => self.unless_expression(),
            T::Case => self.case_expression(),
            T::Class => self.class(),
            T::Define => self.defined_type(),
            T::Node => self.node(),
            T::Function => self.function(),
            T::Plan => self.plan(),
            T::Apply => self.apply(),
            T::Type => self.type_expression(),
            T::Private | T::Attr => {
                let token = self.bump();
                Ok(self.expr(ExprKind::Reserved(self.name(token)), token))
            }
            T::RenderString => {
                let rendered = self.rendered(self.position);
                let token = self.bump();
                Ok(self.expr(ExprKind::RenderString(rendered), token))
            }
            T::RenderExpr => self.render_expression(),
            _ => self.unexpected(),
        }
    }

    /// An operand that is a single token.
    pub(super) fn leaf(&mut self) -> Expr {
        let token = self.token;
        let is_quoted = matches!(token.kind, TokenKind::Regexp | TokenKind::SingleQuoted | TokenKind::DoubleQuoted);
        let quote = u32::from(is_quoted);
        let text = self.text(Token { start: token.start + quote, end: token.end - quote, ..token });
        let kind = match token.kind {
            TokenKind::Variable => ExprKind::Variable(without_dollar(text).into()),
            TokenKind::Name => ExprKind::Name(text.into()),
            TokenKind::ClassReference => ExprKind::TypeName(text.into()),
            TokenKind::SingleQuoted if !self.lexed.has_backslashes => ExprKind::String(text.into()),
            TokenKind::SingleQuoted => ExprKind::String(escape::decode_single_quoted(text)),
            TokenKind::DoubleQuoted => ExprKind::String(Escapes::DOUBLE_QUOTED.decode(text).text),
            TokenKind::Regexp => ExprKind::Regexp(escape::decode_regexp(text)),
            TokenKind::Number => self.number(text),
            TokenKind::True => ExprKind::Boolean(true),
            TokenKind::False => ExprKind::Boolean(false),
            TokenKind::Undef => ExprKind::Undef,
            TokenKind::Default => ExprKind::Default,
            _ => ExprKind::String(text.into()),
        };
        self.bump();
        self.expr(kind, token)
    }

    fn parenthesized(&mut self) -> Parse<Expr> {
        let open = self.open();
        let inner = self.or_missing(Self::assignment);
        let close = self.close(TokenKind::RightParenthesis);
        Ok(Expr { kind: ExprKind::Parenthesized(Box::new(inner)), span: self.span(open).to(self.span(close)) })
    }

    /// `if … { } elsif … { } else { }`
    fn if_expression(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let start = self.span(keyword);
        let test = self.test();
        let (then, then_braces) = self.branch()?;
        let mut end = then_braces;
        // The branches are collected first, for a long chain must not cost a level of recursion for each.
        let mut branches = Vec::new();
        while self.kind() == TokenKind::Elsif {
            let keyword = self.bump();
            let start = self.span(keyword);
            let test = self.test();
            let (then, braces) = self.branch()?;
            end = braces;
            if !branches.is_empty() {
                self.wrap(self.deepest)?;
            }
            branches.push((start, test, then, braces));
        }
        let (mut otherwise, mut else_braces) = self.optional_else(&mut end)?;
        while let Some((start, test, then, then_braces)) = branches.pop() {
            let else_braces = else_braces.take();
            let elsif = Conditional { is_elsif: true, test, then, then_braces, otherwise, else_braces };
            otherwise = Expr { kind: ExprKind::If(Box::new(elsif)), span: start.to(end) };
        }
        let conditional = Conditional { is_elsif: false, test, then, then_braces, otherwise, else_braces };
        Ok(Expr { kind: ExprKind::If(Box::new(conditional)), span: start.to(end) })
    }

    fn unless_expression(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let test = self.test();
        let (then, then_braces) = self.branch()?;
        let mut end = then_braces;
        let (otherwise, else_braces) = self.optional_else(&mut end)?;
        let conditional = Conditional { is_elsif: false, test, then, then_braces, otherwise, else_braces };
        Ok(Expr { kind: ExprKind::Unless(Box::new(conditional)), span: self.span(keyword).to(end) })
    }

    /// `else { … }` with its braces, which may be missing; the end of the conditional moves to theirs.
    fn optional_else(&mut self, end: &mut Span) -> Parse<(Expr, Option<Span>)> {
        if self.eat(TokenKind::Else).is_none() {
            return Ok((Expr { kind: ExprKind::Nop, span: end.at_end() }, None));
        }
        let (otherwise, braces) = self.branch()?;
        *end = braces;
        Ok((otherwise, Some(braces)))
    }

    fn case_expression(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let test = self.condition();
        if self.kind() != TokenKind::LeftBrace {
            return self.unexpected();
        }
        self.open();
        let mut options = Vec::new();
        while options.is_empty() || !matches!(self.kind(), TokenKind::RightBrace | TokenKind::EndOfInput) {
            let before = self.position;
            options.push(self.case_option()?);
            // A value may be any expression, also what looks like a statement, as long as nothing is wrong.
            if self.position == before || self.first_error.is_some() && self.is_before_statement() {
                break;
            }
        }
        let close = self.close(TokenKind::RightBrace);
        let case = Case { test, options: options.into_boxed_slice() };
        Ok(Expr { kind: ExprKind::Case(Box::new(case)), span: self.span(keyword).to(self.span(close)) })
    }

    fn case_option(&mut self) -> Parse<CaseOption> {
        let mut values = Vec::with_capacity(1);
        loop {
            values.push(self.or_missing_until(Self::expression, is_around_case_value));
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        let values = values.into_boxed_slice();
        let colon = match self.expect(TokenKind::Colon) {
            Ok(colon) => self.span(colon),
            // The case has lost its brace, and a resource follows it.
            Err(_) if self.opens_titled() && self.return_to_resource() => {
                let then = self.missing();
                return Ok(CaseOption { values, colon: then.span, then });
            }
            Err(_) => {
                let colon = self.missing();
                let openers = self.openers.len();
                self.skip_until(openers, |kind| matches!(kind, TokenKind::Colon | TokenKind::LeftBrace));
                self.eat(TokenKind::Colon);
                if self.kind() != TokenKind::LeftBrace {
                    return Ok(CaseOption { values, colon: colon.span, then: colon });
                }
                colon.span
            }
        };
        let (then, _) = self.body()?;
        Ok(CaseOption { values, colon, then })
    }

    /// The condition of a branch. What stands between it and the brace is skipped.
    fn test(&mut self) -> Expr {
        let test = self.condition();
        if self.kind() != TokenKind::LeftBrace {
            let _ = self.unexpected::<()>();
            if !self.may_begin_statement() {
                self.skip_until(self.openers.len(), |kind| kind == TokenKind::LeftBrace);
            }
        }
        test
    }

    /// What decides between branches: up to the brace before the first of them.
    fn condition(&mut self) -> Expr {
        let around = self.condition.replace(self.openers.len());
        let test = self.or_missing_until(Self::expression, |kind| kind == TokenKind::LeftBrace);
        self.condition = around;
        test
    }
}

fn is_around_case_value(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Comma | TokenKind::Colon | TokenKind::LeftBrace)
}
