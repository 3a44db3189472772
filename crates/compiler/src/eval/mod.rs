//! The evaluator: one function for each kind of expression, and one place where an error learns where it happened.

pub(crate) mod access;
pub(crate) mod assignment;
pub(crate) mod call;
mod comparison;
mod conditional;
pub(crate) mod epp;
pub(crate) mod lambda;
pub(crate) mod operator;
pub(crate) mod text;
mod time;
pub(crate) mod type_name;
pub(crate) mod variable;

use std::sync::Arc;

use bunraku_pcore::{Hash, Value, limits};
use bunraku_syntax::ast::{BinaryOperator, Expr, ExprKind, HashEntry, UnaryOperator};
use bunraku_syntax::{At, Issue, Label, Span, deep};

use crate::frame::{Frame, error_at};
use crate::issues;
use crate::label;
use crate::number;
use crate::unwind::{Outcome, Unwind};

/// Evaluates an expression. An error without a place gets that of the innermost expression.
pub(crate) fn eval(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    located(deep(|| evaluate(expr, frame)), expr)
}

/// What an expression gives; an error without a place gets that of the expression.
pub(crate) fn located<T>(outcome: Outcome<T>, expr: &Expr) -> Outcome<T> {
    match outcome {
        Err(Unwind::Issue(issue)) => Err(locate(issue, expr)),
        outcome => outcome,
    }
}

/// An issue that an expression reports about one of its parts.
pub(crate) fn fail<T>(issue: Issue, span: Span) -> Outcome<T> {
    Err(error_at(issue, span))
}

#[cold]
fn locate(issue: Issue, expr: &Expr) -> Unwind {
    let issue = match issue.code() {
        issues::RUNTIME_ERROR => {
            let label = label::a_an(&label::expression(expr));
            issue.after(format_args!("Error while evaluating {label}, "))
        }
        _ => issue,
    };
    let is_elsewhere =
        |label: &Label| label.is_primary && !matches!(&label.at, At::Code(span) if expr.span.contains(*span));
    let is_elsewhere = issue.labels().iter().any(is_elsewhere);
    match error_at(issue, expr.reported()) {
        // The place of the expression is but a step of the way to the cause.
        Unwind::Error(error) if is_elsewhere => error.with_note("it comes up here", expr.reported()).into(),
        unwind => unwind,
    }
}

fn evaluate(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    match &expr.kind {
        ExprKind::Nop | ExprKind::Undef | ExprKind::Definition(_) => Ok(Value::Undef),
        ExprKind::Missing => fail(issues::runtime("this code could not be read"), expr.span),
        ExprKind::Default => Ok(Value::Default),
        ExprKind::Boolean(value) => Ok(Value::Boolean(*value)),
        ExprKind::Integer { value, .. } => Ok(Value::Integer(*value)),
        ExprKind::Float(value) => Ok(Value::Float(*value)),
        ExprKind::String(text) | ExprKind::Name(text) => Ok(Value::String(text.clone())),
        ExprKind::Variable(name) => variable::get(name, expr.span, frame),
        ExprKind::TypeName(name) => type_name::resolve(name, expr.span, frame),
        ExprKind::Regexp(source) => Ok(Value::Regexp(frame.compilation.regexp(source)?)),
        ExprKind::Interpolated(parts) => text::interpolate(parts, frame),
        ExprKind::Heredoc(heredoc) => text::heredoc(heredoc, frame),
        ExprKind::Array(elements) => {
            let array = Value::from(unfolded(Vec::with_capacity(elements.len()), elements, frame)?);
            limits::check_data(&array)?;
            Ok(array)
        }
        ExprKind::Hash(entries) => hash(entries, frame),
        ExprKind::Block(statements) => block(statements, frame),
        ExprKind::Parenthesized(inner) => eval(inner, frame),
        ExprKind::Unary(operator, operand) => unary(*operator, expr, operand, frame),
        ExprKind::Binary(binary) => match binary.operator {
            BinaryOperator::And => Ok((truth(&binary.left, frame)? && truth(&binary.right, frame)?).into()),
            BinaryOperator::Or => Ok((truth(&binary.left, frame)? || truth(&binary.right, frame)?).into()),
            BinaryOperator::Equal | BinaryOperator::NotEqual => comparison::equality(expr, binary, frame),
            BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => comparison::order(expr, binary, frame),
            BinaryOperator::Match | BinaryOperator::NoMatch => comparison::matches(binary, frame),
            BinaryOperator::In => comparison::contains(binary, frame),
            _ => operator::arithmetic(expr, binary, frame),
        },
        ExprKind::Assignment(assignment) => assignment::assign(expr, assignment, frame),
        ExprKind::Access(access) => {
            let value = access::access(expr, access, frame)?;
            if matches!(value, Value::Type(_)) {
                limits::check_data(&value)?;
            }
            Ok(value)
        }
        ExprKind::Selector(selector) => conditional::selector(selector, frame),
        ExprKind::If(conditional) => conditional::branch(conditional, true, frame),
        ExprKind::Unless(conditional) => conditional::branch(conditional, false, frame),
        ExprKind::Case(case) => conditional::case(case, frame),
        ExprKind::Call(call) => call::named(expr, call, frame),
        ExprKind::MethodCall(call) => call::method(expr, call, frame),
        ExprKind::Lambda(lambda) => eval(&lambda.body, frame),
        ExprKind::Epp(epp) => text::template(&epp.body, frame),
        ExprKind::RenderString(text) => text::render_text(text, frame),
        ExprKind::RenderExpr(inner) => text::render(inner, frame),
        ExprKind::Reserved(word) => Err(issues::reserved_word(word).into()),
        ExprKind::Apply(_) => Err(bunraku_syntax::not_when_compiling(&label::expression(expr)).into()),
        ExprKind::BigInteger(_) => Err(issues::runtime("the integer does not fit 64 bits").into()),
        ExprKind::Relationship(_)
        | ExprKind::Resource(_)
        | ExprKind::ResourceDefaults(_)
        | ExprKind::ResourceOverride(_)
        | ExprKind::Collector(_) => crate::build::evaluate(expr, frame),
    }
}

