//! Syntax trees to PN.

use ecow::{EcoString, eco_format};

use super::Pn;
use crate::ast::{
    AttributeOperation, Class, Conditional, Definition, Expr, ExprKind, Function, HashEntry, Ident, Lambda, Node,
    Parameter, Program, Radix, ResourceForm, StringPart, UnaryOperator,
};
use crate::regexp::is_unicode;
use crate::stack::deep;

/// A program in PN.
pub fn program(program: &Program) -> Pn {
    expr(&program.body)
}

/// An expression in PN.
pub fn expr(expr: &Expr) -> Pn {
    deep(|| expr_here(expr))
}

fn expr_here(expr: &Expr) -> Pn {
    match &expr.kind {
        ExprKind::Nop => Pn::Call("nop", vec![]),
        ExprKind::Missing => Pn::Call("missing", vec![]),
        ExprKind::Undef => Pn::Nil,
        ExprKind::Default => Pn::Call("default", vec![]),
        ExprKind::Boolean(value) => Pn::Boolean(*value),
        ExprKind::Integer { value, radix } => integer(Pn::Integer(*value), *radix),
        ExprKind::BigInteger(big) => integer(Pn::BigInteger(big.to_decimal()), big.radix),
        ExprKind::Float(value) => Pn::Float(*value),
        ExprKind::String(text) => Pn::String(text.clone()),
        ExprKind::Name(name) => text("qn", name),
        ExprKind::TypeName(name) => text("qr", name),
        ExprKind::Variable(name) => text("var", name),
        // Compatibility: the option is shown.
        ExprKind::Regexp(pattern) if is_unicode(pattern) => text("regexp", &eco_format!("(?-imx:{pattern})")),
        ExprKind::Regexp(pattern) => text("regexp", pattern),
        ExprKind::RenderString(rendered) => text("render-s", rendered),
        ExprKind::Reserved(word) => text("reserved", word),
        ExprKind::Interpolated(parts) => Pn::Call("concat", parts.iter().map(part).collect()),
        ExprKind::Heredoc(heredoc) => {
            let syntax = (!heredoc.syntax.is_empty()).then(|| Pn::String(heredoc.syntax.clone()));
            call_map("heredoc", [("syntax", syntax), ("text", Some(self::expr(&heredoc.text)))])
        }
        ExprKind::Array(values) => Pn::Call("array", list(values)),
        ExprKind::Hash(entries) => Pn::Call("hash", entries.iter().map(hash_entry).collect()),
        ExprKind::Block(statements) => Pn::Call("block", list(statements)),
        ExprKind::Parenthesized(inner) => Pn::Call("paren", vec![self::expr(inner)]),
        ExprKind::Unary(operator, operand) => unary(*operator, operand),
        ExprKind::Binary(binary) => pair(binary.operator.as_str(), &binary.left, &binary.right),
        ExprKind::Assignment(assignment) => pair(assignment.operator.as_str(), &assignment.target, &assignment.value),
        ExprKind::Relationship(relationship) => {
            pair(relationship.operator.as_str(), &relationship.left, &relationship.right)
        }
        ExprKind::Access(access) => {
            let left = std::iter::once(&access.left);
            Pn::Call("access", left.chain(&access.keys).map(self::expr).collect())
        }
        ExprKind::Selector(selector) => {
            let entries = selector.entries.iter().map(|entry| pair("=>", &entry.matching, &entry.value));
            Pn::Call("?", vec![self::expr(&selector.left), Pn::List(entries.collect())])
        }
        ExprKind::If(conditional) => self::conditional("if", conditional),
        ExprKind::Unless(conditional) => self::conditional("unless", conditional),
        ExprKind::Case(case) => {
            let options = case.options.iter().map(|option| {
                map([("when", Some(Pn::List(list(&option.values)))), ("then", Some(statements(&option.then)))])
            });
            Pn::Call("case", vec![self::expr(&case.test), Pn::List(options.collect())])
        }
        ExprKind::Call(call) => {
            let name = if call.rvalue { "call" } else { "invoke" };
            self::call(name, self::expr(&call.functor), &call.args, call.lambda.as_deref())
        }
        ExprKind::MethodCall(call) => {
            let functor = Pn::Call(".", vec![self::expr(&call.receiver), text("qn", &call.name)]);
            self::call("call-method", functor, &call.args, call.lambda.as_deref())
        }
        ExprKind::Apply(apply) => {
            call_map("apply", [("args", Some(Pn::List(list(&apply.args)))), ("body", body(&apply.body))])
        }
        ExprKind::Lambda(lambda) => self::lambda(lambda),
        ExprKind::Resource(resource) => {
            let bodies = resource.bodies.iter().map(|body| {
                map([("title", Some(self::expr(&body.title))), ("ops", Some(operations(&body.operations)))])
            });
            call_map(
                "resource",
                [
                    ("type", Some(self::expr(&resource.type_name))),
                    ("bodies", Some(Pn::List(bodies.collect()))),
                    ("form", form(resource.form)),
                ],
            )
        }
        ExprKind::ResourceDefaults(defaults) => call_map(
            "resource-defaults",
            [
                ("type", Some(self::expr(&defaults.type_name))),
                ("ops", Some(operations(&defaults.operations))),
                ("form", form(defaults.form)),
            ],
        ),
        ExprKind::ResourceOverride(resource_override) => call_map(
            "resource-override",
            [
                ("resources", Some(self::expr(&resource_override.resources))),
                ("ops", Some(operations(&resource_override.operations))),
                ("form", form(resource_override.form)),
            ],
        ),
        ExprKind::Collector(collector) => {
            let query = if collector.query.exported { "exported-query" } else { "virtual-query" };
            let condition = collector.query.condition.iter().map(self::expr).collect();
            let has_operations = !collector.operations.is_empty();
            call_map(
                "collect",
                [
                    ("type", Some(self::expr(&collector.type_name))),
                    ("query", Some(Pn::Call(query, condition))),
                    ("ops", has_operations.then(|| operations(&collector.operations))),
                ],
            )
        }
        ExprKind::Definition(definition) => self::definition(definition),
        ExprKind::Epp(epp) => match &epp.body.kind {
            ExprKind::Block(statements) => Pn::Call("epp", list(statements)),
            _ => Pn::Call("epp", vec![]),
        },
        ExprKind::RenderExpr(inner) => Pn::Call("render", vec![self::expr(inner)]),
    }
}

