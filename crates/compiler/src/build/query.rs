//! What stands between the bars of a collector: a condition on resources, with its values evaluated.

use bunraku_syntax::deep;
use ecow::{EcoString, eco_format};

use bunraku_catalog::Resource;
use bunraku_pcore::{Value, compare, inspect, label, lowercase};
use bunraku_syntax::Issue;
use bunraku_syntax::ast::{BinaryOperator, Expr, ExprKind};

use super::Build;
use super::resource::ResourceId;
use super::table::Table;
use crate::eval::eval;
use crate::frame::Frame;
use crate::issues;
use crate::unwind::Outcome;

/// A condition on a resource.
#[derive(Debug)]
pub(super) enum Query {
    And(Box<Query>, Box<Query>),
    Or(Box<Query>, Box<Query>),
    /// Any of the tags.
    Tagged(Vec<EcoString>),
    Equal(EcoString, Value),
    NotEqual(EcoString, Value),
    /// Compatibility: a plain value is no condition, but that only counts when a resource is to be compared with it.
    Plain(Value),
}

impl Query {
    /// Reads a condition and evaluates the values in it.
    pub(super) fn evaluate(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<Query> {
        match &expr.kind {
            ExprKind::Parenthesized(inner) => Query::evaluate(inner, frame),
            ExprKind::Binary(binary) => match binary.operator {
                BinaryOperator::And | BinaryOperator::Or => {
                    let left = Box::new(Query::evaluate(&binary.left, frame)?);
                    let right = Box::new(Query::evaluate(&binary.right, frame)?);
                    Ok(if binary.operator == BinaryOperator::And {
                        Query::And(left, right)
                    } else {
                        Query::Or(left, right)
                    })
                }
                BinaryOperator::Equal | BinaryOperator::NotEqual => {
                    let attribute = eco_format!("{}", operand(&binary.left, frame)?);
                    let value = operand(&binary.right, frame)?;
                    match binary.operator {
                        BinaryOperator::NotEqual => Ok(Query::NotEqual(attribute, value)),
                        _ if attribute == "tag" => tagged(&value),
                        _ => Ok(Query::Equal(attribute, value)),
                    }
                }
                _ => refuse(expr),
            },
            _ => Ok(Query::Plain(operand(expr, frame)?)),
        }
    }

    /// Whether a resource is meant.
    pub(super) fn matches(&self, id: ResourceId, build: &Build<'_>) -> Result<bool, Issue> {
        deep(|| {
            Ok(match self {
                Query::And(left, right) => left.matches(id, build)? && right.matches(id, build)?,
                Query::Or(left, right) => left.matches(id, build)? || right.matches(id, build)?,
                Query::Plain(value) => return Err(no_condition(value)),
                Query::Tagged(tags) => build.is_tagged(id, tags),
                Query::Equal(attribute, value) => with_value(attribute, id, &build.table, |actual| match actual {
                    Value::Array(elements) => elements.iter().any(|element| compare::equals(element, value)),
                    actual => compare::equals(actual, value),
                }),
                Query::NotEqual(attribute, value) => {
                    with_value(attribute, id, &build.table, |actual| !compare::equals(actual, value))
                }
            })
        })
    }
}

impl Query {
    /// Whether a resource that another node exports is meant. Stored values are compared as they stand.
    pub(super) fn matches_exported(&self, resource: &Resource) -> Result<bool, Issue> {
        let is_equal = |attribute: &str, value: &Value| match attribute {
            "title" => value.as_str() == Some(resource.reference.title.as_str()),
            "tag" => resource.tags.contains(&lowercase(&eco_format!("{value}"))),
            _ => resource.get(attribute) == Some(value),
        };
        Ok(match self {
            Query::And(left, right) => left.matches_exported(resource)? && right.matches_exported(resource)?,
            Query::Or(left, right) => left.matches_exported(resource)? || right.matches_exported(resource)?,
            Query::Plain(value) => return Err(no_condition(value)),
            Query::Tagged(tags) => tags.iter().any(|tag| resource.tags.contains(tag)),
            Query::Equal(attribute, value) => is_equal(attribute, value),
            Query::NotEqual(attribute, value) => !is_equal(attribute, value),
        })
    }
}

impl Build<'_> {
    /// Whether a resource has any of the tags, or will have it because the resource around it has.
    pub(super) fn is_tagged(&self, id: ResourceId, tags: &[EcoString]) -> bool {
        let mut at = id;
        loop {
            let resource = self.table.get(at);
            if tags.iter().any(|tag| resource.tags.contains(tag)) {
                return true;
            }
            match self.resource_at(resource.scope) {
                Some(around) if around != at => at = around,
                _ => return false,
            }
        }
    }
}

