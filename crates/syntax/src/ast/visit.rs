//! Walking down a tree: every part of it, in the order of [`Part::each_part`], with those around it.

use super::{
    AttributeOperation, CaseOption, Definition, Expr, ExprKind, HashEntry, Lambda, Parameter, Program, ResourceBody,
    SelectorEntry, StringPart,
};
use crate::deep;
use bunraku_diagnostic::Span;

/// A node of the tree: an expression, or what stands between one and its parts.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// An expression; a definition is one, too.
    Expr(&'a Expr),
    /// A parameter of a definition, lambda or template.
    Parameter(&'a Parameter),
    /// `title: attribute => value, …`
    ResourceBody(&'a ResourceBody),
    /// `attribute => value` of a resource
    Attribute(&'a AttributeOperation),
    /// `key => value` of a hash
    HashEntry(&'a HashEntry),
    /// `match => value` of a selector
    SelectorEntry(&'a SelectorEntry),
    /// `values: { … }` of a case
    CaseOption(&'a CaseOption),
}

/// Someone who is shown every node of a tree.
pub trait Visitor<'a> {
    /// A node before its parts, with the nodes around it, the outermost first. Its parts are passed over if the answer is
    /// no.
    fn enter(&mut self, node: Part<'a>, parents: &[Part<'a>]) -> bool;

    /// The same node after its parts.
    fn leave(&mut self, _node: Part<'a>, _parents: &[Part<'a>]) {}
}

impl Program {
    /// Shows every node to a visitor.
    pub fn walk<'a>(&'a self, visitor: &mut dyn Visitor<'a>) {
        Part::Expr(&self.body).walk(visitor);
    }

    /// The nodes around a place, the outermost first.
    pub fn around(&self, place: Span) -> Vec<Part<'_>> {
        struct Around<'a> {
            place: Span,
            nodes: Vec<Part<'a>>,
        }
        impl<'a> Visitor<'a> for Around<'a> {
            fn enter(&mut self, node: Part<'a>, _: &[Part<'a>]) -> bool {
                if node.span().contains(self.place) {
                    self.nodes.push(node);
                }
                // The text of a heredoc lies outside of the expression that it belongs to.
                true
            }
        }
        let mut around = Around { place, nodes: Vec::new() };
        self.walk(&mut around);
        around.nodes
    }
}

impl<'a> Part<'a> {
    /// The whole range of the node.
    pub fn span(self) -> Span {
        match self {
            Part::Expr(expr) => expr.span,
            Part::Parameter(parameter) => parameter.span,
            Part::ResourceBody(body) => body.span,
            Part::Attribute(operation) => operation.span(),
            Part::HashEntry(entry) => entry.span(),
            Part::SelectorEntry(entry) => entry.span(),
            Part::CaseOption(option) => option.span(),
        }
    }

    /// Shows this node and every one within it to a visitor.
    pub fn walk(self, visitor: &mut dyn Visitor<'a>) {
        fn walk<'a>(node: Part<'a>, parents: &mut Vec<Part<'a>>, visitor: &mut dyn Visitor<'a>) {
            if visitor.enter(node, parents) {
                parents.push(node);
                deep(|| node.each_part(&mut |part| walk(part, parents, visitor)));
                parents.pop();
            }
            visitor.leave(node, parents);
        }
        walk(self, &mut Vec::new(), visitor);
    }

    /// Calls a function with each part directly within this one.
    pub fn each_part(self, visit: &mut dyn FnMut(Part<'a>)) {
        match self {
            Part::Expr(expr) => expr.each_part(visit),
            Part::Parameter(parameter) => {
                parameter.default.iter().map(Part::Expr).for_each(&mut *visit);
                parameter.type_expr.iter().map(Part::Expr).for_each(visit);
            }
            Part::ResourceBody(body) => {
                visit(Part::Expr(&body.title));
                body.operations.iter().map(Part::Attribute).for_each(visit);
            }
            Part::Attribute(operation) => visit(Part::Expr(operation.value())),
            Part::HashEntry(entry) => {
                visit(Part::Expr(&entry.key));
                visit(Part::Expr(&entry.value));
            }
            Part::SelectorEntry(entry) => {
                visit(Part::Expr(&entry.matching));
                visit(Part::Expr(&entry.value));
            }
            Part::CaseOption(option) => {
                option.values.iter().map(Part::Expr).for_each(&mut *visit);
                visit(Part::Expr(&option.then));
            }
        }
    }
}

