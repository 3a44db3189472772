//! Syntax trees to the parts of a dump.

use super::{Part, Parts};
use crate::ast::{
    AttributeOperation, Conditional, Definition, Expr, ExprKind, Lambda, Parameter, Program, Radix, ResourceForm,
    StringPart, UnaryOperator,
};
use crate::float_text::float_text;
use crate::stack::deep;

/// A whole program; only here is nothing called by name.
pub(super) fn program(program: &Program) -> Part {
    match &program.body.kind {
        ExprKind::Nop => text(":nop"),
        _ => expr(&program.body),
    }
}

fn expr(expr: &Expr) -> Part {
    deep(|| expr_here(expr))
}

fn expr_here(expr: &Expr) -> Part {
    match &expr.kind {
        ExprKind::Nop | ExprKind::Missing => text("()"),
        ExprKind::Undef => text(":undef"),
        ExprKind::Default => text(":default"),
        ExprKind::Boolean(value) => text(value),
        ExprKind::Integer { value, radix } => text(match radix {
            Radix::Decimal => format!("{value}"),
            Radix::Octal => format!("0{value:o}"),
            Radix::Hexadecimal => format!("0x{value:X}"),
        }),
        ExprKind::BigInteger(big) => text(match big.radix {
            Radix::Decimal => big.digits.to_string(),
            Radix::Octal => format!("0{}", big.digits),
            Radix::Hexadecimal => format!("0x{}", big.digits.to_uppercase()),
        }),
        ExprKind::Float(value) => text(float_text(*value)),
        ExprKind::String(value) => text(format!("'{value}'")),
        ExprKind::Name(name) | ExprKind::TypeName(name) => text(name),
        ExprKind::Variable(name) => text(format!("${name}")),
        ExprKind::Regexp(pattern) => text(format!("/{}/", pattern.replace("/", "\\/"))),
        ExprKind::Interpolated(parts) => list("cat", parts.iter().map(part)),
        ExprKind::Heredoc(heredoc) => Part::List(vec![
            text(format!("@({})", heredoc.syntax)),
            Part::Indent,
            Part::Break,
            self::expr(&heredoc.text),
            Part::Dedent,
            Part::Break,
        ]),
        ExprKind::Array(values) => list("[]", values.iter().map(self::expr)),
        ExprKind::Hash(entries) => {
            let entries =
                entries.iter().map(|entry| Part::List(vec![self::expr(&entry.key), self::expr(&entry.value)]));
            list("{}", entries)
        }
        ExprKind::Block(statements) => {
            let mut parts = vec![text("block"), Part::Indent];
            push_lines(&mut parts, statements.iter().map(self::expr));
            parts.extend([Part::Dedent, Part::Break]);
            Part::List(parts)
        }
        ExprKind::Parenthesized(inner) => self::expr(inner),
        ExprKind::Unary(operator, operand) => unary(*operator, operand),
        ExprKind::Binary(binary) => {
            let operator = match binary.operator.as_str() {
                "and" => "&&",
                "or" => "||",
                other => other,
            };
            list(operator, [&binary.left, &binary.right].map(self::expr))
        }
        ExprKind::Assignment(assignment) => {
            list(assignment.operator.as_str(), [&assignment.target, &assignment.value].map(self::expr))
        }
        ExprKind::Relationship(relationship) => {
            list(relationship.operator.as_str(), [&relationship.left, &relationship.right].map(self::expr))
        }
        ExprKind::Access(access) => {
            let keys = match &*access.keys {
                [key] => self::expr(key),
                keys => Part::List(keys.iter().map(self::expr).collect()),
            };
            list("slice", [self::expr(&access.left), keys])
        }
        ExprKind::Selector(selector) => {
            let entries = selector
                .entries
                .iter()
                .map(|entry| Part::List(vec![self::expr(&entry.matching), text("=>"), self::expr(&entry.value)]));
            list("?", std::iter::once(self::expr(&selector.left)).chain(entries))
        }
        ExprKind::If(conditional) => self::conditional("if", conditional),
        ExprKind::Unless(conditional) => self::conditional("unless", conditional),
        ExprKind::Case(case) => {
            let mut parts = vec![text("case"), self::expr(&case.test), Part::Indent];
            let options = case.options.iter().map(|option| {
                let values = Part::List(option.values.iter().map(self::expr).collect());
                list("when", [values, list("then", [self::expr(&option.then)])])
            });
            push_lines(&mut parts, options);
            parts.push(Part::Dedent);
            Part::List(parts)
        }
        ExprKind::Call(call) => {
            let name = if call.rvalue { "call" } else { "invoke" };
            self::call(name, self::expr(&call.functor), &call.args, call.lambda.as_deref())
        }
        ExprKind::MethodCall(call) => {
            let functor = list(".", [self::expr(&call.receiver), text(&call.name)]);
            self::call("call-method", functor, &call.args, call.lambda.as_deref())
        }
        ExprKind::Apply(apply) => {
            let args = apply.args.iter().map(self::expr);
            list("apply", args.chain([self::expr(&apply.body)]))
        }
        ExprKind::Lambda(lambda) => self::lambda(lambda),
        ExprKind::Resource(resource) => {
            let mut parts = form("resource", resource.form, &resource.type_name);
            let bodies = resource.bodies.iter().map(|body| {
                let mut parts = vec![self::expr(&body.title), Part::Indent];
                push_lines(&mut parts, body.operations.iter().map(operation));
                parts.push(Part::Dedent);
                Part::List(parts)
            });
            push_lines(&mut parts, bodies);
            parts.push(Part::Dedent);
            Part::List(parts)
        }
        ExprKind::ResourceDefaults(defaults) => {
            let parts = form("resource-defaults", defaults.form, &defaults.type_name);
            with_operations(parts, &defaults.operations)
        }
        ExprKind::ResourceOverride(resource_override) => {
            let parts = form("override", resource_override.form, &resource_override.resources);
            with_operations(parts, &resource_override.operations)
        }
        ExprKind::Collector(collector) => {
            let bars = if collector.query.exported { "<<| |>>" } else { "<| |>" };
            let query = list(bars, collector.query.condition.iter().map(self::expr));
            // Compatibility: the reference leaves the attributes out.
            let dedents = [Part::Indent, Part::Dedent, Part::Dedent];
            let parts = [text("collect"), self::expr(&collector.type_name), Part::Indent, Part::Break, query];
            Part::List(parts.into_iter().chain(dedents).collect())
        }
        ExprKind::Definition(definition) => self::definition(definition),
        ExprKind::Epp(epp) => list("epp", [self::expr(&epp.body)]),
        ExprKind::RenderString(rendered) => list("render-s", [text(format!(" '{rendered}'"))]),
        ExprKind::RenderExpr(inner) => list("render", [self::expr(inner)]),
        ExprKind::Reserved(word) => list("reserved", [text(word)]),
    }
}

