//! Statements that have no effect: their value is computed and then forgotten.

use super::{Checker, issues};
use crate::ast::{BinaryOperator, Expr, ExprKind};
use bunraku_diagnostic::Span;

impl Checker<'_> {
    /// Of several statements only the last may be without effect.
    pub(super) fn block(&mut self, statements: &[Expr], span: Span) {
        if let Some(name) = self.resource_without_title(statements) {
            self.error(issues::resource_without_title(name), span);
            return;
        }
        let Some((_, others)) = statements.split_last() else {
            return;
        };
        if let Some(idle) = others.iter().find(|statement| is_idem(statement)) {
            self.error(issues::idem_not_last(idle), idle.reported());
        }
    }

    /// The body of a class, defined type or node must not end without effect.
    pub(super) fn effective_end(&mut self, body: &Expr, container: &str) {
        let last = match &body.kind {
            ExprKind::Block(statements) => statements.last(),
            _ => None,
        };
        let Some(last) = last.filter(|last| is_idem(last)) else {
            return;
        };
        if let ExprKind::Block(statements) = &last.kind
            && self.resource_without_title(statements).is_some()
        {
            return;
        }
        self.error(issues::idem_last(last, container), last.reported());
    }

    /// The name of what looks like a resource without a title: a name and a hash. Nobody expects resources in a plan.
    fn resource_without_title<'a>(&self, statements: &'a [Expr]) -> Option<&'a str> {
        match statements {
            [Expr { kind: ExprKind::Name(name), .. }, Expr { kind: ExprKind::Hash(_), .. }] if !self.options.tasks => {
                Some(name)
            }
            _ => None,
        }
    }
}

/// Whether evaluating an expression is known to change nothing.
fn is_idem(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Nop
        | ExprKind::Missing
        | ExprKind::Undef
        | ExprKind::Default
        | ExprKind::Boolean(_)
        | ExprKind::Integer { .. }
        | ExprKind::BigInteger(_)
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Name(_)
        | ExprKind::TypeName(_)
        | ExprKind::Variable(_)
        | ExprKind::Regexp(_)
        | ExprKind::Interpolated(_)
        | ExprKind::Heredoc(_)
        | ExprKind::Array(_)
        | ExprKind::Hash(_)
        | ExprKind::Unary(..)
        | ExprKind::Access(_)
        | ExprKind::Reserved(_)
        | ExprKind::Selector(_) => true,
        // A match sets the numeric variables.
        ExprKind::Binary(binary) => !matches!(binary.operator, BinaryOperator::Match | BinaryOperator::NoMatch),
        ExprKind::Parenthesized(inner) => is_idem(inner),
        ExprKind::Block(statements) => statements.iter().all(is_idem),
        ExprKind::If(conditional) | ExprKind::Unless(conditional) => {
            is_idem(&conditional.test) && is_idem(&conditional.then) && is_idem(&conditional.otherwise)
        }
        ExprKind::Case(case) => {
            let is_idem_option =
                |option: &crate::ast::CaseOption| option.values.iter().all(is_idem) && is_idem(&option.then);
            is_idem(&case.test) && case.options.iter().all(is_idem_option)
        }
        ExprKind::Assignment(_)
        | ExprKind::Relationship(_)
        | ExprKind::Call(_)
        | ExprKind::MethodCall(_)
        | ExprKind::Apply(_)
        | ExprKind::Lambda(_)
        | ExprKind::Resource(_)
        | ExprKind::ResourceDefaults(_)
        | ExprKind::ResourceOverride(_)
        | ExprKind::Collector(_)
        | ExprKind::Definition(_)
        | ExprKind::Epp(_)
        | ExprKind::RenderString(_)
        | ExprKind::RenderExpr(_) => false,
    }
}
