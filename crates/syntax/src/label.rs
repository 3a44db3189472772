//! What messages call an expression: `Function Call`, `'+' expression`, `Resource Statement`.

use std::borrow::Cow;

use crate::ast::{Definition, Expr, ExprKind, UnaryOperator};

/// What messages call an expression.
pub fn label(expr: &Expr) -> Cow<'static, str> {
    let name = match &expr.kind {
        ExprKind::Nop | ExprKind::Missing => "Nop Expression",
        ExprKind::Undef => "'undef' expression",
        ExprKind::Default => "'default' expression",
        ExprKind::Boolean(_) => "Boolean",
        ExprKind::Integer { .. } | ExprKind::BigInteger(_) => "Literal Integer",
        ExprKind::Float(_) => "Literal Float",
        ExprKind::String(_) => "String",
        ExprKind::Name(_) => "Name",
        ExprKind::TypeName(_) => "Type-Name",
        ExprKind::Variable(_) => "Variable",
        ExprKind::Regexp(_) => "Regular Expression",
        ExprKind::Interpolated(_) => "Double Quoted String",
        ExprKind::Heredoc(heredoc) => return format!("'@({})' expression", heredoc.syntax).into(),
        ExprKind::Array(_) => "Array Expression",
        ExprKind::Hash(_) => "Hash Expression",
        ExprKind::Block(_) => "Block Expression",
        ExprKind::Parenthesized(_) => "Parenthesized Expression",
        ExprKind::Unary(UnaryOperator::Not, _) => "'not' expression",
        ExprKind::Unary(UnaryOperator::Minus, _) => "Unary Minus",
        ExprKind::Unary(UnaryOperator::Unfold, _) => "Unfold",
        ExprKind::Binary(binary) => return operator(binary.operator.as_str()),
        ExprKind::Assignment(assignment) => return operator(assignment.operator.as_str()),
        ExprKind::Relationship(relationship) => return operator(relationship.operator.as_str()),
        ExprKind::Access(_) => "'[]' expression",
        ExprKind::Selector(_) => "Selector Expression",
        ExprKind::If(_) => "'if' statement",
        ExprKind::Unless(_) => "'unless' Statement",
        ExprKind::Case(_) => "'case' statement",
        ExprKind::Call(_) => "Function Call",
        ExprKind::MethodCall(_) => "Method call",
        ExprKind::Apply(_) => "'apply' expression",
        ExprKind::Lambda(_) => "Lambda",
        ExprKind::Resource(_) => "Resource Statement",
        ExprKind::ResourceDefaults(_) => "Resource Defaults Expression",
        ExprKind::ResourceOverride(_) => "Resource Override",
        ExprKind::Collector(collector) if collector.query.exported => "Exported Query",
        ExprKind::Collector(_) => "Virtual Query",
        ExprKind::Definition(definition) => definition_label(definition),
        ExprKind::Epp(_) => "Epp Template",
        ExprKind::RenderString(_) => "Epp Text",
        ExprKind::RenderExpr(_) => "Epp Interpolated Expression",
        ExprKind::Reserved(word) => return format!("Reserved Word '{word}'").into(),
    };
    name.into()
}

/// What messages call a definition.
pub fn definition_label(definition: &Definition) -> &'static str {
    match definition {
        Definition::Class(_) => "Host Class Definition",
        Definition::DefinedType(_) => "'define' expression",
        Definition::Node(_) => "Node Definition",
        Definition::Function(_) => "Function Definition",
        Definition::Plan(_) => "Plan Definition",
        Definition::TypeAlias(_) => "Type Alias",
        Definition::TypeMapping(_) => "Type Mapping",
        Definition::TypeDefinition(_) => "Type Definition",
    }
}

fn operator(text: &str) -> Cow<'static, str> {
    format!("'{text}' expression").into()
}

/// A label with its article: `a Name`, `an 'if' statement`.
pub fn a_an(label: &str) -> String {
    format!("{} {label}", article(label))
}

/// A label with its article at the start of a sentence: `A Name`, `An 'if' statement`.
pub fn a_an_upper(label: &str) -> String {
    let article = if article(label) == "an" { "An" } else { "A" };
    format!("{article} {label}")
}

/// The article goes by the first letter; a quote before it does not count, and `y` is a vowel.
fn article(label: &str) -> &'static str {
    let letter = label.trim_start_matches(['\'', '"']).chars().next().unwrap_or_default();
    match letter.to_ascii_lowercase() {
        'a' | 'e' | 'i' | 'o' | 'u' | 'y' => "an",
        _ => "a",
    }
}