fn definition(definition: &Definition) -> Part {
    match definition {
        Definition::Class(class) => {
            let mut parts = vec![text("class"), text(&class.name)];
            if let Some(parent) = &class.parent {
                parts.push(list("inherits", [text(parent)]));
            }
            push_parameters(&mut parts, &class.parameters);
            parts.push(expr(&class.body));
            Part::List(parts)
        }
        Definition::DefinedType(defined_type) => {
            let mut parts = vec![text("define"), text(&defined_type.name)];
            push_parameters(&mut parts, &defined_type.parameters);
            parts.push(expr(&defined_type.body));
            Part::List(parts)
        }
        Definition::Node(node) => {
            let mut parts = vec![text("node"), list("matches", node.matches.iter().map(expr))];
            if let Some(parent) = &node.parent {
                parts.push(list("parent", [expr(parent)]));
            }
            parts.push(expr(&node.body));
            Part::List(parts)
        }
        Definition::Function(function) => {
            let mut parts = vec![text("function"), text(&function.name)];
            push_parameters(&mut parts, &function.parameters);
            push_return_type(&mut parts, function.return_type.as_ref());
            parts.push(expr(&function.body));
            Part::List(parts)
        }
        Definition::Plan(plan) => {
            let mut parts = vec![text("plan"), text(&plan.name)];
            push_parameters(&mut parts, &plan.parameters);
            parts.push(expr(&plan.body));
            Part::List(parts)
        }
        Definition::TypeAlias(alias) => list("type-alias", [text(&alias.name), expr(&alias.type_expr)]),
        Definition::TypeMapping(mapping) => list("type-mapping", [&mapping.type_expr, &mapping.mapping].map(expr)),
        Definition::TypeDefinition(definition) => {
            let parent = definition.parent.as_ref().map_or("", |parent| parent.as_str());
            list("type-definition", [text(&definition.name), text(parent), expr(&definition.body)])
        }
    }
}

