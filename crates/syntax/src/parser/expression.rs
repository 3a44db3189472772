//! Operators: from assignment down to what binds closest.

use super::{Parse, Parser};
use crate::ast::{
    Access, Assignment, AssignmentOperator, Binary, BinaryOperator, Call, Expr, ExprKind, Lambda, MethodCall,
    Relationship, RelationshipOperator, Selector, SelectorEntry, UnaryOperator,
};
use crate::stack::deep;
use crate::token::TokenKind;

/// Up to this depth, which little code exceeds, there is stack enough for sure.
const USUAL_DEPTH: u32 = 24;

/// How closely operators bind.
mod power {
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const SELECTOR: u8 = 3;
    pub(super) const RELATIONAL: u8 = 4;
    pub(super) const EQUALITY: u8 = 5;
    pub(super) const SHIFT: u8 = 6;
    pub(super) const ADDITIVE: u8 = 7;
    pub(super) const MULTIPLICATIVE: u8 = 8;
    pub(super) const MATCH: u8 = 9;
    pub(super) const IN: u8 = 10;
    pub(super) const MINUS: u8 = 11;
    pub(super) const UNFOLD: u8 = 12;
    pub(super) const NOT: u8 = 13;
}

impl Parser<'_, '_> {
    /// An assignment or anything that binds closer.
    #[inline]
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        if self.is_single_token() { self.single_token() } else { self.compound_assignment() }
    }

    /// An assignment or anything that binds closer, if it is not a single token.
    fn compound_assignment(&mut self) -> Parse<Expr> {
        // The depth of what stands beside this does not add to the depth of this.
        let outer = std::mem::replace(&mut self.deepest, self.depth);
        let mut result = self.resource();
        if self.kind().joins_statement() {
            result = result.and_then(|left| self.joined(left));
        }
        if result.is_ok() {
            self.deepest = self.deepest.max(outer);
        }
        result
    }

    /// `a = b` or `a -> b`, of which the left side has been read.
    fn joined(&mut self, left: Expr) -> Parse<Expr> {
        let target = self.relationship(left)?;
        let operator = match self.kind() {
            TokenKind::Assign => AssignmentOperator::Assign,
            TokenKind::Append => AssignmentOperator::Append,
            TokenKind::Delete => AssignmentOperator::Delete,
            _ => return Ok(target),
        };
        let token = self.bump();
        let deepest = self.deepest;
        self.enter()?;
        let value = self.assignment()?;
        self.depth -= 1;
        self.wrap(deepest)?;
        let span = target.span.to(value.span);
        let assignment = Assignment { operator, operator_span: self.span(token), target, value };
        Ok(Expr { kind: ExprKind::Assignment(Box::new(assignment)), span })
    }

    /// `a -> b -> c`, of which the left side has been read.
    fn relationship(&mut self, mut left: Expr) -> Parse<Expr> {
        loop {
            let operator = match self.kind() {
                TokenKind::BeforeEdge => RelationshipOperator::Before,
                TokenKind::NotifyEdge => RelationshipOperator::Notify,
                TokenKind::AfterEdge => RelationshipOperator::After,
                TokenKind::SubscribeEdge => RelationshipOperator::Subscribe,
                _ => return Ok(left),
            };
            let token = self.bump();
            let deepest = self.deepest;
            let right = self.or_missing_until(Self::resource, ends_related);
            self.wrap(deepest)?;
            let span = left.span.to(right.span);
            let relationship = Relationship { operator, operator_span: self.span(token), left, right };
            left = Expr { kind: ExprKind::Relationship(Box::new(relationship)), span };
        }
    }

    /// An expression of operators and operands.
    #[inline]
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        if self.is_single_token() { self.single_token() } else { self.compound() }
    }

    /// Whether the current token is an expression by itself. Most are, and need not be asked for every operator.
    #[inline]
    fn is_single_token(&self) -> bool {
        self.kind().is_operand() && self.next_kind().ends_expression()
    }

    fn single_token(&mut self) -> Parse<Expr> {
        self.enter()?;
        self.depth -= 1;
        Ok(self.leaf())
    }

    /// The same, where it is not a single token.
    pub(super) fn compound(&mut self) -> Parse<Expr> {
        self.operators(power::OR)
    }

    /// An expression of operators that bind at least so closely. All recursion of the parser comes through here.
    fn operators(&mut self, minimum: u8) -> Parse<Expr> {
        if self.depth < USUAL_DEPTH { self.operators_here(minimum) } else { deep(|| self.operators_here(minimum)) }
    }

    fn operators_here(&mut self, minimum: u8) -> Parse<Expr> {
        let outer = std::mem::replace(&mut self.deepest, self.depth);
        self.enter()?;
        let mut result = self.operand();
        if self.kind().is_infix() {
            result = result.and_then(|left| self.infix(left, minimum));
        }
        if result.is_ok() {
            self.depth -= 1;
            self.deepest = self.deepest.max(outer);
        }
        result
    }

    /// What follows an operand that has been read.
    pub(super) fn operators_after(&mut self, left: Expr) -> Parse<Expr> {
        let left = self.postfix(left)?;
        self.infix(left, power::OR)
    }

    fn infix(&mut self, mut left: Expr, minimum: u8) -> Parse<Expr> {
        loop {
            let deepest = self.deepest;
            if let Some((operator, power)) = binary(self.kind()) {
                if power < minimum {
                    return Ok(left);
                }
                let token = self.bump();
                let right = self.operators(power + 1)?;
                let span = left.span.to(right.span);
                let binary = Binary { operator, operator_span: self.span(token), left, right };
                left = Expr { kind: ExprKind::Binary(Box::new(binary)), span };
            } else if self.kind() == TokenKind::QuestionMark && power::SELECTOR >= minimum {
                let selector = self.selector(left)?;
                left = self.postfix(selector)?;
            } else {
                return Ok(left);
            }
            self.wrap(deepest)?;
        }
    }

    /// A prefix operator with its operand, or a primary expression with what is attached to it.
    #[inline]
    fn operand(&mut self) -> Parse<Expr> {
        let mut result = match self.kind() {
            kind if kind.is_operand() => Ok(self.leaf()),
            TokenKind::Not => return self.unary(UnaryOperator::Not, power::NOT),
            TokenKind::Minus => return self.unary(UnaryOperator::Minus, power::MINUS),
            TokenKind::Times => return self.unary(UnaryOperator::Unfold, power::UNFOLD),
            _ => self.primary(),
        };
        if self.kind().is_attached() {
            result = result.and_then(|primary| self.postfix(primary));
        }
        result
    }

    fn unary(&mut self, operator: UnaryOperator, power: u8) -> Parse<Expr> {
        let token = self.bump();
        let operand = self.operators(power)?;
        let span = self.span(token).to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span })
    }

    /// `[…]`, `(…)`, `.name` and `<|…|>` after an expression.
    fn postfix(&mut self, mut left: Expr) -> Parse<Expr> {
        loop {
            let deepest = self.deepest;
            left = match self.kind() {
                TokenKind::LeftBracket => self.access(left)?,
                TokenKind::LeftParenthesis => self.call(left)?,
                TokenKind::Dot => self.method_call(left)?,
                TokenKind::CollectStart | TokenKind::ExportedCollectStart => self.collector(left)?,
                _ => return Ok(left),
            };
            self.wrap(deepest)?;
        }
    }

    fn access(&mut self, left: Expr) -> Parse<Expr> {
        let (keys, brackets) = self.access_keys(true)?;
        let span = left.span.to(brackets);
        let access = Access { left, keys };
        Ok(Expr { kind: ExprKind::Access(Box::new(access)), span })
    }

    /// `f(…)` with the opening parenthesis as the current token.
    pub(super) fn call(&mut self, functor: Expr) -> Parse<Expr> {
        let (args, parentheses) = self.arguments(true)?;
        let lambda = self.optional_lambda()?;
        let end = lambda.as_ref().map_or(parentheses, |lambda| lambda.span);
        let span = functor.span.to(end);
        let call = Call { functor, args, parentheses: Some(parentheses), lambda, rvalue: true };
        Ok(Expr { kind: ExprKind::Call(Box::new(call)), span })
    }

    /// `.name(…)` with the dot as the current token.
    fn method_call(&mut self, receiver: Expr) -> Parse<Expr> {
        let dot = self.bump();
        if !matches!(self.kind(), TokenKind::Name | TokenKind::Type) {
            return self.unexpected();
        }
        let name = self.bump();
        let name = self.ident(name);
        let mut args = Box::default();
        let mut parentheses = None;
        if self.kind() == TokenKind::LeftParenthesis {
            let (found, around) = self.arguments(false)?;
            args = found;
            parentheses = Some(around);
        }
        let lambda = self.optional_lambda()?;
        let end = lambda.as_ref().map_or_else(|| parentheses.unwrap_or(name.span), |lambda| lambda.span);
        let span = receiver.span.to(end);
        let call = MethodCall { receiver, dot: self.span(dot), name, args, parentheses, lambda };
        Ok(Expr { kind: ExprKind::MethodCall(Box::new(call)), span })
    }

    /// `? { … }` with the question mark as the current token.
    fn selector(&mut self, left: Expr) -> Parse<Expr> {
        self.bump();
        let mut entries = Vec::new();
        let mut end = left.span;
        if self.kind() == TokenKind::SelectorBrace {
            self.open();
            loop {
                entries.push(self.selector_entry());
                if self.first_error.is_some() && self.return_to_resource()
                    || self.eat(TokenKind::Comma).is_none()
                    || self.kind() == TokenKind::RightBrace
                {
                    break;
                }
            }
            let close = self.close(TokenKind::RightBrace);
            end = self.span(close);
        } else {
            let entry = self.selector_entry();
            end = end.to(entry.value.span);
            entries.push(entry);
        }
        let span = left.span.to(end);
        let selector = Selector { left, entries: entries.into_boxed_slice() };
        Ok(Expr { kind: ExprKind::Selector(Box::new(selector)), span })
    }

    fn selector_entry(&mut self) -> SelectorEntry {
        let matching = self.or_missing(Self::expression);
        let (arrow, value) = match self.expect(TokenKind::FatArrow) {
            Ok(arrow) => (self.span(arrow), self.or_missing(Self::expression)),
            Err(_) if self.opens_resource() => (self.missing().span, self.missing()),
            Err(failed) => {
                let value = self.or_missing(|_| Err(failed));
                (value.span.at_start(), value)
            }
        };
        SelectorEntry { matching, value, arrow }
    }

    /// `|parameters| >> Type { … }` if the current token begins one.
    fn optional_lambda(&mut self) -> Parse<Option<Box<Lambda>>> {
        if self.kind() != TokenKind::Pipe {
            return Ok(None);
        }
        let start = self.span(self.token);
        let parameters = self.piped_parameters()?;
        let return_type = self.optional_return_type()?;
        let (body, braces) = self.body()?;
        Ok(Some(Box::new(Lambda { parameters, return_type, body, span: start.to(braces) })))
    }
}

