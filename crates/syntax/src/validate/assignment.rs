//! What may stand left of `=`, where `=` may stand, and the names of variables.

use ecow::EcoString;

use super::{Checker, issues};
use crate::ast::{Assignment, AssignmentOperator, Expr, ExprKind};
use crate::lexer::{find, is_numeric_variable, is_variable_name};
use bunraku_diagnostic::Span;

impl Checker<'_> {
    pub(super) fn assignment(&mut self, assignment: &Assignment, span: Span) {
        match assignment.operator {
            AssignmentOperator::Assign => {
                self.target(&assignment.target);
                self.value(&assignment.value);
            }
            AssignmentOperator::Append | AssignmentOperator::Delete => {
                self.error(issues::no_longer_supported(assignment.operator.as_str()), span);
            }
        }
    }

    /// A variable, or an array of what may be assigned to.
    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Variable(name) => {
                if is_numeric_variable(name) {
                    self.error(issues::numeric_assignment(name), target.reported());
                }
                // The lexer lets colons into a name in pairs only.
                if find([b':'], name.as_bytes(), 0).is_some() {
                    self.error(issues::cross_scope_assignment(name), target.reported());
                }
            }
            ExprKind::Array(targets) => {
                for target in targets {
                    self.target(target);
                }
            }
            ExprKind::Access(_) => self.error(issues::indexed_assignment(), target.reported()),
            _ => self.error(issues::illegal_assignment(target), target.reported()),
        }
    }

    pub(super) fn variable(&mut self, name: &EcoString, span: Span) {
        if is_variable_name(name) {
            return;
        }
        let is_number = name.starts_with(|first: char| first.is_ascii_digit());
        let issue = if is_number { issues::illegal_numeric_variable(name) } else { issues::illegal_variable(name) };
        self.error(issue, span);
    }

    /// The default of a parameter must not assign, except within a lambda.
    pub(super) fn no_assignment(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assignment(_) => self.error(issues::assignment_not_allowed(), expr.reported()),
            ExprKind::Call(call) => {
                self.no_assignment(&call.functor);
                call.args.iter().for_each(|arg| self.no_assignment(arg));
            }
            ExprKind::MethodCall(call) => {
                self.no_assignment(&call.receiver);
                call.args.iter().for_each(|arg| self.no_assignment(arg));
            }
            _ => expr.each_child(&mut |child| self.no_assignment(child)),
        }
    }
}