fn definition(definition: &Definition) -> Pn {
    match definition {
        Definition::Class(class) => self::class(class),
        Definition::DefinedType(defined_type) => call_map(
            "define",
            [
                ("name", Some(Pn::String(defined_type.name.clone()))),
                ("params", parameters(&defined_type.parameters)),
                ("body", body(&defined_type.body)),
            ],
        ),
        Definition::Node(node) => self::node(node),
        Definition::Function(function) => self::function(function),
        Definition::Plan(plan) => call_map(
            "plan",
            [
                ("name", Some(Pn::String(plan.name.clone()))),
                ("params", parameters(&plan.parameters)),
                ("body", body(&plan.body)),
            ],
        ),
        Definition::TypeAlias(alias) => Pn::Call("type-alias", vec![name(&alias.name), expr(&alias.type_expr)]),
        Definition::TypeMapping(mapping) => pair("type-mapping", &mapping.type_expr, &mapping.mapping),
        Definition::TypeDefinition(definition) => {
            let parent = definition.parent.as_ref().map_or(Pn::Nil, name);
            Pn::Call("type-definition", vec![name(&definition.name), parent, expr(&definition.body)])
        }
    }
}

fn class(class: &Class) -> Pn {
    call_map(
        "class",
        [
            ("name", Some(Pn::String(class.name.clone()))),
            ("parent", class.parent.as_ref().map(name)),
            ("params", parameters(&class.parameters)),
            ("body", body(&class.body)),
        ],
    )
}

fn node(node: &Node) -> Pn {
    call_map(
        "node",
        [
            ("matches", Some(Pn::List(list(&node.matches)))),
            ("parent", node.parent.as_ref().map(expr)),
            ("body", body(&node.body)),
        ],
    )
}

fn function(function: &Function) -> Pn {
    call_map(
        "function",
        [
            ("name", Some(name(&function.name))),
            ("params", parameters(&function.parameters)),
            ("body", body(&function.body)),
            ("returns", function.return_type.as_ref().map(expr)),
        ],
    )
}

fn lambda(lambda: &Lambda) -> Pn {
    call_map(
        "lambda",
        [
            ("params", parameters(&lambda.parameters)),
            ("returns", lambda.return_type.as_ref().map(expr)),
            ("body", body(&lambda.body)),
        ],
    )
}