/// Evaluates the body of a lambda, whose variables end with it.
pub(crate) fn eval_last(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    deep(|| {
        let outcome = match &expr.kind {
            ExprKind::Block(statements) => match statements.split_last() {
                None => Ok(Value::Undef),
                Some((last, others)) => others
                    .iter()
                    .try_for_each(|statement| eval(statement, frame).map(drop))
                    .and_then(|()| eval_last(last, frame)),
            },
            ExprKind::Binary(binary) if matches!(binary.operator, BinaryOperator::Plus | BinaryOperator::LeftShift) => {
                operator::last_arithmetic(expr, binary, frame)
            }
            _ => return eval(expr, frame),
        };
        match outcome {
            Err(Unwind::Issue(issue)) => Err(locate(issue, expr)),
            outcome => outcome,
        }
    })
}

/// Evaluates statements one after the other; the last one gives the value.
fn block(statements: &[Expr], frame: &mut Frame<'_, '_>) -> Outcome {
    let Some((last, others)) = statements.split_last() else { return Ok(Value::Undef) };
    for statement in others {
        eval(statement, frame)?;
    }
    eval(last, frame)
}

/// Whether an expression counts as true.
fn truth(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<bool> {
    Ok(eval(expr, frame)?.is_truthy())
}

fn hash(entries: &[HashEntry], frame: &mut Frame<'_, '_>) -> Outcome {
    let mut hash = Hash::with_capacity(entries.len());
    for entry in entries {
        let key = eval(&entry.key, frame)?;
        hash.insert(key, eval(&entry.value, frame)?);
    }
    let hash = Value::from(hash);
    limits::check_data(&hash)?;
    Ok(hash)
}

fn unary(operator: UnaryOperator, expr: &Expr, operand: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    let value = eval(operand, frame)?;
    match operator {
        UnaryOperator::Not => Ok((!value.is_truthy()).into()),
        UnaryOperator::Unfold => Ok(Value::from(spread(value)?)),
        UnaryOperator::Minus => match number::coerce(value, expr, frame)? {
            Value::Integer(number) => Ok(Value::Integer(number.checked_neg().ok_or_else(|| {
                let label = label::a_an_capitalized(&label::expression(expr));
                issues::numeric_overflow(&label, &number::signed_hexadecimal(-i128::from(number)))
            })?)),
            Value::Float(number) => Ok(Value::Float(-number)),
            Value::Timespan(span) => Ok(Value::Timespan(Arc::new(span.negate()?))),
            other => Err(issues::operator_not_applicable("-", &other).into()),
        },
    }
}

/// Evaluates arguments or elements; `*x` gives as many values as `x` has.
pub(crate) fn unfolded(mut values: Vec<Value>, exprs: &[Expr], frame: &mut Frame<'_, '_>) -> Outcome<Vec<Value>> {
    for expr in exprs {
        match &without_parentheses(expr).kind {
            ExprKind::Unary(UnaryOperator::Unfold, inner) => {
                let value = eval(inner, frame)?;
                values.extend(spread(value)?);
                limits::check_elements(values.len() as u64)?;
            }
            _ => values.push(eval(expr, frame)?),
        }
    }
    Ok(values)
}

/// The expression inside any number of parentheses.
pub(crate) fn without_parentheses(mut expr: &Expr) -> &Expr {
    while let ExprKind::Parenthesized(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// What a splat makes of a value: nothing of `undef`, the elements of a collection, the value itself otherwise.
pub(crate) fn spread(value: Value) -> Result<Vec<Value>, Issue> {
    Ok(match value {
        Value::Undef => Vec::new(),
        Value::Array(elements) => Arc::unwrap_or_clone(elements).into_vec(),
        Value::Hash(hash) => operator::pairs(&hash),
        Value::Iterator(iterator) => {
            limits::check_elements(iterator.sequence.len())?;
            iterator.values().collect()
        }
        other => vec![other],
    })
}