fn conditional(name: &str, conditional: &Conditional) -> Part {
    let branch = |name: &str, branch: &Expr| Part::List(vec![text(name), Part::Indent, expr(branch), Part::Dedent]);
    let mut parts =
        vec![text(name), expr(&conditional.test), Part::Indent, Part::Break, branch("then", &conditional.then)];
    // Compatibility: without an other branch the reference does not take back the indentation.
    if !matches!(conditional.otherwise.kind, ExprKind::Nop) {
        parts.extend([Part::Break, branch("else", &conditional.otherwise), Part::Dedent]);
    }
    Part::List(parts)
}

fn unary(operator: UnaryOperator, operand: &Expr) -> Part {
    let name = match operator {
        UnaryOperator::Minus => "-",
        UnaryOperator::Unfold => "unfold",
        UnaryOperator::Not => {
            // Compatibility: the reference lays the operand out as if it stood alone.
            let mut inner = Parts::default();
            inner.add(&expr(operand));
            return list("!", [text(inner.text)]);
        }
    };
    list(name, [expr(operand)])
}

fn call(name: &str, functor: Part, args: &[Expr], lambda: Option<&Lambda>) -> Part {
    let parts = std::iter::once(functor).chain(args.iter().map(expr));
    list(name, parts.chain(lambda.map(self::lambda)))
}

fn lambda(lambda: &Lambda) -> Part {
    let mut parts = vec![text("lambda")];
    push_parameters(&mut parts, &lambda.parameters);
    push_return_type(&mut parts, lambda.return_type.as_ref());
    parts.push(expr(&lambda.body));
    Part::List(parts)
}

fn push_parameters(parts: &mut Vec<Part>, parameters: &[Parameter]) {
    if !parameters.is_empty() {
        parts.push(list("parameters", parameters.iter().map(parameter)));
    }
}

fn push_return_type(parts: &mut Vec<Part>, return_type: Option<&Expr>) {
    if let Some(return_type) = return_type {
        parts.push(list("return_type", [expr(return_type)]));
    }
}

fn parameter(parameter: &Parameter) -> Part {
    let star = if parameter.captures_rest { "*" } else { "" };
    let name = text(format!("{star}{}", parameter.name));
    match (&parameter.type_expr, &parameter.default) {
        (Some(type_expr), Some(default)) => list("=t", [expr(type_expr), name, expr(default)]),
        (None, Some(default)) => list("=", [name, expr(default)]),
        (Some(type_expr), None) => list("t", [expr(type_expr), name]),
        (None, None) => name,
    }
}

fn part(part: &StringPart) -> Part {
    match part {
        StringPart::Text(value) => text(format!("'{value}'")),
        StringPart::Expr(inner) => list("str", [expr(inner)]),
    }
}

fn operation(operation: &AttributeOperation) -> Part {
    match operation {
        AttributeOperation::Attribute { name, operator, value, .. } => {
            Part::List(vec![text(name), text(operator.as_str()), expr(value)])
        }
        AttributeOperation::Unfold { value, .. } => list("* =>", [expr(value)]),
    }
}

fn form(name: &str, form: ResourceForm, subject: &Expr) -> Vec<Part> {
    let name = match form {
        ResourceForm::Regular => name.to_owned(),
        other => format!("{}-{name}", other.as_str()),
    };
    vec![text(name), expr(subject), Part::Indent]
}

fn with_operations(mut parts: Vec<Part>, operations: &[AttributeOperation]) -> Part {
    push_lines(&mut parts, operations.iter().map(operation));
    parts.push(Part::Dedent);
    Part::List(parts)
}

/// Adds parts, each on a line of its own.
fn push_lines(parts: &mut Vec<Part>, lines: impl Iterator<Item = Part>) {
    for line in lines {
        parts.push(Part::Break);
        parts.push(line);
    }
}

fn list(name: &str, parts: impl IntoIterator<Item = Part>) -> Part {
    Part::List(std::iter::once(text(name)).chain(parts).collect())
}

fn text(text: impl ToString) -> Part {
    Part::Text(text.to_string())
}
