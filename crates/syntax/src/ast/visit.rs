//! Walking down a tree.

use super::{AttributeOperation, Definition, Expr, ExprKind, Lambda, Parameter, StringPart};

impl Expr {
    /// Calls a function with each expression directly within this one.
    ///
    /// The parameters, entries, options and attributes between an expression and its parts are passed over.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
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
                for part in parts {
                    if let StringPart::Expr(expr) = part {
                        visit(expr);
                    }
                }
            }
            ExprKind::Heredoc(heredoc) => visit(&heredoc.text),
            ExprKind::Array(values) | ExprKind::Block(values) => values.iter().for_each(visit),
            ExprKind::Hash(entries) => {
                for entry in entries {
                    visit(&entry.key);
                    visit(&entry.value);
                }
            }
            ExprKind::Parenthesized(inner) | ExprKind::Unary(_, inner) | ExprKind::RenderExpr(inner) => visit(inner),
            ExprKind::Binary(binary) => {
                visit(&binary.left);
                visit(&binary.right);
            }
            ExprKind::Assignment(assignment) => {
                visit(&assignment.target);
                visit(&assignment.value);
            }
            ExprKind::Relationship(relationship) => {
                visit(&relationship.left);
                visit(&relationship.right);
            }
            ExprKind::Access(access) => {
                visit(&access.left);
                access.keys.iter().for_each(visit);
            }
            ExprKind::Selector(selector) => {
                visit(&selector.left);
                for entry in &selector.entries {
                    visit(&entry.matching);
                    visit(&entry.value);
                }
            }
            ExprKind::If(conditional) | ExprKind::Unless(conditional) => {
                visit(&conditional.test);
                visit(&conditional.then);
                visit(&conditional.otherwise);
            }
            ExprKind::Case(case) => {
                visit(&case.test);
                for option in &case.options {
                    option.values.iter().for_each(&mut *visit);
                    visit(&option.then);
                }
            }
            ExprKind::Call(call) => {
                visit(&call.functor);
                call.args.iter().for_each(&mut *visit);
                each_in_lambda(call.lambda.as_deref(), visit);
            }
            ExprKind::MethodCall(call) => {
                visit(&call.receiver);
                call.args.iter().for_each(&mut *visit);
                each_in_lambda(call.lambda.as_deref(), visit);
            }
            ExprKind::Apply(apply) => {
                apply.args.iter().for_each(&mut *visit);
                visit(&apply.body);
            }
            ExprKind::Lambda(lambda) => each_in_lambda(Some(lambda), visit),
            ExprKind::Resource(resource) => {
                visit(&resource.type_name);
                for body in &resource.bodies {
                    visit(&body.title);
                    each_value(&body.operations, visit);
                }
            }
            ExprKind::ResourceDefaults(defaults) => {
                visit(&defaults.type_name);
                each_value(&defaults.operations, visit);
            }
            ExprKind::ResourceOverride(resource_override) => {
                visit(&resource_override.resources);
                each_value(&resource_override.operations, visit);
            }
            ExprKind::Collector(collector) => {
                visit(&collector.type_name);
                collector.query.condition.iter().for_each(&mut *visit);
                each_value(&collector.operations, visit);
            }
            ExprKind::Definition(definition) => definition.each_child(visit),
            ExprKind::Epp(epp) => visit(&epp.body),
        }
    }
}

impl Definition {
    /// Calls a function with each expression directly within this definition.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Definition::Class(class) => {
                each_in_parameters(&class.parameters, visit);
                visit(&class.body);
            }
            Definition::DefinedType(defined_type) => {
                each_in_parameters(&defined_type.parameters, visit);
                visit(&defined_type.body);
            }
            Definition::Node(node) => {
                node.parent.iter().for_each(&mut *visit);
                node.matches.iter().for_each(&mut *visit);
                visit(&node.body);
            }
            Definition::Function(function) => {
                each_in_parameters(&function.parameters, visit);
                visit(&function.body);
                function.return_type.iter().for_each(visit);
            }
            Definition::Plan(plan) => {
                each_in_parameters(&plan.parameters, visit);
                visit(&plan.body);
            }
            Definition::TypeAlias(alias) => visit(&alias.type_expr),
            Definition::TypeMapping(mapping) => {
                visit(&mapping.type_expr);
                visit(&mapping.mapping);
            }
            Definition::TypeDefinition(definition) => visit(&definition.body),
        }
    }
}

fn each_in_lambda<'a>(lambda: Option<&'a Lambda>, visit: &mut dyn FnMut(&'a Expr)) {
    if let Some(lambda) = lambda {
        each_in_parameters(&lambda.parameters, visit);
        visit(&lambda.body);
        lambda.return_type.iter().for_each(visit);
    }
}

fn each_in_parameters<'a>(parameters: &'a [Parameter], visit: &mut dyn FnMut(&'a Expr)) {
    for parameter in parameters {
        parameter.default.iter().for_each(&mut *visit);
        parameter.type_expr.iter().for_each(&mut *visit);
    }
}

fn each_value<'a>(operations: &'a [AttributeOperation], visit: &mut dyn FnMut(&'a Expr)) {
    operations.iter().map(AttributeOperation::value).for_each(visit);
}
