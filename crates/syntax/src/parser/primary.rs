//! Operands: literals, words, brackets, conditionals, definitions.

use super::{Parse, Parser};
use crate::ast::{Case, CaseOption, Conditional, Expr, ExprKind};
use crate::span::Span;
use crate::token::{Token, TokenKind};

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
            T::Name => self.leaf(|parser, token| ExprKind::Name(parser.name(token))),
            T::ClassReference => self.leaf(|parser, token| ExprKind::TypeName(parser.name(token))),
            T::Word => self.leaf(|parser, token| ExprKind::String(parser.name(token))),
            T::Variable => self.leaf(|parser, token| ExprKind::Variable(parser.variable_name(token))),
            T::True => self.leaf(|_, _| ExprKind::Boolean(true)),
            T::False => self.leaf(|_, _| ExprKind::Boolean(false)),
            T::Undef => self.leaf(|_, _| ExprKind::Undef),
            T::Default => self.leaf(|_, _| ExprKind::Default),
            T::Private | T::Attr => self.leaf(|parser, token| ExprKind::Reserved(parser.name(token))),
            T::SingleQuoted | T::DoubleQuoted => self.leaf(Self::quoted),
            T::Regexp => self.leaf(Self::regexp),
            T::Number => self.number(),
            T::StringStart => self.interpolated(crate::lexer::escape::Escapes::DOUBLE_QUOTED),
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
            T::Type => self.type_expression(),
            T::RenderString => self.leaf(|parser, _| ExprKind::RenderString(parser.rendered(parser.position))),
            T::RenderExpr => self.render_expression(),
            _ => self.unexpected(),
        }
    }

    /// An expression that is a single token.
    fn leaf(&mut self, kind: impl Fn(&Self, Token) -> ExprKind) -> Parse<Expr> {
        let expr = self.expr(kind(self, self.token), self.token);
        self.bump();
        Ok(expr)
    }

    fn parenthesized(&mut self) -> Parse<Expr> {
        let open = self.open();
        let inner = self.assignment()?;
        let close = self.close(TokenKind::RightParenthesis)?;
        Ok(Expr { kind: ExprKind::Parenthesized(Box::new(inner)), span: self.span(open).to(self.span(close)) })
    }

    /// `if … { } elsif … { } else { }`
    fn if_expression(&mut self) -> Parse<Expr> {
        // The branches are collected first, for a long chain must not cost a level of recursion for each.
        let mut branches = Vec::new();
        let mut end;
        loop {
            let keyword = self.bump();
            let test = self.expression()?;
            let (then, braces) = self.branch()?;
            end = braces;
            let deepest = self.deepest;
            if branches.len() > 1 {
                self.wrap(deepest)?;
            }
            branches.push((self.span(keyword), test, then));
            if self.kind() != TokenKind::Elsif {
                break;
            }
        }
        let mut otherwise = self.optional_else(&mut end)?;
        let mut result = None;
        while let Some((keyword, test, then)) = branches.pop() {
            let conditional = Conditional { test, then, otherwise };
            let span = keyword.to(end);
            otherwise = nothing(span);
            let expr = Expr { kind: ExprKind::If(Box::new(conditional)), span };
            if branches.is_empty() {
                result = Some(expr);
            } else {
                otherwise = expr;
            }
        }
        Ok(result.unwrap_or_else(|| nothing(end)))
    }

    fn unless_expression(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let test = self.expression()?;
        let (then, mut end) = self.branch()?;
        let otherwise = self.optional_else(&mut end)?;
        let conditional = Conditional { test, then, otherwise };
        Ok(Expr { kind: ExprKind::Unless(Box::new(conditional)), span: self.span(keyword).to(end) })
    }

    fn optional_else(&mut self, end: &mut Span) -> Parse<Expr> {
        if self.eat(TokenKind::Else).is_none() {
            return Ok(nothing(*end));
        }
        let (otherwise, braces) = self.branch()?;
        *end = braces;
        Ok(otherwise)
    }

    fn case_expression(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let test = self.expression()?;
        if self.kind() != TokenKind::LeftBrace {
            return self.unexpected();
        }
        self.open();
        let mut options = vec![self.case_option()?];
        while self.kind() != TokenKind::RightBrace {
            options.push(self.case_option()?);
        }
        let close = self.close(TokenKind::RightBrace)?;
        let case = Case { test, options: options.into_boxed_slice() };
        Ok(Expr { kind: ExprKind::Case(Box::new(case)), span: self.span(keyword).to(self.span(close)) })
    }

    fn case_option(&mut self) -> Parse<CaseOption> {
        let mut values = vec![self.expression()?];
        while self.eat(TokenKind::Comma).is_some() {
            values.push(self.expression()?);
        }
        let colon = self.expect(TokenKind::Colon)?;
        let start = self.span(colon);
        let (then, braces) = self.body(start)?;
        Ok(CaseOption { values: values.into_boxed_slice(), then, span: start.to(braces) })
    }
}

fn nothing(span: Span) -> Expr {
    Expr { kind: ExprKind::Nop, span }
}
