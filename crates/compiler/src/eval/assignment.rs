//! Assignment: to one variable, or to several from an array, a hash or a class.

use ecow::{EcoString, eco_format};

use bunraku_pcore::{Type, Value, inspect};
use bunraku_syntax::ast::{Assignment, AssignmentOperator, Expr, ExprKind};

use crate::eval::{eval, fail, variable};
use crate::frame::Frame;
use crate::issues;
use crate::label;
use crate::unwind::Outcome;

/// Variables that only the compiler sets.
pub(crate) const RESERVED: [&str; 3] = ["trusted", "facts", "server_facts"];

/// Evaluates `target = value`; the value is also that of the expression.
pub(super) fn assign(expr: &Expr, assignment: &Assignment, frame: &mut Frame<'_, '_>) -> Outcome {
    if assignment.operator != AssignmentOperator::Assign {
        let operator = assignment.operator.as_str();
        return fail(issues::appends_deletes_no_longer_supported(operator), expr.reported());
    }
    let value = eval(&assignment.value, frame)?;
    bind(&assignment.target, value.clone(), expr, assignment, frame)?;
    Ok(value)
}

fn bind(target: &Expr, value: Value, expr: &Expr, assignment: &Assignment, frame: &mut Frame<'_, '_>) -> Outcome<()> {
    match &target.kind {
        ExprKind::Variable(name) => set(name, value, expr, frame),
        ExprKind::Array(targets) => several(targets, value, expr, assignment, frame),
        _ => fail(issues::illegal_assignment(label::a_an(&label::expression(target))), target.reported()),
    }
}

fn set(name: &EcoString, value: Value, expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<()> {
    let bound = frame.compilation.scopes.is_bound(name, frame.scope, frame.layer);
    if name == "server_facts" || bound && RESERVED.contains(&name.as_str()) {
        return fail(issues::illegal_reserved_assignment(name), expr.reported());
    }
    if bound {
        let issue = match name.as_str() {
            "name" | "title" => issues::illegal_builtin_reassignment(name),
            _ => issues::illegal_reassignment(name),
        };
        let earlier = frame.compilation.earlier_assignment(name, expr.span);
        let issue = issue.with_primary("assigned again here", expr.span);
        let issue = earlier.into_iter().fold(issue, |issue, span| issue.with_related("first assigned here", span));
        return fail(issue, expr.reported());
    }
    if RESERVED.contains(&name.as_str()) {
        let message = format!("Attempt to assign to a reserved variable name: '{name}'");
        return Err(issues::runtime(message).into());
    }
    frame.compilation.scopes.set(name.clone(), value, frame.scope, frame.layer);
    Ok(())
}

fn several(
    targets: &[Expr],
    value: Value,
    expr: &Expr,
    assignment: &Assignment,
    frame: &mut Frame<'_, '_>,
) -> Outcome<()> {
    match &value {
        Value::Hash(hash) => {
            for target in targets {
                let key = target_names(target);
                let Some(value) = hash.get(&key) else {
                    return fail(issues::missing_multi_assignment_key(inspect::to_s(&key)), expr.reported());
                };
                bind(target, value.clone(), expr, assignment, frame)?;
            }
            Ok(())
        }
        Value::Type(Type::Class(class)) => {
            let class = class.class_name.clone().unwrap_or_default();
            from_class(targets, &class, expr, assignment, frame)
        }
        Value::Array(values) => each(targets, values, expr, assignment, frame),
        other => each(targets, std::slice::from_ref(other), expr, assignment, frame),
    }
}

fn each(
    targets: &[Expr],
    values: &[Value],
    expr: &Expr,
    assignment: &Assignment,
    frame: &mut Frame<'_, '_>,
) -> Outcome<()> {
    if targets.len() != values.len() {
        return fail(issues::illegal_multi_assignment_size(targets.len(), values.len()), expr.reported());
    }
    targets.iter().zip(values).try_for_each(|(target, value)| bind(target, value.clone(), expr, assignment, frame))
}

fn from_class(
    targets: &[Expr],
    class: &str,
    expr: &Expr,
    assignment: &Assignment,
    frame: &mut Frame<'_, '_>,
) -> Outcome<()> {
    if !frame.compilation.is_class_declared(class) {
        return fail(issues::unknown_resource("Class", class), assignment.value.reported());
    }
    for target in targets {
        let name = eco_format!("{}::{}", class.to_lowercase(), target_names(target));
        let Some(value) = variable::find(&name, frame)? else {
            return fail(issues::missing_multi_assignment_variable(name), target.reported());
        };
        bind(target, value, expr, assignment, frame)?;
    }
    Ok(())
}

/// The name of a variable, or an array of the names of several.
fn target_names(target: &Expr) -> Value {
    match &target.kind {
        ExprKind::Variable(name) => Value::String(name.clone()),
        ExprKind::Array(targets) => Value::array(targets.iter().map(target_names)),
        _ => Value::Undef,
    }
}