fn with_value(attribute: &str, id: ResourceId, table: &Table<'_>, test: impl FnOnce(&Value) -> bool) -> bool {
    let resource = table.get(id);
    if attribute == "title" {
        return test(&Value::String(resource.reference.title.clone()));
    }
    test(resource.parameters.get(attribute).map_or(&Value::Undef, |parameter| &parameter.value))
}

/// In the words of the reference's runtime.
fn no_condition(value: &Value) -> Issue {
    issues::runtime(eco_format!("undefined method `call' for {}:{}", inspect::inspect(value), label::host_class(value)))
}

fn tagged(value: &Value) -> Outcome<Query> {
    let elements = match value {
        Value::Array(elements) => elements.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut tags = Vec::with_capacity(elements.len());
    for element in elements {
        if matches!(element, Value::Integer(_) | Value::Float(_)) {
            return Err(issues::runtime("Cannot transform a number to a tag").into());
        }
        tags.push(lowercase(&eco_format!("{element}")));
    }
    Ok(Query::Tagged(tags))
}

fn operand(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    match &expr.kind {
        ExprKind::Parenthesized(inner) => operand(inner, frame),
        ExprKind::Access(_) => {
            let value = eval(expr, frame)?;
            frame.compilation.attribute_value(value)
        }
        ExprKind::Variable(_)
        | ExprKind::Boolean(_)
        | ExprKind::String(_)
        | ExprKind::Interpolated(_)
        | ExprKind::Integer { .. }
        | ExprKind::Float(_)
        | ExprKind::Undef
        | ExprKind::Name(_) => eval(expr, frame),
        _ => refuse(expr),
    }
}

fn refuse<T>(expr: &Expr) -> Outcome<T> {
    let class = model_class(expr);
    Err(issues::runtime(eco_format!("Cannot transform object of class Puppet::Pops::Model::{class}")).into())
}

/// Compatibility: the reference names the classes of its own model here.
fn model_class(expr: &Expr) -> &'static str {
    match &expr.kind {
        ExprKind::Binary(binary) => match binary.operator {
            BinaryOperator::Match | BinaryOperator::NoMatch => "MatchExpression",
            BinaryOperator::In => "InExpression",
            BinaryOperator::And => "AndExpression",
            BinaryOperator::Or => "OrExpression",
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => "ComparisonExpression",
            _ => "ArithmeticExpression",
        },
        ExprKind::Call(_) => "CallNamedFunctionExpression",
        ExprKind::MethodCall(_) => "CallMethodExpression",
        ExprKind::Unary(..) => "UnaryMinusExpression",
        ExprKind::Array(_) => "LiteralList",
        ExprKind::Hash(_) => "LiteralHash",
        ExprKind::Regexp(_) => "LiteralRegularExpression",
        ExprKind::Default => "LiteralDefault",
        ExprKind::TypeName(_) => "QualifiedReference",
        ExprKind::Selector(_) => "SelectorExpression",
        ExprKind::If(_) => "IfExpression",
        ExprKind::Unless(_) => "UnlessExpression",
        ExprKind::Case(_) => "CaseExpression",
        ExprKind::Heredoc(_) => "HeredocExpression",
        _ => "Expression",
    }
}