fn parameters(parameters: &[Parameter]) -> Option<Pn> {
    if parameters.is_empty() {
        return None;
    }
    let entries = parameters.iter().map(|parameter| {
        let entry = map([
            ("type", parameter.type_expr.as_ref().map(expr)),
            ("splat", parameter.captures_rest.then_some(Pn::Boolean(true))),
            ("value", parameter.default.as_ref().map(expr)),
        ]);
        (parameter.name.name.clone(), entry)
    });
    Some(Pn::Map(entries.collect()))
}

fn call(name: &'static str, functor: Pn, args: &[Expr], lambda: Option<&Lambda>) -> Pn {
    call_map(
        name,
        [("functor", Some(functor)), ("args", Some(Pn::List(list(args)))), ("block", lambda.map(self::lambda))],
    )
}

fn conditional(name: &'static str, conditional: &Conditional) -> Pn {
    call_map(
        name,
        [
            ("test", Some(expr(&conditional.test))),
            ("then", body(&conditional.then)),
            ("else", body(&conditional.otherwise)),
        ],
    )
}

fn unary(operator: UnaryOperator, operand: &Expr) -> Pn {
    let name = match (operator, &operand.kind) {
        (UnaryOperator::Minus, ExprKind::Integer { value, .. }) if *value != i64::MIN => return Pn::Integer(-value),
        (UnaryOperator::Minus, ExprKind::Float(value)) => return Pn::Float(-value),
        (UnaryOperator::Minus, ExprKind::BigInteger(big)) => {
            return Pn::BigInteger(ecow::eco_format!("-{}", big.to_decimal()));
        }
        (UnaryOperator::Minus, _) => "-",
        (UnaryOperator::Not, _) => "!",
        (UnaryOperator::Unfold, _) => "unfold",
    };
    Pn::Call(name, vec![expr(operand)])
}

fn integer(value: Pn, radix: Radix) -> Pn {
    if radix == Radix::Decimal {
        return value;
    }
    let base = Pn::Integer(radix.base().into());
    call_map("int", [("radix", Some(base)), ("value", Some(value))])
}

fn part(part: &StringPart) -> Pn {
    match part {
        StringPart::Text(text) => Pn::String(text.clone()),
        StringPart::Expr(inner) => Pn::Call("str", vec![expr(inner)]),
    }
}

fn hash_entry(entry: &HashEntry) -> Pn {
    pair("=>", &entry.key, &entry.value)
}

fn operations(operations: &[AttributeOperation]) -> Pn {
    let operations = operations.iter().map(|operation| match operation {
        AttributeOperation::Attribute { name, operator, value, .. } => {
            Pn::Call(operator.as_str(), vec![self::name(name), expr(value)])
        }
        AttributeOperation::Unfold { value, .. } => Pn::Call("splat-hash", vec![expr(value)]),
    });
    Pn::List(operations.collect())
}

fn name(name: &Ident) -> Pn {
    Pn::String(name.name.clone())
}

fn form(form: ResourceForm) -> Option<Pn> {
    (form != ResourceForm::Regular).then(|| Pn::String(form.as_str().into()))
}

/// The statements of a body, unless there are none.
fn body(body: &Expr) -> Option<Pn> {
    (!matches!(body.kind, ExprKind::Nop)).then(|| statements(body))
}

fn statements(body: &Expr) -> Pn {
    Pn::List(match &body.kind {
        ExprKind::Block(statements) => list(statements),
        _ => vec![expr(body)],
    })
}

fn list(expressions: &[Expr]) -> Vec<Pn> {
    expressions.iter().map(expr).collect()
}

fn pair(name: &'static str, left: &Expr, right: &Expr) -> Pn {
    Pn::Call(name, vec![expr(left), expr(right)])
}

fn text(name: &'static str, text: &EcoString) -> Pn {
    Pn::Call(name, vec![Pn::String(text.clone())])
}

/// A map of the entries that are there.
fn map<const N: usize>(entries: [(&'static str, Option<Pn>); N]) -> Pn {
    let entries = entries.into_iter().filter_map(|(key, value)| Some((key.into(), value?)));
    Pn::Map(entries.collect())
}

fn call_map<const N: usize>(name: &'static str, entries: [(&'static str, Option<Pn>); N]) -> Pn {
    Pn::Call(name, vec![map(entries)])
}
