//! Where in the code the cause of an error is. It is looked for in the tree once there is an error, so that nothing has to
//! be kept for it.

use ecow::EcoString;

use bunraku_syntax::ast::{AttributeOperation, Expr, ExprKind, Part, Visitor};
use bunraku_syntax::{About, Issue, Span, ast};

use crate::compilation::Compilation;
use crate::eval::without_parentheses;
use crate::unwind::Unwind;

impl Compilation<'_> {
    /// What stands around a place, the outermost first.
    fn around(&self, place: Span) -> Vec<Part<'_>> {
        self.environment.code(place.file).map(|code| code.program.around(place)).unwrap_or_default()
    }

    /// The attribute that has this place.
    pub(crate) fn attribute_at(&self, place: Span) -> Option<&AttributeOperation> {
        self.around(place).into_iter().rev().find_map(|part| match part {
            Part::Attribute(operation) if operation.span() == place => Some(operation),
            _ => None,
        })
    }

    /// The resource expression that is reported at this place.
    pub(crate) fn resource_at_place(&self, place: Span) -> Option<&ast::Resource> {
        self.around(place).into_iter().rev().find_map(|part| match part {
            Part::Expr(expr @ Expr { kind: ExprKind::Resource(resource), .. }) if expr.reported() == place => {
                Some(&**resource)
            }
            _ => None,
        })
    }

    /// Where a variable has got its value that is set again at a place.
    pub(crate) fn earlier_assignment(&self, name: &str, place: Span) -> Option<Span> {
        let scope = self.around(place).into_iter().rev().find(|part| opens_scope(*part));
        let code = self.environment.code(place.file)?;
        let scope = scope.unwrap_or(Part::Expr(&code.program.body));
        let mut search = Assignments { name, before: place.start, scope: scope.span(), found: None };
        scope.walk(&mut search);
        search.found
    }
}

/// Whether variables set within do not exist outside.
fn opens_scope(part: Part<'_>) -> bool {
    match part {
        Part::Expr(expr) => match &expr.kind {
            ExprKind::Definition(_) | ExprKind::Lambda(_) | ExprKind::Epp(_) => true,
            ExprKind::Call(call) => call.lambda.is_some(),
            ExprKind::MethodCall(call) => call.lambda.is_some(),
            _ => false,
        },
        _ => false,
    }
}

/// Looks for the first assignment to a variable before a place.
struct Assignments<'n> {
    name: &'n str,
    before: u32,
    scope: Span,
    found: Option<Span>,
}

impl<'a> Visitor<'a> for Assignments<'_> {
    fn enter(&mut self, part: Part<'a>, _: &[Part<'a>]) -> bool {
        if self.found.is_some() || opens_scope(part) && part.span() != self.scope {
            return false;
        }
        let bound = match part {
            Part::Parameter(parameter) if *parameter.name == self.name => Some(parameter.span),
            Part::Expr(Expr { kind: ExprKind::Assignment(assignment), span }) => {
                assigns(&assignment.target, self.name).then_some(*span)
            }
            _ => None,
        };
        self.found = bound.filter(|span| span.end <= self.before);
        true
    }
}

fn assigns(target: &Expr, name: &str) -> bool {
    match &target.kind {
        ExprKind::Variable(variable) => variable == name,
        ExprKind::Array(targets) => targets.iter().any(|target| assigns(target, name)),
        _ => false,
    }
}

/// The failure of a call, at the part of it that is to blame.
#[cold]
pub(crate) fn in_call<'a>(unwind: Unwind, name: Span, args: impl Iterator<Item = &'a Expr>) -> Unwind {
    let Unwind::Issue(issue) = unwind else { return unwind };
    let at = match issue.about() {
        Some(About::Callee) => Some(name),
        Some(About::Argument(index)) => argument(args, index),
        None => None,
    };
    let issue = issue.with_about(None);
    at.into_iter().fold(issue, |issue, at| issue.with_primary("", at)).into()
}

/// The place of an argument; nothing if arguments before it are spread.
fn argument<'a>(mut args: impl Iterator<Item = &'a Expr>, index: usize) -> Option<Span> {
    let is_spread =
        |expr: &Expr| matches!(without_parentheses(expr).kind, ExprKind::Unary(ast::UnaryOperator::Unfold, _));
    let mut seen = 0;
    args.find(|expr| {
        let is_found = seen == index || is_spread(expr);
        seen += 1;
        is_found
    })
    .filter(|expr| !is_spread(expr))
    .map(|expr| expr.span)
}

/// An issue about a title that a reference names, at that reference within an expression.
pub(crate) fn at_reference(issue: Issue, expr: &Expr, title: &str) -> Issue {
    fn find(expr: &Expr, title: &str) -> Option<Span> {
        if let ExprKind::Access(access) = &expr.kind
            && let [key] = &*access.keys
            && matches!(&key.kind, ExprKind::String(text) | ExprKind::Name(text) if text == title)
        {
            return Some(expr.span);
        }
        let mut found = None;
        bunraku_syntax::deep(|| expr.each_child(&mut |child| found = found.or_else(|| find(child, title))));
        found
    }
    issue.with_primary("", find(expr, title).unwrap_or(expr.span))
}

/// The name of an attribute as it is written, or all of a `* => …`.
pub(crate) fn name_of(operation: &AttributeOperation) -> Span {
    match operation {
        AttributeOperation::Attribute { name, .. } => name.span,
        AttributeOperation::Unfold { span, .. } => *span,
    }
}

/// The key of an access that a hash does not have, as it is written: where a chain of accesses came to nothing.
pub(crate) fn literal_key(key: &Expr) -> Option<&EcoString> {
    match &key.kind {
        ExprKind::String(text) | ExprKind::Name(text) => Some(text),
        _ => None,
    }
}
