//! Resources, collectors and their attributes.

use super::{Checker, Place, issues};
use crate::ast::{
    AttributeOperation, AttributeOperator, BinaryOperator, Collector, Expr, ExprKind, Resource, ResourceDefaults,
    ResourceForm, ResourceOverride,
};
use crate::label::label;

impl Checker<'_> {
    pub(super) fn resource(&mut self, resource: &Resource, expr: &Expr) {
        let is_class = matches!(&resource.type_name.kind, ExprKind::Name(name) if name == "class");
        if self.may_compile(expr) && is_class && resource.form != ResourceForm::Regular {
            self.error(issues::class_not_virtualizable(), expr.reported());
        }
        self.visit(&resource.type_name, Place::Nested);
        for body in &resource.bodies {
            let unfolds =
                body.operations.iter().filter(|operation| matches!(operation, AttributeOperation::Unfold { .. }));
            for unfold in unfolds.skip(1) {
                self.error(issues::multiple_unfolds(), unfold.span());
            }
            self.visit(&body.title, Place::Nested);
            self.operations(&body.operations, Some("Resource Instance Definition"));
        }
    }

    pub(super) fn resource_defaults(&mut self, defaults: &ResourceDefaults, expr: &Expr) {
        if self.may_compile(expr) && defaults.form != ResourceForm::Regular {
            self.error(issues::not_virtualizable(), expr.reported());
        }
        self.visit(&defaults.type_name, Place::Nested);
        self.operations(&defaults.operations, Some(&label(expr)));
    }

    pub(super) fn resource_override(&mut self, resource_override: &ResourceOverride, expr: &Expr) {
        if self.may_compile(expr) && resource_override.form != ResourceForm::Regular {
            self.error(issues::not_virtualizable(), expr.reported());
        }
        self.visit(&resource_override.resources, Place::Nested);
        self.operations(&resource_override.operations, None);
    }

    /// Attributes; `+>` is refused within what a label names.
    fn operations(&mut self, operations: &[AttributeOperation], no_append: Option<&str>) {
        for operation in operations {
            if let AttributeOperation::Attribute { name, operator: AttributeOperator::Append, span, .. } = operation
                && let Some(container) = no_append
            {
                self.error(issues::illegal_append(name, container), *span);
            }
            self.value(operation.value());
            self.visit(operation.value(), Place::Nested);
        }
    }

    pub(super) fn collector(&mut self, collector: &Collector, expr: &Expr) {
        if self.may_collect(collector, expr) && !matches!(collector.type_name.kind, ExprKind::TypeName(_)) {
            let issue = issues::illegal_expression(&collector.type_name, "type name", &label(expr));
            self.error(issue, collector.type_name.reported());
        }
        self.visit(&collector.type_name, Place::Nested);
        if let Some(condition) = &collector.query.condition {
            self.query(condition);
            self.visit(condition, Place::Nested);
        }
        self.operations(&collector.operations, None);
    }

    /// A condition on attributes of resources.
    fn query(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(binary) => match binary.operator {
                BinaryOperator::Equal | BinaryOperator::NotEqual => {}
                BinaryOperator::And | BinaryOperator::Or => {
                    self.query(&binary.left);
                    self.query(&binary.right);
                }
                _ => self.error(issues::illegal_query(expr), expr.reported()),
            },
            ExprKind::Parenthesized(inner) => self.query(inner),
            ExprKind::Variable(_)
            | ExprKind::Name(_)
            | ExprKind::Integer { .. }
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Boolean(_) => {}
            _ => self.error(issues::illegal_query(expr), expr.reported()),
        }
    }
}
