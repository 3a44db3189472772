//! Where a value is needed, and the shapes of calls, selectors and `case`.

use super::{Checker, Place, issues};
use crate::ast::{Call, Case, Expr, ExprKind, Selector};

impl Checker<'_> {
    /// An expression that must produce a value.
    #[inline]
    pub(super) fn value(&mut self, expr: &Expr) {
        let may_be_none = matches!(
            expr.kind,
            ExprKind::Collector(_)
                | ExprKind::Definition(_)
                | ExprKind::Parenthesized(_)
                | ExprKind::Unary(..)
                | ExprKind::RenderExpr(_)
        );
        if may_be_none {
            self.innermost_value(expr);
        }
    }

    /// The same within brackets and behind operators.
    fn innermost_value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Collector(_) | ExprKind::Definition(_) => self.error(issues::not_a_value(expr), expr.reported()),
            ExprKind::Parenthesized(inner) | ExprKind::Unary(_, inner) | ExprKind::RenderExpr(inner) => {
                self.value(inner);
            }
            _ => {}
        }
    }

    pub(super) fn values(&mut self, expressions: &[Expr]) {
        for expression in expressions {
            self.value(expression);
        }
    }

    /// One side of a relationship.
    pub(super) fn related(&mut self, expr: &Expr) {
        if !matches!(expr.kind, ExprKind::Collector(_) | ExprKind::Relationship(_)) {
            self.value(expr);
        }
    }

    /// What is called must be a name or a data type.
    pub(super) fn functor(&mut self, call: &Call, expr: &Expr) {
        match &call.functor.kind {
            ExprKind::Name(_) | ExprKind::TypeName(_) => {}
            ExprKind::Access(access) if matches!(access.left.kind, ExprKind::TypeName(_)) => {}
            ExprKind::RenderString(_) => self.error(issues::illegal_epp_parameters(), expr.reported()),
            _ => {
                let issue = issues::illegal_expression(&call.functor, "function name", "Function Call");
                self.error(issue, call.functor.reported());
            }
        }
    }

    pub(super) fn selector(&mut self, selector: &Selector, expr: &Expr) {
        self.value(&selector.left);
        let mut defaults = selector.entries.iter().filter(|entry| is_default(&entry.matching));
        if let Some(duplicate) = defaults.nth(1) {
            self.error(issues::duplicate_default(expr), duplicate.matching.reported());
        }
        self.visit(&selector.left, Place::Nested);
        for entry in &selector.entries {
            self.value(&entry.matching);
            self.visit(&entry.matching, Place::Nested);
            self.visit(&entry.value, Place::Nested);
        }
    }

    pub(super) fn case(&mut self, case: &Case, expr: &Expr) {
        self.value(&case.test);
        let values = case.options.iter().flat_map(|option| &option.values);
        for duplicate in values.filter(|value| is_default(value)).skip(1) {
            self.error(issues::duplicate_default(expr), duplicate.reported());
        }
        self.visit(&case.test, Place::Nested);
        for option in &case.options {
            self.values(&option.values);
            self.visit_all(&option.values);
            self.visit_body(&option.then, option.colon, Place::Nested);
        }
    }
}

fn is_default(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Default)
}