/// Whether what stands beside an arrow has ended.
fn ends_related(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::BeforeEdge
            | TokenKind::NotifyEdge
            | TokenKind::AfterEdge
            | TokenKind::SubscribeEdge
            | TokenKind::Comma
            | TokenKind::Semicolon
    )
}

fn binary(kind: TokenKind) -> Option<(BinaryOperator, u8)> {
    Some(match kind {
        TokenKind::In => (BinaryOperator::In, power::IN),
        TokenKind::Match => (BinaryOperator::Match, power::MATCH),
        TokenKind::NoMatch => (BinaryOperator::NoMatch, power::MATCH),
        TokenKind::Times => (BinaryOperator::Times, power::MULTIPLICATIVE),
        TokenKind::Divide => (BinaryOperator::Divide, power::MULTIPLICATIVE),
        TokenKind::Modulo => (BinaryOperator::Modulo, power::MULTIPLICATIVE),
        TokenKind::Plus => (BinaryOperator::Plus, power::ADDITIVE),
        TokenKind::Minus => (BinaryOperator::Minus, power::ADDITIVE),
        TokenKind::LeftShift => (BinaryOperator::LeftShift, power::SHIFT),
        TokenKind::RightShift => (BinaryOperator::RightShift, power::SHIFT),
        TokenKind::Equal => (BinaryOperator::Equal, power::EQUALITY),
        TokenKind::NotEqual => (BinaryOperator::NotEqual, power::EQUALITY),
        TokenKind::Greater => (BinaryOperator::Greater, power::RELATIONAL),
        TokenKind::GreaterOrEqual => (BinaryOperator::GreaterOrEqual, power::RELATIONAL),
        TokenKind::Less => (BinaryOperator::Less, power::RELATIONAL),
        TokenKind::LessOrEqual => (BinaryOperator::LessOrEqual, power::RELATIONAL),
        TokenKind::And => (BinaryOperator::And, power::AND),
        TokenKind::Or => (BinaryOperator::Or, power::OR),
        _ => return None,
    })
}