impl Expr {
    /// Whether it is one of the plain expressions that have no others within them, as most are.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::Nop
                | ExprKind::Missing
                | ExprKind::Undef
                | ExprKind::Default
                | ExprKind::Boolean(_)
                | ExprKind::Integer { .. }
                | ExprKind::Float(_)
                | ExprKind::String(_)
                | ExprKind::Name(_)
                | ExprKind::TypeName(_)
                | ExprKind::Regexp(_)
                | ExprKind::Variable(_)
        )
    }

    /// Calls a function with each expression directly within this one.
    ///
    /// The parameters, entries, options and attributes between an expression and its parts are passed over.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.each_part(&mut |part| each_expr(part, visit));
    }

    /// Calls a function with each part directly within this one.
    fn each_part<'a>(&'a self, part: &mut dyn FnMut(Part<'a>)) {
        match &self.kind {
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
            | ExprKind::RenderString(_)
            | ExprKind::Reserved(_) => {}
            ExprKind::Interpolated(parts) => {
                for piece in parts {
                    if let StringPart::Expr(expr) = piece {
                        part(Part::Expr(expr));
                    }
                }
            }
            ExprKind::Heredoc(heredoc) => part(Part::Expr(&heredoc.text)),
            ExprKind::Array(values) | ExprKind::Block(values) => values.iter().map(Part::Expr).for_each(part),
            ExprKind::Hash(entries) => entries.iter().map(Part::HashEntry).for_each(part),
            ExprKind::Parenthesized(inner) | ExprKind::Unary(_, inner) | ExprKind::RenderExpr(inner) => {
                part(Part::Expr(inner))
            }
            ExprKind::Binary(binary) => {
                part(Part::Expr(&binary.left));
                part(Part::Expr(&binary.right));
            }
            ExprKind::Assignment(assignment) => {
                part(Part::Expr(&assignment.target));
                part(Part::Expr(&assignment.value));
            }
            ExprKind::Relationship(relationship) => {
                part(Part::Expr(&relationship.left));
                part(Part::Expr(&relationship.right));
            }
            ExprKind::Access(access) => {
                part(Part::Expr(&access.left));
                access.keys.iter().map(Part::Expr).for_each(part);
            }
            ExprKind::Selector(selector) => {
                part(Part::Expr(&selector.left));
                selector.entries.iter().map(Part::SelectorEntry).for_each(part);
            }
            ExprKind::If(conditional) | ExprKind::Unless(conditional) => {
                part(Part::Expr(&conditional.test));
                part(Part::Expr(&conditional.then));
                part(Part::Expr(&conditional.otherwise));
            }
            ExprKind::Case(case) => {
                part(Part::Expr(&case.test));
                case.options.iter().map(Part::CaseOption).for_each(part);
            }
            ExprKind::Call(call) => {
                part(Part::Expr(&call.functor));
                call.args.iter().map(Part::Expr).for_each(&mut *part);
                each_in_lambda(call.lambda.as_deref(), part);
            }
            ExprKind::MethodCall(call) => {
                part(Part::Expr(&call.receiver));
                call.args.iter().map(Part::Expr).for_each(&mut *part);
                each_in_lambda(call.lambda.as_deref(), part);
            }
            ExprKind::Apply(apply) => {
                apply.args.iter().map(Part::Expr).for_each(&mut *part);
                part(Part::Expr(&apply.body));
            }
            ExprKind::Lambda(lambda) => each_in_lambda(Some(lambda), part),
            ExprKind::Resource(resource) => {
                part(Part::Expr(&resource.type_name));
                resource.bodies.iter().map(Part::ResourceBody).for_each(part);
            }
            ExprKind::ResourceDefaults(defaults) => {
                part(Part::Expr(&defaults.type_name));
                defaults.operations.iter().map(Part::Attribute).for_each(part);
            }
            ExprKind::ResourceOverride(resource_override) => {
                part(Part::Expr(&resource_override.resources));
                resource_override.operations.iter().map(Part::Attribute).for_each(part);
            }
            ExprKind::Collector(collector) => {
                part(Part::Expr(&collector.type_name));
                collector.query.condition.iter().map(Part::Expr).for_each(&mut *part);
                collector.operations.iter().map(Part::Attribute).for_each(part);
            }
            ExprKind::Definition(definition) => definition.each_part(part),
            ExprKind::Epp(epp) => part(Part::Expr(&epp.body)),
        }
    }
}

impl Definition {
    /// Calls a function with each expression directly within this definition.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.each_part(&mut |part| each_expr(part, visit));
    }

    /// Calls a function with each part directly within this definition.
    pub fn each_part<'a>(&'a self, part: &mut dyn FnMut(Part<'a>)) {
        match self {
            Definition::Class(class) => {
                class.parameters.iter().map(Part::Parameter).for_each(&mut *part);
                part(Part::Expr(&class.body));
            }
            Definition::DefinedType(defined_type) => {
                defined_type.parameters.iter().map(Part::Parameter).for_each(&mut *part);
                part(Part::Expr(&defined_type.body));
            }
            Definition::Node(node) => {
                node.parent.iter().map(Part::Expr).for_each(&mut *part);
                node.matches.iter().map(Part::Expr).for_each(&mut *part);
                part(Part::Expr(&node.body));
            }
            Definition::Function(function) => {
                function.parameters.iter().map(Part::Parameter).for_each(&mut *part);
                part(Part::Expr(&function.body));
                function.return_type.iter().map(Part::Expr).for_each(part);
            }
            Definition::Plan(plan) => {
                plan.parameters.iter().map(Part::Parameter).for_each(&mut *part);
                part(Part::Expr(&plan.body));
            }
            Definition::TypeAlias(alias) => part(Part::Expr(&alias.type_expr)),
            Definition::TypeMapping(mapping) => {
                part(Part::Expr(&mapping.type_expr));
                part(Part::Expr(&mapping.mapping));
            }
            Definition::TypeDefinition(definition) => part(Part::Expr(&definition.body)),
        }
    }
}

/// The expression that a node is, or those within it.
fn each_expr<'a>(node: Part<'a>, visit: &mut dyn FnMut(&'a Expr)) {
    match node {
        Part::Expr(expr) => visit(expr),
        other => other.each_part(&mut |part| each_expr(part, visit)),
    }
}

fn each_in_lambda<'a>(lambda: Option<&'a Lambda>, part: &mut dyn FnMut(Part<'a>)) {
    if let Some(lambda) = lambda {
        lambda.parameters.iter().map(Part::Parameter).for_each(&mut *part);
        part(Part::Expr(&lambda.body));
        lambda.return_type.iter().map(Part::Expr).for_each(part);
    }
}
